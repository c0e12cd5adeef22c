"""Kustomizations of Flux whose source names another branch, tag or commit of the repository."""

import os
import shutil
from pathlib import Path

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.discover.other_revisions import revision_note, unread_problem
from kubectl_applylint.run.sides.side import GIT_ADVICE
from kubectl_applylint.units.model import Applied, Form, Reason, Unit
from tests.run.running import plan, runs
from tests.sources.repositories import Repo, create

needs_kustomize = pytest.mark.skipif(
    not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here"
)
KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: flux-system}
spec: {prune: true, path: ./apps, sourceRef: {kind: GitRepository, name: apps}}
"""


def source(reference: str) -> str:
    return f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {{name: apps, namespace: flux-system}}
spec: {{url: "https://git.example/org/fleet", ref: {{{reference}}}}}
"""


def settings(name: str, level: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: shop}}\ndata: {{level: {level}}}\n"


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return a clone whose main branch has other objects than its first commit, the tag v1."""
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "fleet")
    first = {"apps/a.yaml": settings("a", "info"), "apps/gone.yaml": settings("gone", "info")}
    repo.commit({"clusters/web.yaml": KUSTOMIZATION, "clusters/source.yaml": source("branch: main"), **first})
    repo.git("tag", "v1")
    repo.commit({"apps/a.yaml": settings("a", "debug"), "apps/gone.yaml": None})
    repo.git("remote", "add", "origin", "https://git.example/org/fleet")
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    monkeypatch.chdir(repo.folder)
    return repo


def change_source(repo: Repo, was: str, now: str) -> None:
    repo.commit({"clusters/source.yaml": source(was)})
    repo.write({"clusters/source.yaml": source(now)})


def verdicts_and_problems() -> tuple[dict[str, str], list[str]]:
    """Return the verdicts of the objects that the Kustomization applies, and the problems."""
    report = plan(runs(".", against=Against(AgainstKind.GIT, "HEAD")))
    return (
        {one.ref.name: outcome.verdict.value for one, outcome in report.outcomes if one.ref.kind == "ConfigMap"},
        [problem.message for problem in report.problems],
    )


@needs_kustomize
@pytest.mark.parametrize(
    ("was", "now", "verdict"),
    [
        pytest.param("branch: production", "branch: main", "kept", id="a branch before"),
        pytest.param("branch: main", "branch: production", "created", id="a branch after"),
        pytest.param("tag: v1", "branch: main", "kept", id="a tag before"),
        pytest.param("tag: v2", "tag: v1", "created", id="two tags"),
    ],
)
def test_a_changed_revision_is_compared(repo: Repo, was: str, now: str, verdict: str) -> None:
    repo.git("update-ref", "refs/remotes/origin/production", "v1")
    repo.git("branch", "production", "main")
    repo.git("tag", "v2")
    change_source(repo, was, now)

    assert verdicts_and_problems() == ({"a": "configured", "gone": verdict}, [])


@needs_kustomize
def test_a_local_branch_counts_if_the_remote_has_none(repo: Repo) -> None:
    repo.git("branch", "production", "v1")
    change_source(repo, "branch: production", "branch: main")

    assert verdicts_and_problems()[0] == {"a": "configured", "gone": "kept"}


@needs_kustomize
def test_a_revision_that_git_does_not_have_is_named(repo: Repo) -> None:
    change_source(repo, "branch: production", "branch: main")
    found, problems = verdicts_and_problems()
    assert found == {"a": "created"}
    assert problems == ["Kustomization/flux-system/web is not rendered as it was before: it applies branch production"]

    change_source(repo, "branch: main", "branch: production")
    found, problems = verdicts_and_problems()
    assert found == {}
    assert problems == [
        "Kustomization/flux-system/web changed, and the objects that it applies are not rendered: "
        "it applies branch production"
    ]


def application(revision: str, options: str = "", *, path: str = "apps") -> str:
    source = f"{{repoURL: 'https://git.example/org/fleet', path: {path}, targetRevision: '{revision}'{options}}}"
    return f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: web, namespace: argocd}}
spec: {{source: {source}, destination: {{namespace: shop, name: prod}}, syncPolicy: {{automated: {{prune: true}}}}}}
"""


def change_application(repo: Repo, was: str, now: str) -> None:
    repo.commit({"clusters/web.yaml": was, "clusters/source.yaml": None})
    repo.write({"clusters/web.yaml": now})


