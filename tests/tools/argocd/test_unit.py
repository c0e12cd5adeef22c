"""Units that an Application of Argo CD applies."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.compare.live_source import no_live_source
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.sources.cluster.read_results import Objects, States
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.ignores import IgnoreRule
from kubectl_applylint.tools.argocd.program import sorted_documents
from kubectl_applylint.tools.argocd.projects import AppProject
from kubectl_applylint.tools.argocd.settings import settings_of
from kubectl_applylint.tools.argocd.unit import (
    UNIT_PROGRAM,
    SyncedUnit,
    not_predicted,
    sync_of,
    tracking_candidates,
    unsearched_kinds,
)
from kubectl_applylint.units.model import Applied, Form, Unit
from tests.engine.test_set_apply import config
from tests.rules.stories import document
from tests.run.compare.test_history import settings
from tests.run.running import load_units, plan
from tests.sources.repositories import Repo, create
from tests.tools.helm.test_unit import managers
from tests.tools.kapp.test_unit import read

APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {path: shop}
  destination: {namespace: shop}
  syncPolicy: {automated: {prune: true}, syncOptions: [NewOption=true]}
"""
HOOK = settings("hook").replace("name: hook", "name: hook, annotations: {argocd.argoproj.io/hook: PreSync}")
BEFORE = {
    "apps/shop.yaml": APPLICATION,
    "shop/one.yaml": settings("one"),
    "shop/two.yaml": settings("two"),
    "plain/three.yaml": settings("three"),
}


def unit(*options: str, prunes: bool = False) -> SyncedUnit:
    sync = ArgoSync(ArgoApplication("web", "shop", frozenset(options)), prunes=prunes)
    hook = {**config("h"), "metadata": {"name": "h", "annotations": {"argocd.argoproj.io/hook": "SyncFail"}}}
    return sync, [document(config("c")), *([document(hook)] if options else [])]


def test_an_application_says_how_it_is_synced() -> None:
    policy: JsonObject = {"automated": {"prune": True}, "syncOptions": ["ServerSideApply=true", 1]}
    spec: JsonObject = {"destination": {"namespace": "shop"}, "syncPolicy": policy}
    key = "argocd.argoproj.io/client-side-apply-migration-manager"
    application = ArgoApplication("web", "shop", frozenset({"ServerSideApply=true"}))
    named: JsonObject = {"name": "web"}

    assert sync_of({"metadata": named, "spec": spec}) == ArgoSync(application, prunes=True)
    assert sync_of({"metadata": {**named, "annotations": {key: "helm"}}, "spec": spec}).application.migrated == "helm"
    assert sync_of({"metadata": named}) == ArgoSync(ArgoApplication("web", ""))
    templated = sync_of({"metadata": named, "spec": {"destination": {"namespace": "{{ns}}"}}})
    assert templated == ArgoSync(ArgoApplication("web", ""))


def test_one_of_several_sources_does_not_determine_pruning() -> None:
    policy: JsonObject = {"automated": {"prune": True}}
    chart: JsonObject = {"chart": "nginx", "repoURL": "https://charts.example.com"}
    own: JsonObject = {"path": "web", "kustomize": {"images": ["a"]}, "directory": {"recurse": True, "exclude": "b"}}
    values: JsonObject = {"ref": "values", "repoURL": "https://example.com/values.git"}
    spec: JsonObject = {"sources": [own, values, chart], "syncPolicy": policy}
    named: JsonObject = {"name": "web"}
    sync = sync_of({"metadata": named, "spec": spec})
    found = UNIT_PROGRAM.recorded(Applier.ARGOCD, sync, no_live_source(), read())
    alone = UNIT_PROGRAM.recorded(Applier.ARGOCD, replace(sync, is_partial=False), no_live_source(), read())

    assert (sync.is_partial, sync.unpredicted) == (True, ("directory.exclude", "kustomize"))
    assert not sync_of({"metadata": named, "spec": {**spec, "sources": [own, values]}}).is_partial
    assert found.policy == replace(sync, prunes=False)
    assert [problem.message for problem in found.problems] == [
        "what it prunes is not known: other sources make objects, too"
    ]
    assert (alone.policy, alone.problems) == (replace(sync, is_partial=False), ())
    assert list(not_predicted([(sync, ())])) == [
        "Application web: a source in another repository is not predicted; run applylint fetch",
        "Application web: fields of sources that are not predicted: directory.exclude, kustomize",
    ]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"kustomize": {}, "directory": {"jsonnet": {}}}, ()),
        ({"kustomize": {"images": []}, "directory": {"recurse": True}}, ()),
        ({"plugin": {}}, ("plugin",)),
        ({"directory": {"jsonnet": {"tlas": [{"name": "a"}]}}}, ("directory.jsonnet",)),
    ],
)
def test_empty_settings_of_sources_have_no_effect(settings: JsonObject, expected: tuple[str, ...]) -> None:
    sync = sync_of({"metadata": {"name": "web"}, "spec": {"source": {"path": "web", **settings}}})

    assert sync.unpredicted == expected


