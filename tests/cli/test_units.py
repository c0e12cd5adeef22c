"""Output for repositories that mean several applies."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.sources.repositories import Repo

Run = Callable[..., tuple[int, str, str]]

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: web, image: "nginx:1.27"}
"""
NEWER = WEB.replace("1.27", "1.28")


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_a_tree_is_examined_unit_by_unit(run: Run, folder: Path) -> None:
    write(folder, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB.replace("replicas: 1", "replicas: 5")})

    code, out, _ = run("check", "all", "--select", "same-object-twice-overwrites", "--against", "none")
    both, planned, _ = run("plan", "all", "--against", "none", "-o", "json")

    assert (code, both) == (0, 0)
    assert out.endswith("no findings in 2 objects\n")
    assert [unit["root"] for unit in json.loads(planned)["units"]] == ["dev", "prod"]


def test_one_apply_takes_everything_together(run: Run, folder: Path) -> None:
    write(folder, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": NEWER})

    _, out, _ = run("plan", "-R", "all", "--against", "none", "--one-apply", "-o", "json")

    assert json.loads(out)["units"] == []
    assert len(json.loads(out)["objects"]) == 1


def test_units_are_chosen_by_their_roots(run: Run, folder: Path) -> None:
    write(folder, {f"all/{name}/web.yaml": WEB for name in ("dev/a", "dev/b", "prod/a")})

    _, out, _ = run("plan", "all", "--unit", "dev/*", "--against", "none", "-o", "json")

    assert [unit["root"] for unit in json.loads(out)["units"]] == ["dev/a", "dev/b"]


@pytest.mark.parametrize("against", ["none", "dir:all"])
def test_a_root_that_no_unit_has_does_not_pass(run: Run, folder: Path, against: str) -> None:
    write(folder, {"all/dev/web.yaml": WEB})

    code, out, err = run("check", "all", "--unit", "prod", "--against", against)

    assert (code, out) == (2, "")
    assert "--unit prod: no unit has this root; applylint units lists them" in err


def test_the_configuration_says_how_a_unit_is_applied(run: Run, folder: Path) -> None:
    write(folder, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB})
    write(folder, {"all/.applylint.yaml": "units:\n- {path: prod, server-side: true, kubernetes-version: '1.30'}\n"})

    config = str(folder / "all/.applylint.yaml")
    _, out, _ = run("plan", "all", "--config", config, "--against", "none", "-o", "json")

    verdicts = {unit["root"]: [one["verdict"] for one in unit["objects"]] for unit in json.loads(out)["units"]}
    assert verdicts == {"dev": ["created"], "prod": ["serverside-applied"]}


def test_a_folder_is_compared_unit_by_unit(run: Run, folder: Path) -> None:
    """The rule that once failed over two environments in one run: pods-restart-for-nothing."""
    labelled = NEWER.replace("labels: {app: web}", "labels: {app: web, tier: a}")
    write(folder, {f"before/{name}/web.yaml": WEB for name in ("dev", "prod")})
    write(folder, {f"after/{name}/web.yaml": labelled for name in ("dev", "prod")})

    code, out, _ = run("check", "-R", "after", "--against", "dir:before")

    assert code == 0
    assert "failed" not in out


@pytest.mark.slow
def test_a_change_is_reported_for_each_environment(run: Run, repo: Repo) -> None:
    repo.commit({"dev/deploy.yaml": WEB, "prod/deploy.yaml": WEB.replace("replicas: 1", "replicas: 5")})
    repo.write({"dev/deploy.yaml": NEWER, "prod/deploy.yaml": NEWER.replace("replicas: 1", "replicas: 5")})

    code, out, _ = run("plan", "--against", "HEAD")
    checked, found, _ = run("check", "--against", "HEAD")

    assert (code, checked) == (0, 0)
    assert out.splitlines()[:4] == [
        "2 units: 2 restarted",
        "",
        "dev, prod (folder)",
        "dev/deploy.yaml:1:1, prod/deploy.yaml:1:1: deployment.apps/web in default: configured, its pods restart",
    ]
    assert out.count('"nginx:1.27" → "nginx:1.28"') == 1
    assert "replicas" not in out
    assert found == "2 units: no findings in 2 objects\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "is_found"),
    [
        ("{path: app}", True),
        ("{path: app, tool: flux, prune: false}", True),
        ("{path: app, tool: flux, prune: true}", False),
        ("{path: app, tool: argocd}", False),
    ],
)
def test_objects_removed_from_a_unit_are_no_finding_if_its_tool_prunes(
    run: Run, repo: Repo, entry: str, is_found: bool
) -> None:
    repo.commit({"app/web.yaml": WEB, "app/old.yaml": BLUE, ".applylint.yaml": f"units: [{entry}]\n"})
    repo.write({"app/old.yaml": None})

    _, found, _ = run("check", "--against", "HEAD")
    _, out, err = run("plan", "--against", "HEAD")

    assert ("object-left-files-stays" in found) is is_found
    assert "orphaned" in out
    assert ("deletes them if it prunes" in err) is not is_found


