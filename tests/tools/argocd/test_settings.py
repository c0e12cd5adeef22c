"""Settings of Argo CD, as util/settings of argo-cd/v3 v3.6.1 reads them."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.ignores import IgnoreRule
from kubectl_applylint.tools.argocd.settings import (
    ArgoSettings,
    enables_helm,
    has_load_restrictor,
    ignored_settings,
    is_read,
    merged_data,
    object_settings,
    set_policy,
    settings_of,
)

SERVER = "https://kubernetes.default.svc"
CUSTOMIZED: JsonObject = {
    "application.resourceTrackingMethod": "annotation+label",
    "application.instanceLabelKey": "example.com/instance",
    "resource.customizations": {"batch/Job": {"ignoreDifferences": {"jqPathExpressions": [".spec"]}}, "x/Y": {}},
    "resource.customizations.ignoreDifferences.apps_Deployment": {"jsonPointers": ["/spec/replicas"]},
    "resource.customizations.ignoreDifferences.ConfigMap": {"managedFieldsManagers": ["m"]},
    "resource.customizations.ignoreDifferences.all": {"jsonPointers": ["/spec"]},
}


def test_settings_are_read_from_the_data_of_the_config_map() -> None:
    found = settings_of(CUSTOMIZED)

    assert (found.uses_annotation, found.uses_label, found.label_key) == (True, True, "example.com/instance")
    assert found.ignored == (
        IgnoreRule("batch", "Job", expressions=(".spec",)),
        IgnoreRule("x", "Y"),
        IgnoreRule("apps", "Deployment", pointers=("/spec/replicas",)),
        IgnoreRule("", "ConfigMap", managers=("m",)),
        IgnoreRule("*", "*", pointers=("/spec",)),
    )
    assert replace(settings_of({}), always_excluded=()) == ArgoSettings()


@pytest.mark.parametrize(
    ("tracking", "expected"),
    [("", (True, False)), ("annotation", (True, False)), ("label", (False, True)), ("annotation+label", (True, True))],
)
def test_the_tracking_method_says_what_names_the_application(tracking: str, expected: tuple[bool, bool]) -> None:
    found = settings_of({"application.resourceTrackingMethod": tracking})

    assert (found.uses_annotation, found.uses_label) == expected


@pytest.mark.parametrize(
    ("exclusions", "inclusions", "kind", "expected"),
    [
        ([], [], ("v1", "ConfigMap"), False),
        ([], [], ("v1", "Event"), True),
        ([], [], ("coordination.k8s.io/v1", "Lease"), True),
        ([{"kinds": ["ConfigMap"]}], [], ("v1", "ConfigMap"), True),
        ([{"apiGroups": ["*.io"], "kinds": ["*"]}], [], ("cilium.io/v2", "CiliumIdentity"), True),
        ([{"apiGroups": ["*.io"], "kinds": ["*"]}], [], ("v1", "ConfigMap"), False),
        ([{"clusters": ["https://other*"]}], [], ("v1", "ConfigMap"), False),
        ([{"clusters": ["https://kube*"]}], [], ("v1", "ConfigMap"), True),
        ([], [{"apiGroups": ["apps"]}], ("v1", "ConfigMap"), True),
        ([], [{"apiGroups": ["apps"]}], ("apps/v1", "Deployment"), False),
        ([], [{"apiGroups": ["apps"], "clusters": ["https://other"]}], ("v1", "ConfigMap"), False),
        ([{"kinds": ["Deployment"]}], [{"apiGroups": ["apps"]}], ("apps/v1", "Deployment"), True),
    ],
)
def test_kinds_are_excluded_or_not_included(
    exclusions: list[JsonObject], inclusions: list[JsonObject], kind: tuple[str, str], expected: bool
) -> None:
    found = settings_of({"resource.exclusions": exclusions, "resource.inclusions": inclusions})

    assert found.excludes(ObjectRef(*kind, "shop", "a"), SERVER) is expected


def test_filters_of_clusters_do_not_match_an_unknown_one() -> None:
    found = settings_of({"resource.exclusions": [{"clusters": ["*"]}]})

    assert not found.excludes(ObjectRef("v1", "ConfigMap", "shop", "a"), None)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", True),
        ("--enable-helm", True),
        ("--load-restrictor LoadRestrictionsNone", False),
        ("--enable-helm --load-restrictor=LoadRestrictionsNone", False),
        ("--load-restrictor LoadRestrictionsRootOnly", True),
    ],
)
def test_one_option_of_kustomize_loads_files_from_elsewhere(options: str, expected: bool) -> None:
    assert has_load_restrictor({"kustomize.buildOptions": options}) is expected
    assert list(ignored_settings({"kustomize.buildOptions": options})) == []


@pytest.mark.parametrize(
    ("data", "differing", "expected"),
    [
        ({}, (), None),
        ({"kustomize.buildOptions": "--enable-helm"}, (), True),
        ({"kustomize.buildOptions": "--enable-alpha-plugins"}, (), False),
        ({"application.instanceLabelKey": "a"}, (), False),
        ({"controller.diff.server.side": "true"}, (), None),
        ({"application.instanceLabelKey": "a"}, ("kustomize.buildOptions",), None),
    ],
    ids=["unknown", "enabled", "other option", "other setting", "flag of a program", "several values"],
)
def test_a_setting_enables_charts_in_kustomize(
    data: JsonObject, differing: tuple[str, ...], expected: bool | None
) -> None:
    assert enables_helm(data, differing) is expected


@pytest.mark.parametrize(
    ("data", "is_same"),
    [
        ({"resource.customizations.ignoreDifferences.all": {"jsonPointers": ["/spec"]}}, True),
        ({"url": "https://argocd.example.com"}, True),
        ({"application.resourceTrackingMethod": "label"}, False),
        ({"resource.exclusions": [{"kinds": ["ConfigMap"]}]}, False),
        ({"kustomize.buildOptions": "--enable-helm"}, False),
    ],
)
def test_some_settings_change_objects_that_stay_the_same(data: JsonObject, is_same: bool) -> None:
    assert (object_settings(data) == object_settings({})) is is_same


def test_programs_and_plugins_are_named() -> None:
    data = {
        "kustomize.buildOptions": "--enable-helm --enable-alpha-plugins --enable-exec",
        "kustomize.path.v5": "/tmp/evil",
        "configManagementPlugins": "[]",
    }

    assert all(map(is_read, data))
    assert not is_read("oidc.config")
    assert list(ignored_settings(data)) == [
        "configManagementPlugins",
        "kustomize.path.v5",
        "kustomize.buildOptions --enable-alpha-plugins --enable-exec",
    ]


def test_settings_with_several_values_are_not_known() -> None:
    assert merged_data([{"a": "1", "b": "1"}, {"a": "1", "b": "2"}, {"c": []}]) == ({"a": "1", "c": []}, ("b",))


@pytest.mark.parametrize(
    ("data", "own", "expected"),
    [
        ({}, "", ""),
        ({}, "create-only", "create-only"),
        ({"policy": "sync"}, "create-only", "sync"),
        ({"policy": "sync", "enable.policy.override": "true"}, "create-only", "create-only"),
        ({"policy": "sync", "enable.policy.override": True}, "create-only", "create-only"),
        ({"policy": "sync", "enable.policy.override": "true"}, "", "sync"),
        ({"policy": "", "enable.policy.override": "false"}, "create-only", ""),
    ],
)
def test_the_controller_may_decide_the_policy_of_sets(data: JsonObject, own: str, expected: str) -> None:
    settings = {f"applicationsetcontroller.{key}": value for key, value in data.items()}

    assert all(map(is_read, settings))
    assert set_policy(settings, own) == expected


def test_flags_that_change_what_is_applied_are_named() -> None:
    data = {
        "controller.diff.server.side": True,
        "reposerver.enable.git.submodule": "false",
        "reposerver.allow.oob.symlinks": "false",
        "application.namespaces": "",
    }

    assert list(ignored_settings(data)) == ["controller.diff.server.side true", "reposerver.enable.git.submodule false"]