def test_options_that_are_not_predicted_and_hooks_are_named() -> None:
    assert list(not_predicted([unit(), unit("NewOption=true", "ServerSideApply=true")])) == [
        "Application web: sync options that are not predicted: NewOption=true",
        "Application web: hooks that no successful sync runs are left out: configmap/h",
    ]


def test_ignored_differences_are_read_and_unsupported_expressions_are_named() -> None:
    rules: Json = [
        {"group": "apps", "kind": "Deployment", "name": "web", "jsonPointers": ["/spec/replicas"]},
        {
            "kind": "ConfigMap",
            "namespace": "shop",
            "jqPathExpressions": [".data | keys"],
            "managedFieldsManagers": ["m"],
        },
        1,
    ]
    policy: JsonObject = {"syncOptions": ["RespectIgnoreDifferences=true"]}
    named: JsonObject = {"name": "web"}
    sync = sync_of({"metadata": named, "spec": {"ignoreDifferences": rules, "syncPolicy": policy}})
    compared = sync_of({"metadata": named, "spec": {"ignoreDifferences": rules}})

    assert sync.application.ignored == (
        IgnoreRule("apps", "Deployment", "web", pointers=("/spec/replicas",)),
        IgnoreRule("", "ConfigMap", namespace="shop", expressions=(".data | keys",), managers=("m",)),
        IgnoreRule(),
    )
    assert list(not_predicted([(sync, ()), (compared, ())])) == [
        "Application web: jqPathExpressions that are not predicted: .data | keys"
    ]


TEAM: JsonObject = {"metadata": {"name": "web", "namespace": "argocd"}, "spec": {"project": "team"}}
PROJECT = ObjectRef("argoproj.io/v1alpha1", "AppProject", "argocd", "team")
ARGO_SETTINGS = ObjectRef("v1", "ConfigMap", "argocd", "argocd-cm")
LIVE_PROJECT = Present({"metadata": {"name": "team"}, "spec": {"sourceRepos": ["*"]}})


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ({PROJECT: LIVE_PROJECT, ARGO_SETTINGS: Absent()}, (AppProject("team", {"sourceRepos": ["*"]}),)),
        ({PROJECT: LIVE_PROJECT, ARGO_SETTINGS: Present({"data": {"globalProjects": "[]"}})}, ()),
        ({PROJECT: LIVE_PROJECT, ARGO_SETTINGS: Unknown("no rights")}, ()),
        ({PROJECT: Absent(), ARGO_SETTINGS: Absent()}, ()),
    ],
    ids=["project", "merged projects", "unknown settings", "no project"],
)
def test_the_project_of_a_cluster_is_asked(
    states: dict[ObjectRef, Knowledge], expected: tuple[AppProject, ...]
) -> None:
    source = replace(no_live_source(), states=lambda refs, kinds: States({ref: states[ref] for ref in refs}, ()))
    unit = Unit("web", Form.FOLDER, frozenset(), Applied(tool="argocd", tool_object=TEAM))
    sync = UNIT_PROGRAM.unit_of(Applier.ARGOCD, BY_ARGOCD, unit, "")

    assert sync is not None
    policy = UNIT_PROGRAM.recorded(Applier.ARGOCD, sync, source, read()).policy
    assert isinstance(policy, ArgoSync)
    assert policy.permissions.projects == expected


def test_the_settings_of_a_cluster_are_asked() -> None:
    data = {"resource.customizations.ignoreDifferences.all": "jsonPointers: [/spec]", "dex.config": "x"}
    states: dict[ObjectRef, Knowledge] = {PROJECT: Absent(), ARGO_SETTINGS: Present({"data": data})}
    source = replace(no_live_source(), states=lambda refs, kinds: States({ref: states[ref] for ref in refs}, ()))
    unit = Unit("web", Form.FOLDER, frozenset(), Applied(tool="argocd", tool_object=TEAM))
    sync = UNIT_PROGRAM.unit_of(Applier.ARGOCD, BY_ARGOCD, unit, "")

    assert sync is not None
    policy = UNIT_PROGRAM.recorded(Applier.ARGOCD, sync, source, read()).policy
    assert isinstance(policy, ArgoSync)
    assert policy.application.ignored == (IgnoreRule("*", "*", pointers=("/spec",)),)


NAMESPACE = ObjectRef("v1", "Namespace", "", "shop")


