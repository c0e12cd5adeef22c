"""Settings of HelmReleases; names and namespaces are compared with the library in ``tests/fidelity``."""

import pytest

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.flux.helm_release import (
    DefinitionsPolicy,
    HelmReleaseSettings,
    PostRenderer,
    PostRenderStrategy,
    ReleaseAction,
    ServerSideApply,
    release_settings,
    shorten_name,
)


def settings(name: str = "shop", namespace: str = "apps", **spec: Json) -> HelmReleaseSettings:
    release = {"metadata": {"name": name, "namespace": namespace}, "spec": spec}
    return release_settings(ref_of(release), release)


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ({}, ("shop", "apps", "apps")),
        ({"targetNamespace": "prod"}, ("prod-shop", "prod", "apps")),
        ({"targetNamespace": "prod", "releaseName": "web"}, ("web", "prod", "apps")),
        ({"storageNamespace": "records"}, ("shop", "apps", "records")),
        ({"releaseName": "x" * 54}, (f"{'x' * 40}-45f316e10b2c", "apps", "apps")),
    ],
)
def test_names(spec: dict[str, Json], names: tuple[str, str, str]) -> None:
    found = settings(**spec)

    assert (found.name, found.namespace, found.storage_namespace) == names


def test_a_release_without_a_namespace_is_in_the_default_one() -> None:
    assert settings(namespace="").namespace == "default"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("x" * 53, "x" * 53),
        ("release-name-that-is-longer-than-fifty-three-characters", "release-name-that-is-longer-than-fifty-t-"),
    ],
)
def test_long_names_end_with_a_digest(name: str, short: str) -> None:
    assert shorten_name(name).startswith(short)
    assert len(shorten_name(name)) == 53


def test_defaults() -> None:
    found = settings()

    assert (found.install.server_side, found.upgrade.server_side) == (ServerSideApply.ENABLED, ServerSideApply.AUTO)
    assert found.install.definitions is found.upgrade.definitions is DefinitionsPolicy.CREATE
    assert found.post_render_strategy is PostRenderStrategy.COMBINED
    assert (found.drift_mode, found.drift_ignored, found.is_forced) == ("disabled", (), False)


def test_all_settings() -> None:
    ignored = {"paths": ["/spec/replicas"], "target": {"kind": "Deployment"}}
    kustomize = {"patches": [{"patch": "[]"}], "images": [{"name": "web"}]}
    found = settings(
        suspend=True,
        targetNamespace="prod",
        install={"crds": "Skip", "disableHooks": True, "createNamespace": True, "serverSideApply": False},
        upgrade={
            "crds": "CreateReplace",
            "disableSchemaValidation": True,
            "force": True,
            "preserveValues": True,
            "serverSideApply": "disabled",
        },
        commonMetadata={"labels": {"a": "b"}, "annotations": {"c": "d"}},
        postRenderers=[{}, {"kustomize": kustomize}],
        postRenderStrategy="nohooks",
        driftDetection={"mode": "enabled", "ignore": [ignored]},
    )

    assert found == HelmReleaseSettings(
        found.owner,
        "prod-shop",
        "prod",
        "apps",
        is_suspended=True,
        install=ReleaseAction(DefinitionsPolicy.SKIP, has_hooks=False, server_side=ServerSideApply.DISABLED),
        upgrade=ReleaseAction(
            DefinitionsPolicy.CREATE_REPLACE, validates_values=False, server_side=ServerSideApply.DISABLED
        ),
        is_forced=True,
        keeps_values=True,
        creates_namespace=True,
        common_labels=(("a", "b"),),
        common_annotations=(("c", "d"),),
        post_renderers=(PostRenderer(({"patch": "[]"},), ({"name": "web"},)),),
        post_render_strategy=PostRenderStrategy.NO_HOOKS,
        drift_mode="enabled",
        drift_ignored=(ignored,),
    )


def test_metadata() -> None:
    found = settings(
        commonMetadata={"labels": {"a": "b", "helm.toolkit.fluxcd.io/name": "x"}, "annotations": {"c": "d"}}
    )
    own = {"helm.toolkit.fluxcd.io/name": "shop", "helm.toolkit.fluxcd.io/namespace": "apps"}
    item = {"kind": "Service", "metadata": {"name": "web", "labels": {"a": "x", "z": "1"}}}

    assert found.with_metadata(item)["metadata"] == {
        "name": "web",
        "labels": {"a": "b", "z": "1", **own},
        "annotations": {"c": "d"},
    }
    assert found.with_labels(item)["metadata"] == {"name": "web", "labels": {"a": "x", "z": "1", **own}}
    assert settings().with_metadata({"kind": "Service"}) == {"kind": "Service", "metadata": {"labels": own}}
