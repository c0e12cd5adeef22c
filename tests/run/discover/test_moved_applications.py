"""Applications that apply the same files otherwise than before: elsewhere, or under another project."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.outcome import Verdict
from tests.run.running import DIR, plan, runs, write

APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  project: team
  source: {path: web%s}
  destination: {name: %s, namespace: %s}
  syncPolicy: {automated: {prune: true}}
"""
PROJECT = """
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: team, namespace: argocd}
spec:
  sourceRepos: ["*"]
  destinations: [{server: "*", namespace: "%s"}]
  clusterResourceWhitelist: [{group: "*", kind: "*"}]
"""
OBJECTS = """
apiVersion: v1
kind: ConfigMap
metadata: {name: default}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: own, namespace: own}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: role}
rules: []
"""
AUTO = Flags(asked=AskedApplier(None))
BUILT = ", directory: {exclude: none.yaml}"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)


def write_side(folder: str, application: str = "", project: str = "*", objects: str = OBJECTS) -> None:
    files = {"argo/application.yaml": application, "argo/project.yaml": PROJECT % project, "web/objects.yaml": objects}
    write(Path(folder), {path: text for path, text in files.items() if text})


def verdicts() -> dict[str, str]:
    """Return what a plan says of each object of the path of the Application, unchanged ones left out."""
    found = plan(runs(against=DIR, flags=AUTO)).outcomes
    every = [(one.ref, outcome.verdict) for one, outcome in found if one.ref.group != "argoproj.io"]
    changed = [(ref, verdict) for ref, verdict in every if verdict is not Verdict.UNCHANGED]
    return {f"{ref.namespace}/{ref.name}".lstrip("/"): str(verdict) for ref, verdict in changed}


@pytest.mark.parametrize("options", ["", BUILT], ids=["as the layout has it", "built"])
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, ("in-cluster", "shop"), {"shop/default": "created", "own/own": "created", "role": "created"}),
        (
            ("in-cluster", "shop"),
            ("in-cluster", "prod"),
            {"shop/default": "pruned", "prod/default": "created", "role": "configured"},
        ),
        (("in-cluster", "shop"), ("in-cluster", "shop"), {}),
    ],
    ids=["new", "another namespace", "the same"],
)
def test_an_application_applies_files_that_are_the_same(
    before: tuple[str, str] | None, after: tuple[str, str], expected: dict[str, str], options: str
) -> None:
    write_side("before", APPLICATION % (options, *before) if before else "")
    write_side("all", APPLICATION % (options, *after))

    assert verdicts() == expected


@pytest.mark.parametrize("options", ["", BUILT], ids=["as the layout has it", "built"])
def test_objects_of_another_cluster_are_created_and_the_former_ones_stay(options: str) -> None:
    write_side("before", APPLICATION % (options, "in-cluster", "shop"))
    write_side("all", APPLICATION % (options, "prod", "shop"))
    found = plan(runs(against=DIR, flags=AUTO)).outcomes

    assert sorted(str(outcome.verdict) for one, outcome in found if one.ref.name == "default") == ["created", "kept"]


@pytest.mark.parametrize("options", ["", BUILT], ids=["as the layout has it", "built"])
def test_a_project_that_is_narrowed_rejects_what_it_permitted(options: str) -> None:
    for folder, project in (("before", "*"), ("all", "other")):
        write_side(folder, APPLICATION % (options, "in-cluster", "shop"), project)

    assert verdicts() == {"shop/default": "rejected", "own/own": "rejected", "role": "rejected"}


def test_a_project_that_permits_more_changes_nothing() -> None:
    for folder, project in (("before", "shop"), ("all", "*")):
        write_side(
            folder,
            APPLICATION % ("", "in-cluster", "shop"),
            project,
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: default}\n",
        )

    assert verdicts() == {}


FINALIZER = "metadata: {name: web, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io]}"


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (FINALIZER, {"default": ["created", "pruned"], "own": ["created", "pruned"], "role": ["created", "pruned"]}),
        ("metadata: {name: web, namespace: argocd}", {}),
    ],
    ids=["deletes its objects", "leaves its objects"],
)
@pytest.mark.parametrize("options", ["", BUILT], ids=["as the layout has it", "built"])
def test_a_renamed_application_may_delete_its_objects(
    metadata: str, expected: dict[str, list[str]], options: str
) -> None:
    named = APPLICATION.replace("metadata: {name: web, namespace: argocd}", metadata) % (options, "in-cluster", "shop")
    root = APPLICATION.replace("path: web", "path: argo").replace("name: web", "name: root") % ("", "in-cluster", "")
    for folder, text in (("before", named), ("all", named.replace("name: web", "name: site"))):
        write_side(folder, text)
        write(Path(folder), {"root.yaml": root})
    found = [(one.ref, outcome.verdict) for one, outcome in plan(runs(against=DIR, flags=AUTO)).outcomes]
    names = {ref.name for ref, verdict in found if ref.group != "argoproj.io" and verdict is not Verdict.UNCHANGED}

    assert {name: sorted(str(verdict) for ref, verdict in found if ref.name == name) for name in names} == expected


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("application.resourceTrackingMethod: label", ["own/own", "role", "shop/default"]),
        ("url: https://argocd.example.com", []),
    ],
)
@pytest.mark.parametrize("options", ["", BUILT], ids=["as the layout has it", "built"])
def test_changed_settings_of_argo_cd_may_change_all_objects(setting: str, expected: list[str], options: str) -> None:
    settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata: {%s}\n"
    for folder, data in (("before", ""), ("all", setting)):
        write_side(folder, APPLICATION % (options, "in-cluster", "shop"))
        write(Path(folder), {"argo/settings.yaml": settings % data})

    assert sorted(name for name in verdicts() if "argocd-cm" not in name) == expected


@pytest.mark.parametrize("path", ["web", "other"], ids=["the same path", "another path"])
def test_another_path_is_compared_with_the_former_one(path: str) -> None:
    application = APPLICATION % ("", "in-cluster", "shop")
    kept, *rest = OBJECTS.split("---")
    for folder, text in (("before", application), ("all", application.replace("path: web", f"path: {path}"))):
        write_side(folder, text)
        write(Path(folder), {"other/objects.yaml": "---".join([kept, rest[0].replace("name: own", "name: new")])})
    expected = {"own/own": "pruned", "role": "pruned", "own/new": "created"} if path == "other" else {}

    assert verdicts() == expected


@pytest.mark.parametrize(
    ("policy", "changed"),
    [
        ("{automated: {prune: true, selfHeal: true}, retry: {limit: 5}}", []),
        ("{syncOptions: [FailOnSharedResource=true]}", []),
        ("{syncOptions: [ServerSideApply=true]}", ["own/own", "role", "shop/default"]),
    ],
    ids=["when a sync starts", "same requests", "other requests"],
)
@pytest.mark.parametrize("options", ["", BUILT], ids=["as the layout has it", "built"])
def test_objects_that_are_the_same_are_applied_with_changed_options(
    policy: str, changed: list[str], options: str
) -> None:
    before = APPLICATION % (options, "in-cluster", "shop")
    write_side("before", before)
    write_side("all", before.replace("{automated: {prune: true}}", policy))
    found = runs(against=DIR, flags=AUTO)
    roots = [run.unit.root for run in found.each if run.unit and run.unit.applied.tool == "argocd"]

    assert sorted(verdicts()) == changed
    assert roots == ["Application/argocd/web" if options else "web"]