@pytest.mark.parametrize(
    ("state", "managed", "expected"),
    [
        (Absent(), {}, ["shop"]),
        (Present({}), {}, []),
        (Present({}), {"managedNamespaceMetadata": {"labels": {"a": "b"}}}, ["shop"]),
        (Unknown("no access"), {}, []),
    ],
    ids=["absent", "present", "managed", "unknown"],
)
def test_the_namespace_of_an_application_is_made_if_a_cluster_has_none(
    state: Knowledge, managed: JsonObject, expected: list[str]
) -> None:
    policy = {"syncOptions": ["CreateNamespace=true"], **managed}
    item = {"metadata": {"name": "web"}, "spec": {"destination": {"namespace": "shop"}, "syncPolicy": policy}}
    source = replace(no_live_source(), states=lambda refs, kinds: States({NAMESPACE: state}, ()))
    unit = Unit("web", Form.FOLDER, frozenset(), Applied(tool="argocd", tool_object=item))
    sync = UNIT_PROGRAM.unit_of(Applier.ARGOCD, BY_ARGOCD, unit, "")

    assert sync is not None
    found = UNIT_PROGRAM.recorded(Applier.ARGOCD, sync, source, read())
    assert [one.ref.name for one in found.here if one.ref == NAMESPACE] == expected
    assert isinstance(found.policy, ArgoSync)
    assert found.policy.application.made_namespace == "".join(expected)


def test_kinds_that_are_excluded_are_named() -> None:
    lease = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "l", "namespace": "shop"}}
    sync, documents = unit()
    sync = replace(sync, application=replace(sync.application, settings=settings_of({})))

    assert list(not_predicted([(sync, [*documents, document(lease)])])) == [
        "Application web: Argo CD is set to exclude kinds of its objects: lease.coordination.k8s.io/l"
    ]
    assert [one.ref.name for one in sorted_documents(sync, [*documents, document(lease)])] == ["c"]


def test_a_cluster_is_not_asked_for_all_kinds() -> None:
    live = replace(no_live_source(), origin="the cluster")

    assert [*unsearched_kinds([unit(prunes=True)], live)] == [
        "Applications: what left them is looked for among common kinds and those of their files"
    ]
    assert [*unsearched_kinds([unit()], live)] == []
    assert [*unsearched_kinds([unit(prunes=True)], replace(live, age_seconds=0))] == []


WEB = ObjectRef("v1", "ConfigMap", "shop", "web")