@pytest.mark.slow
def test_a_unit_says_who_applies_it(run: Run, repo: Repo) -> None:
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        "metadata: {name: apps, namespace: flux-system}\n"
        "spec: {path: ./apps, targetNamespace: shop, sourceRef: {kind: GitRepository, name: flux-system}}\n"
    )
    repo.commit({"clusters/apps.yaml": flux, "apps/web.yaml": WEB})
    repo.write({"apps/web.yaml": NEWER})

    _, out, _ = run("plan", "--against", "HEAD")

    assert out.startswith("apps (kustomization, applied by Flux, namespace shop): 1 restarted\n")
    assert "deployment.apps/web in shop: configured" in out


@pytest.mark.slow
def test_a_changed_chart_that_is_not_rendered_is_incomplete(
    run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(
        {"charts/shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "charts/shop/values.yaml": "a: 1\n"}
    )
    repo.write({"charts/shop/values.yaml": "a: 2\n"})
    monkeypatch.setattr("shutil.which", lambda name: None)

    code, out, _ = run("check", "--against", "HEAD")
    _, printed, _ = run("check", "--against", "HEAD", "-o", "json")
    (unit,) = json.loads(printed)["units"]

    assert code == 3
    assert "incomplete: 1 problem" in out
    assert "charts/shop/Chart.yaml: problem: not rendered: rendering a chart requires helm" in " ".join(out.split())
    assert (unit["root"], unit["compared"], unit["checked"]) == ("charts/shop", "no", 0)
    assert unit["reason"].startswith("not rendered: rendering a chart requires helm")


def test_units_are_listed(run: Run, folder: Path) -> None:
    kustomization = "resources:\n- web.yaml\n"
    write(folder, {"all/a/kustomization.yaml": kustomization, "all/a/web.yaml": WEB, "all/b/web.yaml": WEB})
    write(folder, {"all/ci/workflow.yaml": "on: push\n"})

    code, out, _ = run("units", "all")
    one, listed, _ = run("units", "all/b", "-o", "json")

    assert (code, one) == (0, 0)
    assert [line.split()[:3] for line in out.splitlines()[1:-1]] == [
        ["a", "kustomization", "kubectl"],
        ["b", "folder", "kubectl"],
    ]
    assert [unit["form"] for unit in json.loads(listed)["units"]] == ["folder"]


def test_a_path_that_is_not_there_has_no_units(run: Run) -> None:
    code, out, err = run("units", "gone")

    assert (code, out) == (3, "")
    assert err == 'applylint: gone: the path "gone" does not exist; check the spelling\n'


AUTOSCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 1
  maxReplicas: 5
"""


def test_findings_from_before_the_change_are_only_counted(run: Run, folder: Path) -> None:
    write(folder, {"before/web.yaml": WEB, "before/scale.yaml": AUTOSCALER})
    write(folder, {"after/web.yaml": NEWER, "after/scale.yaml": AUTOSCALER})

    code, out, _ = run("check", "after", "--against", "dir:before", "--select", "replicas-fight-autoscaler")
    known, listed, _ = run(
        "check", "after", "--against", "dir:before", "--select", "replicas-fight-autoscaler", "--show-known"
    )

    assert (code, out) == (
        0,
        "no findings in 1 object\n1 older finding is not listed (--show-known lists it)\n",
    )
    assert "[replicas-fight-autoscaler]" in listed
    assert known == 1 or "warning" in listed


def test_findings_that_the_change_fixes_are_counted(run: Run, folder: Path) -> None:
    write(folder, {"before/web.yaml": WEB, "before/scale.yaml": AUTOSCALER})
    write(folder, {"after/web.yaml": WEB.replace("  replicas: 1\n", ""), "after/scale.yaml": AUTOSCALER})

    chosen = ("check", "after", "--against", "dir:before", "--select", "replicas-fight-autoscaler")
    _, out, _ = run(*chosen)

    assert "this change fixes 1 finding\n" in out
    assert json.loads(run(*chosen, "-o", "json")[1])["fixed"] == 1


def test_a_finding_on_a_removed_object_is_not_fixed(run: Run, folder: Path) -> None:
    write(folder, {"before/web.yaml": WEB, "before/scale.yaml": AUTOSCALER, "after/scale.yaml": AUTOSCALER})

    _, out, _ = run("check", "after", "--against", "dir:before", "--select", "replicas-fight-autoscaler")

    assert "fixed" not in out


def _map(color: str) -> str:
    applied = json.dumps(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"color": color}}
    )
    live = {"name": "web", "namespace": "default", "annotations": {LAST_APPLIED: applied}}
    items = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": live, "data": {"color": color}}]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
BLUE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {color: blue}\n"
SNAPSHOTS = """\
units:
- {path: apps/dev, against: "snapshot:dev.json"}
- {path: apps/prod, against: "snapshot:prod.json"}
"""


def test_each_unit_may_have_a_snapshot_of_its_own(run: Run, repo: Repo) -> None:
    write(
        repo.folder,
        {"apps/dev/web.yaml": BLUE, "apps/prod/web.yaml": BLUE, "dev.json": _map("red"), ".applylint.yaml": SNAPSHOTS},
    )
    write(repo.folder, {"prod.json": _map("green")})

    _, out, err = run("plan", "apps", "-o", "json")

    changes = [change for one in json.loads(out)["objects"] for change in one["changes"]]
    assert [change["before"] for change in changes if change["path"] == "data.color"] == ["red", "green"]
    assert re.search(r"apps/dev: compared with snapshot .*dev.json", err)


def test_the_flag_against_overrides_that_of_units(run: Run, repo: Repo) -> None:
    write(repo.folder, {"apps/dev/web.yaml": BLUE, "dev.json": _map("red"), ".applylint.yaml": SNAPSHOTS})

    _, out, _ = run("plan", "apps", "--against", "none", "-o", "json")

    assert [one["verdict"] for one in json.loads(out)["objects"]] == ["created"]


@pytest.mark.parametrize(
    ("entry", "code", "words"),
    [
        ("against: main", 2, "units: against: git:main: a unit can be compared with live, none or snapshot:FILE"),
        ("against: 'snapshot:gone.json'", 3, "gone.json: problem: the path"),
        ("against: live, context: nowhere", 2, "--context: the context 'nowhere' does not exist"),
    ],
    ids=["revision", "no snapshot", "no context"],
)
def test_a_comparison_that_a_unit_cannot_have_is_reported(
    run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch, entry: str, code: int, words: str
) -> None:
    write(repo.folder, {"apps/web.yaml": BLUE, "mine.yaml": f"units: [{{path: apps, {entry}}}]\n"})
    monkeypatch.setenv("KUBECONFIG", str(repo.folder / "none"))

    found, _, err = run("plan", "apps", "--config", "mine.yaml")

    assert found == code
    assert words in err


def test_the_root_is_no_unit_beside_its_alternatives(run: Run, repo: Repo) -> None:
    write(repo.folder, {"one.yaml": BLUE, "two.yaml": BLUE})

    _, out, _ = run("plan", ".", "--against", "none", "-o", "json")

    assert [unit["root"] for unit in json.loads(out)["units"]] == ["one.yaml", "two.yaml"]


ROLE = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}]
"""


@pytest.mark.parametrize(("before", "found"), [({"app/web.yaml": WEB}, 1), ({"other/web.yaml": WEB}, 0)])
def test_rights_grow_only_where_something_was_applied_before(
    run: Run, repo: Repo, before: dict[str, str], found: int
) -> None:
    repo.commit(before)
    repo.write({"app/role.yaml": ROLE})

    _, out, _ = run("check", "--against", "HEAD", "--select", "role-grants-sensitive-rights", "-o", "json")

    assert len(json.loads(out)["findings"]) == found


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {repoURL: https://host/team/deploy, path: apps/web, targetRevision: v1.2.3}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
"""


@pytest.mark.parametrize("command", ["units", "plan", "check", "render"])
def test_a_target_revision_counts_as_the_files_here(run: Run, repo: Repo, command: str) -> None:
    repo.commit({"apps/web/web.yaml": WEB, "argocd/web.yaml": APPLICATION})
    repo.git("remote", "add", "origin", "https://host/team/deploy")
    against = () if command in ("units", "render") else ("--against", "none")

    def tools(*more: str) -> set[str]:
        _, out, _ = run(command, ".", *against, *more, "-o", "json")
        return {unit["tool"] for unit in json.loads(out)["units"] if unit["root"] == "apps/web"}

    assert tools() == tools("--target-revision", "v1.2.4") == {"kubectl"}
    assert tools("--target-revision", "v1.2.3") == {"argocd"}


def test_a_change_of_another_revision_is_compared_if_it_is_named(run: Run, repo: Repo) -> None:
    repo.commit({"apps/web/web.yaml": WEB, "argocd/web.yaml": APPLICATION})
    repo.git("remote", "add", "origin", "https://host/team/deploy")
    repo.commit({"apps/web/web.yaml": NEWER})

    _, _, err = run("plan", "--against", "HEAD~1")
    _, out, _ = run("plan", "--against", "HEAD~1", "--target-revision", "v1.2.3", "-o", "json")

    assert "it applies tag v1.2.3; --target-revision REF compares those that apply REF" in err
    assert [unit["tool"] for unit in json.loads(out)["units"]] == ["argocd"]


def test_more_detail_names_what_is_not_a_unit(run: Run, repo: Repo) -> None:
    repo.commit({"apps/web/web.yaml": WEB, "argocd/web.yaml": APPLICATION})
    repo.git("remote", "add", "origin", "https://host/team/deploy")

    _, short, _ = run("units", ".")
    _, long, _ = run("units", ".", "-v")
    assert long == f"{short}\ndeclared\n  Application argocd/web (argocd/web.yaml:5): it applies tag v1.2.3\n"


def test_the_changed_one_of_applications_with_one_name_is_compared(run: Run, repo: Repo) -> None:
    text = APPLICATION.replace("path: apps/web, targetRevision: v1.2.3", "chart: web, targetRevision: 1.0.0")
    repo.commit({"a/web.yaml": text, "b/web.yaml": text})
    repo.commit({"a/web.yaml": text.replace("1.0.0", "1.0.1")})

    code, out, _ = run("plan", "--against", "HEAD~1")
    assert code == 3
    assert "Application/argocd/web is not rendered: chart https://host/team/deploy web 1.0.1 is not in the store" in out


def test_two_applications_of_one_name_are_both_compared(run: Run, repo: Repo) -> None:
    text = APPLICATION.replace("path: apps/web, targetRevision: v1.2.3", "chart: web, targetRevision: 1.0.0")
    repo.commit({"a/web.yaml": text, "b/web.yaml": text})
    repo.commit({"a/web.yaml": text.replace("1.0.0", "1.0.1"), "b/web.yaml": text.replace("1.0.0", "1.0.2")})

    code, out, _ = run("plan", "--against", "HEAD~1", "-o", "json")
    found = {(unit["cluster"], unit["root"]) for unit in json.loads(out)["units"]}
    assert code == 3
    assert {("a", "Application/argocd/web"), ("b", "Application/argocd/web")} <= found
    assert "web 1.0.1 is not in the store" in out
    assert "web 1.0.2 is not in the store" in out


def test_an_application_with_new_options_is_the_same_unit(run: Run, repo: Repo) -> None:
    text = APPLICATION.replace("v1.2.3", "HEAD")
    repo.git("remote", "add", "origin", "https://host/team/deploy")
    repo.commit({"apps/web/web.yaml": WEB, "argocd/web.yaml": text})
    repo.commit({"argocd/web.yaml": text.replace("HEAD", "HEAD, directory: {include: '*.yaml'}")})

    _, out, _ = run("plan", "--against", "HEAD~1", "-o", "json")
    found = json.loads(out)
    assert ("Application/argocd/web", "yes") in {(unit["root"], unit["compared"]) for unit in found["units"]}
    assert [one["kind"] for one in found["objects"]] == ["Application"]


SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  syncPolicy: {%s}
  generators: [{list: {elements: [%s]}}]
  template:
    metadata: {name: '{{app}}'}
    spec:
      source: {repoURL: https://host/team/deploy, path: 'apps/{{app}}', targetRevision: HEAD}
      destination: {server: https://kubernetes.default.svc, namespace: shop}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "verdict"),
    [("", "pruned"), ("preserveResourcesOnDeletion: true", "kept"), ("applicationsSync: create-only", "kept")],
)
def test_an_application_that_a_set_no_longer_generates_deletes_its_objects(
    run: Run, repo: Repo, policy: str, verdict: str
) -> None:
    repo.git("remote", "add", "origin", "https://host/team/deploy")
    repo.commit(
        {"apps/a/web.yaml": WEB, "apps/b/web.yaml": WEB, "argocd/set.yaml": SET % (policy, "{app: a}, {app: b}")}
    )
    repo.git("rm", "-q", "-r", "apps/b")
    repo.commit({"argocd/set.yaml": SET % (policy, "{app: a}")})

    _, out, _ = run("plan", "--against", "HEAD~1", "-o", "json")
    assert {one["verdict"] for one in json.loads(out)["objects"] if one["kind"] != "ApplicationSet"} == {verdict}