INCLUDE = ", directory: {include: '*.yaml'}"
with_options = pytest.mark.parametrize("options", ["", INCLUDE], ids=["a path", "a path with options"])


@with_options
@pytest.mark.parametrize(
    ("was", "now", "verdict"),
    [
        pytest.param("production", "main", "kept", id="a branch before"),
        pytest.param("HEAD", "production", "created", id="a branch after"),
        pytest.param("v1", "HEAD", "kept", id="a tag before"),
        pytest.param("v2", "v1", "created", id="two tags"),
    ],
)
def test_a_changed_revision_of_an_application_is_compared(
    repo: Repo, was: str, now: str, verdict: str, options: str
) -> None:
    repo.git("update-ref", "refs/remotes/origin/production", "v1")
    repo.git("tag", "v2")
    change_application(repo, application(was, options), application(now, options))

    assert verdicts_and_problems() == ({"a": "configured", "gone": verdict}, [])


def test_a_revision_of_an_application_may_be_a_commit(repo: Repo) -> None:
    commit = repo.git("rev-parse", "v1").strip()[:8]
    change_application(repo, application(commit), application("HEAD"))

    assert verdicts_and_problems() == ({"a": "configured", "gone": "kept"}, [])


def test_a_revision_of_an_application_that_git_does_not_have_is_named(repo: Repo) -> None:
    change_application(repo, application("production"), application("main"))
    assert verdicts_and_problems()[1] == [
        "Application/argocd/web is not rendered as it was before: it applies branch production"
    ]

    change_application(repo, application("main"), application("v3.0.0"))
    found, problems = verdicts_and_problems()
    assert (found, problems) == (
        {},
        ["Application/argocd/web changed, and the objects that it applies are not rendered: it applies tag v3.0.0"],
    )


CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "chart/templates/a.yaml": settings("chart", "{{ .Values.level }}"),
}


@pytest.fixture(name="helm_on_path")
def _helm_on_path(helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=os.pathsep)


def several_sources(revision: str) -> str:
    url = "repoURL: 'https://git.example/org/fleet'"
    chart = f"{{{url}, path: chart, helm: {{valueFiles: [$values/values/web.yaml]}}}}"
    sources = f"[{chart}, {{{url}, ref: values, targetRevision: '{revision}'}}]"
    return application("HEAD").replace("spec: {source: {", f"spec: {{sources: {sources}, source: {{")


@pytest.mark.usefixtures("helm_on_path")
@pytest.mark.parametrize(
    ("was", "now", "found"),
    [("v1", "HEAD", {"chart": "configured"}), ("HEAD", "v1", {"chart": "configured"}), ("v1", "v1.0.0", {})],
)
def test_one_of_several_sources_may_have_another_revision(
    repo: Repo, was: str, now: str, found: dict[str, str]
) -> None:
    repo.commit({**CHART, "values/web.yaml": "level: info"})
    repo.git("tag", "-f", "v1")
    repo.git("tag", "v1.0.0")
    repo.commit({"values/web.yaml": "level: debug"})
    change_application(repo, several_sources(was), several_sources(now))

    assert verdicts_and_problems() == (found, [])


@pytest.mark.usefixtures("helm_on_path")
def test_a_source_of_several_whose_revision_git_does_not_have_is_named(repo: Repo) -> None:
    repo.commit({**CHART, "values/web.yaml": "level: info"})
    change_application(repo, several_sources("HEAD"), several_sources("production"))

    assert verdicts_and_problems()[1] == [
        "Application/argocd/web is not rendered: it applies branch production, which git does not have here"
    ]


UNIT = Unit("apps", Form.KUSTOMIZATION, frozenset(), Applied("flux", reason=Reason("Kustomization web", "a.yaml", 3)))


def at(revision: str, gap: str = "", *, is_suspended: bool = False) -> Unit:
    return replace(UNIT, applied=replace(UNIT.applied, revision=revision, gap=gap, is_suspended=is_suspended))


def test_a_note_names_both_revisions() -> None:
    note = "Kustomization web: its source changes from tag v1 to this revision; both are compared as git has them here"

    assert revision_note(at("tag v1"), UNIT) == note
    unchanged = [(at("tag v1"), at("tag v1")), (None, at("tag v1")), (at("tag v1"), None), (at("tag v1", "x"), UNIT)]
    assert not any(revision_note(*pair) for pair in unchanged)