def test_common_kinds_and_those_of_the_set_are_read_for_an_application() -> None:
    source = replace(
        no_live_source(),
        of_kinds=lambda words, namespaces: Objects(tuple({"kind": word} for word in (*words, *sorted(namespaces))), ()),
    )
    sync = ArgoSync(ArgoApplication("web", "there"))
    asked = [
        item["kind"]
        for item in tracking_candidates(source, sync, [WEB, ObjectRef("example.com/v1", "Widget", "", "w")]).objects
    ]

    assert asked[0] == "ConfigMap"
    assert asked[-4:] == ["Widget.example.com", "", "shop", "there"]
    assert asked.count("ConfigMap") == 1


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Two folders; Argo CD applies one of them."""
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    monkeypatch.chdir(repo.folder)
    return repo


BY_ARGOCD = AskedApplier(Applier.ARGOCD)


def plan_change(asked: AskedApplier | None = BY_ARGOCD) -> tuple[LoadedUnits, dict[str, Outcome]]:
    """Return the runs of a plan against the last commit, and the verdict of each object by its name."""
    request = Request(files=(".",), flags=Flags(asked=asked), against=Against(AgainstKind.GIT, "HEAD"))
    runs = load_units(request)
    return runs, {outcome.ref.name: outcome for _, outcome in plan(runs).outcomes}


@pytest.mark.slow
def test_argocd_prunes_removed_files_of_its_folder_and_kubectl_applies_the_others(repo: Repo) -> None:
    repo.write({"shop/one.yaml": settings("one", "c"), "plain/three.yaml": settings("three", "c"), "shop/h.yaml": HOOK})
    repo.write({"shop/two.yaml": None})
    runs, found = plan_change()

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {
        "one": "configured",
        "two": "pruned",
        "three": "configured",
        "hook": "created",
    }
    assert managers(found["one"]) == {"argocd-controller"}
    assert managers(found["three"]) == {"kubectl-client-side-apply"}
    assert runs.notes[0].startswith("predicted as applied by Argo CD; ")
    assert runs.notes[1].startswith("Application shop: sync options that are not predicted: NewOption")
    assert found["hook"].warnings[-1].startswith("hook of Argo CD: it runs before all other objects (PreSync); ")


@pytest.mark.slow
def test_an_object_that_cannot_be_read_stops_the_whole_sync(repo: Repo) -> None:
    broken = settings("two").replace("name: two", "name: two, labels: {a: 1}")
    repo.write({"shop/one.yaml": settings("one", "c"), "shop/two.yaml": broken})
    runs, found = plan_change()

    assert [cause.message for cause in found["one"].errors] == [
        "not reached: Argo CD stops at configmap/two, which it cannot read"
    ]
    assert "unable to decode" in runs.problems[0].message


@pytest.mark.slow
def test_without_the_flag_kubectl_applies_what_argocd_does(repo: Repo) -> None:
    repo.write({"shop/one.yaml": settings("one", "c"), "shop/two.yaml": None})
    runs, found = plan_change(None)

    assert (managers(found["one"]), found["two"].verdict.value) == ({"kubectl-client-side-apply"}, "kept")
    assert not any("Argo" in note for note in runs.notes)


@pytest.mark.slow
def test_a_wave_that_fails_keeps_argocd_from_applying_the_next(repo: Repo) -> None:
    late = settings("two", "c").replace("name: two", "name: two, annotations: {argocd.argoproj.io/sync-wave: '1'}")
    repo.write({"shop/one.yaml": settings("one").replace("  a:", "  a b:"), "shop/two.yaml": late})
    _, found = plan_change()

    assert {name: outcome.verdict.value for name, outcome in found.items()} == dict.fromkeys(("one", "two"), "rejected")
    assert [cause.message for cause in found["two"].errors] == ["not reached: Argo CD stops at configmap/one"]


@pytest.mark.slow
def test_tracked_objects_of_a_snapshot_without_a_manifest_are_pruned(repo: Repo) -> None:
    tracked = ArgoApplication("shop", "shop").with_tracking(config("left"))
    (repo.folder / "snapshot.json").write_text(
        json.dumps({"apiVersion": "v1", "kind": "List", "items": [tracked, config("other")]})
    )
    request = Request(files=("shop", "apps"), flags=Flags(asked=BY_ARGOCD))
    runs = load_units(request, in_snapshot("snapshot.json"))
    found = {outcome.ref.name: outcome.verdict.value for _, outcome in plan(runs).outcomes}

    assert (found["left"], found["one"]) == ("pruned", "created")
    assert "other" not in found
    assert runs.notes[0].startswith("Application shop: sync options that are not predicted")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "verdict", "methods"),
    [
        ("BeforeHookCreation", "configured", ["DELETE", "POST"]),
        ("HookFailed", "configured", ["PATCH"]),
        ("HookSucceeded", "created", ["POST"]),
    ],
)
def test_a_changed_hook_is_predicted_by_its_delete_policy(
    repo: Repo, policy: str, verdict: str, methods: list[str]
) -> None:
    hook = HOOK.replace("PreSync", f"PreSync, argocd.argoproj.io/hook-delete-policy: {policy}")
    repo.commit({"shop/h.yaml": hook})
    repo.write({"shop/h.yaml": hook.replace("a: b", "a: c")})
    runs, found = plan_change()

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {"hook": verdict}
    assert [write.method for write in found["hook"].requests] == methods
    assert "Application shop: only hooks change, which does not start an automated sync" in runs.notes


@pytest.mark.slow
def test_hooks_that_did_not_change_are_no_changes_of_a_cluster(repo: Repo) -> None:
    once = HOOK.replace("name: hook,", "name: once,").replace(
        "PreSync", "PreSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded"
    )
    repo.write({"shop/h.yaml": HOOK, "shop/once.yaml": once})
    item = json.loads(json.dumps({**config("hook"), "data": {"a": "b"}}))
    item["metadata"]["annotations"] = {"argocd.argoproj.io/hook": "PreSync"}
    live = ArgoApplication("shop", "shop").with_tracking(item)
    (repo.folder / "snapshot.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [live]}))
    request = Request(files=("shop",), flags=Flags(asked=BY_ARGOCD))
    runs = load_units(request, in_snapshot("snapshot.json"))
    found = {outcome.ref.name: outcome.verdict.value for _, outcome in plan(runs).outcomes}

    assert (found["hook"], found["once"], found["one"]) == ("unchanged", "unchanged", "created")
    note = "Application shop: hooks that each sync creates, whether or not they changed: configmap/once"
    assert note in runs.notes


@pytest.mark.slow
def test_a_hook_with_a_generated_name_is_created(repo: Repo) -> None:
    hook = HOOK.replace("name: hook,", "generateName: hook-,")
    repo.commit({"shop/h.yaml": hook})
    repo.write({"shop/h.yaml": hook.replace("a: b", "a: c")})
    _, found = plan_change()

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {"hook-0000000-presync-0": "created"}