def test_unknown_files_from_before_are_a_problem() -> None:
    elsewhere = unread_problem(at("", "its source is https://git.example/other"))
    branch = unread_problem(at("branch a", "it applies branch a"))

    assert elsewhere
    assert branch
    assert branch.advice == "fetch it with git, or accept it with incomplete: in the configuration"
    assert elsewhere.advice.startswith("download it with applylint fetch")
    nothing = [
        UNIT,
        at("", "the files have nothing in its path apps"),
        at("a", "it applies branch a", is_suspended=True),
    ]
    assert not any(map(unread_problem, nothing))


def test_an_application_that_was_not_known_is_a_problem() -> None:
    unknown = replace(UNIT, applied=replace(UNIT.applied, tool="argocd", gap="parameters of its source are not known"))
    found = unread_problem(unknown)

    assert found
    assert found.message == "apps is not rendered as it was before: parameters of its source are not known"
    assert found.advice.startswith("render them and check the output")
    assert unread_problem(replace(unknown, applied=replace(unknown.applied, gap=""))) is None


@with_options
@pytest.mark.parametrize(
    ("was", "now", "verdict"),
    [
        pytest.param("production", "staging", "kept", id="two branches"),
        pytest.param("staging", "production", "created", id="two other branches"),
        pytest.param("HEAD", "production", "created", id="a branch after"),
        pytest.param("production", "main", "kept", id="the current branch after"),
    ],
)
def test_changed_branches_are_compared_without_a_default_branch(
    repo: Repo, was: str, now: str, verdict: str, options: str
) -> None:
    repo.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    repo.git("update-ref", "refs/remotes/origin/production", "v1")
    repo.git("branch", "staging", "main")
    change_application(repo, application(was, options), application(now, options))

    assert verdicts_and_problems() == ({"a": "configured", "gone": verdict}, [])


def test_a_changed_branch_that_git_does_not_have_is_named_without_a_default_branch(repo: Repo) -> None:
    repo.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    change_application(repo, application("production"), application("staging"))
    report = plan(runs(".", against=Against(AgainstKind.GIT, "HEAD")))

    assert [(problem.message, problem.advice) for problem in report.problems] == [
        (
            "Application/argocd/web changed, and the objects that it applies are not rendered: "
            "it applies branch staging",
            GIT_ADVICE,
        )
    ]


def test_an_unchanged_branch_is_taken_to_be_the_examined_one_without_a_default_branch(repo: Repo) -> None:
    repo.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    change_application(repo, application("production"), application("production", INCLUDE))
    repo.write({"apps/a.yaml": settings("a", "trace")})

    assert verdicts_and_problems() == ({"a": "configured"}, [])


@needs_kustomize
def test_changed_branches_of_flux_are_compared_without_a_default_branch(repo: Repo) -> None:
    repo.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    repo.git("update-ref", "refs/remotes/origin/production", "v1")
    repo.git("branch", "staging", "main")
    change_source(repo, "branch: production", "branch: staging")

    assert verdicts_and_problems() == ({"a": "configured", "gone": "kept"}, [])


def set_of(revision: str) -> str:
    git = f"{{git: {{repoURL: 'https://git.example/org/fleet', revision: {revision}, directories: [{{path: apps}}]}}}}"
    matrix = f"{{matrix: {{generators: [{git}, {{list: {{elements: [{{a: b}}]}}}}]}}}}"
    source = "{repoURL: 'https://git.example/org/fleet', path: '{{path}}'}"
    template = f"{{metadata: {{name: '{{{{path.basename}}}}'}}, spec: {{source: {source}}}}}"
    head = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all, namespace: argocd}\n"
    return f"{head}spec: {{generators: [{matrix}], template: {template}}}\n"


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ("production", "staging", "branch staging instead of branch production"),
        ("HEAD", "staging", "branch staging instead of this revision"),
        ("staging", "staging", ""),
        ("HEAD", "main", ""),
    ],
)
def test_another_branch_of_a_generator_is_named_without_a_default_branch(
    repo: Repo, was: str, now: str, words: str
) -> None:
    repo.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    change_application(repo, set_of(was), set_of(now))
    message = f"ApplicationSet argocd/all: its generators read {words}, and only the files here are examined"

    assert verdicts_and_problems()[1] == ([message] if words else [])
