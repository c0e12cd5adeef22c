"""ApplicationSets whose Applications are not known."""

from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.core.problem import Compared
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.run.discover.unexamined_sets import (
    rejected_problem,
    unknown_applications,
    without_uncertain_applications,
)
from kubectl_applylint.tools.argocd.application_sets import REJECTED_SET
from kubectl_applylint.tools.argocd.generators import TOO_MANY
from kubectl_applylint.units.model import Applied, Form, Reason, Unit
from tests.run.running import DIR, WEB, plan, runs, write

SET = ObjectRef("argoproj.io/v1alpha1", "ApplicationSet", "argocd", "all")
OTHER = ObjectRef("argoproj.io/v1alpha1", "ApplicationSet", "argocd", "other")


def unit(**words: Any) -> Unit:
    applied = Applied("argocd", reason=Reason("ApplicationSet argocd/all", "set.yaml", 3), **words)
    return Unit("ApplicationSet/argocd/all", Form.RELEASE, frozenset(), applied)


def test_a_set_that_argo_cd_rejects_is_a_problem() -> None:
    found = rejected_problem(unit(gap=f"{REJECTED_SET}a merge generator has no mergeKeys"))

    assert found is not None
    assert str(found.where) == "set.yaml:3"
    assert found.message == (
        "ApplicationSet/argocd/all: Argo CD rejects its generators, and changes none of its Applications: "
        "a merge generator has no mergeKeys"
    )
    assert rejected_problem(unit(gap="it is nested too deeply")) is None


def test_applications_beyond_the_known_ones_are_a_problem_of_a_change() -> None:
    made, rest = unit(generated_by=SET), unit(declared_by=SET, gap=TOO_MANY)

    (found,) = unknown_applications([made, made], [made, rest])
    assert str(found.where) == "set.yaml:3"
    assert found.message == (
        "ApplicationSet argocd/all may change other Applications, which are not rendered: "
        "more than 1000 Applications are generated"
    )
    assert not [*unknown_applications([unit(generated_by=OTHER)], [made, rest])]
    assert not [*unknown_applications([made], [made, unit(declared_by=SET, gap="it is nested too deeply")])]


LIST = "{list: {elements: [{name: web}]}}"
BOTH = "{list: {elements: [{name: web}, {name: api}]}}"
UNKNOWN = "{clusters: {}}"
REJECTED = "{matrix: {generators: []}}"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, outside of git, with the files of two Applications in two revisions."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    files = {f"apps/{name}/web.yaml": WEB.replace("web", name) for name in ("web", "api")}
    write(tmp_path, {f"{side}/{path}": text for side in ("all", "before") for path, text in files.items()})
    return tmp_path


def application_set(*generators: str) -> str:
    source = "{repoURL: '', path: 'apps/{{name}}', directory: {include: web.yaml}}"
    spec = f"{{source: {source}, destination: {{name: prod, namespace: shop}}, syncPolicy: {{automated: {{}}}}}}"
    template = f"{{metadata: {{name: '{{{{name}}}}'}}, spec: {spec}}}"
    head = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all, namespace: argocd}\n"
    return f"{head}spec: {{generators: [{', '.join(generators)}], template: {template}}}\n"


def verdicts_and_problems(folder: Path, was: str, now: str) -> tuple[dict[str, str], list[str]]:
    """Return the verdicts of the Deployments of a set that changes, and the problems."""
    write(folder, {"before/set.yaml": was, "all/set.yaml": now})
    report = plan(runs(against=DIR))
    verdicts = {one.ref.name: outcome.verdict.value for one, outcome in report.outcomes if one.ref.kind == "Deployment"}
    return verdicts, [problem.message for problem in report.problems]


def test_applications_may_stay_if_generators_are_not_evaluated(folder: Path) -> None:
    found, problems = verdicts_and_problems(folder, application_set(LIST), application_set(UNKNOWN))

    assert found == {}
    assert problems == [
        "Application/argocd/{{name}} changed, and the objects that it applies are not rendered: "
        "parameters of its source are not known (generator: clusters)"
    ]


def test_applications_may_have_been_there_if_generators_were_not_evaluated(folder: Path) -> None:
    found, problems = verdicts_and_problems(folder, application_set(UNKNOWN), application_set(LIST))

    assert found == {}
    assert problems == [
        "Application/argocd/{{name}} is not rendered as it was before: "
        "parameters of its source are not known (generator: clusters)"
    ]


def test_applications_of_a_known_generator_beside_an_unknown_one_are_examined(folder: Path) -> None:
    assert verdicts_and_problems(folder, application_set(LIST, UNKNOWN), application_set(BOTH, UNKNOWN)) == (
        {"api": "created"},
        [],
    )
    found, problems = verdicts_and_problems(folder, application_set(BOTH, UNKNOWN), application_set(LIST, UNKNOWN))
    assert (set(found), problems) == ({"api"}, [])


@pytest.mark.parametrize("generators", [[REJECTED], [LIST, REJECTED]])
def test_a_set_that_argo_cd_rejects_keeps_its_applications(folder: Path, generators: list[str]) -> None:
    found, problems = verdicts_and_problems(folder, application_set(LIST), application_set(*generators))

    assert found == {}
    assert problems == [
        "ApplicationSet/argocd/all changed, and the objects that it applies are not rendered: Argo CD rejects its "
        "generators, and changes none of its Applications: a matrix generator needs two generators, and has 0"
    ]
    assert [problem.message for problem in plan(runs()).problems] == [
        "ApplicationSet/argocd/all: Argo CD rejects its generators, and changes none of its Applications: "
        "a matrix generator needs two generators, and has 0"
    ]


PATHS = "{git: {repoURL: '', directories: [{path: 'apps/*'}]}}"


@pytest.mark.parametrize(
    ("path", "is_problem"),
    [
        ("apps/web/values.txt", True),
        ("apps/web/README.md", False),
        ("apps/new/cm.yaml", False),
        ("others/web/values.txt", False),
        ("apps/chart/values.yaml", False),
        ("apps/chart/files/a.txt", False),
    ],
    ids=["no object", "a page", "an object", "another folder", "values of a chart", "a file of a chart"],
)
def test_changed_files_may_be_for_a_set_that_is_not_evaluated(folder: Path, path: str, is_problem: bool) -> None:
    chart = {"Chart.yaml": "name: a\nversion: 1.0.0\n", "templates/a.yaml": "", "values.yaml": "a: 1"}
    write(folder, {f"{side}/apps/chart/{name}": text for side in ("all", "before") for name, text in chart.items()})
    write(folder, {f"all/{path}": WEB if path.endswith("cm.yaml") else "a: 2"})
    _, problems = verdicts_and_problems(folder, application_set(UNKNOWN), application_set(UNKNOWN))

    words = f"ApplicationSet argocd/all may apply changed files ({path}), and its Applications are not known: "
    gap = "parameters of its source are not known (generator: clusters)"
    # Without helm, the chart is a problem of its own.
    assert [one for one in problems if one.startswith("ApplicationSet")] == ([words + gap] if is_problem else [])


@pytest.mark.parametrize(
    ("recurse", "path", "is_problem"),
    [("false", "apps/web/a.txt", True), ("true", "apps/web/a.txt", False), ("false", "apps/a.txt", False)],
)
def test_plain_manifests_are_read_in_subfolders_on_request(
    folder: Path, recurse: str, path: str, is_problem: bool
) -> None:
    source = f"{{repoURL: '', path: apps, directory: {{include: '*.yaml', recurse: {recurse}}}}}"
    one = f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: one}}\nspec: {{source: {source}}}\n"
    write(folder, {"before/one.yaml": one, "all/one.yaml": one, f"all/{path}": "a"})
    shallow = application_set(UNKNOWN).replace("apps/{{name}}", "apps/{{path}}")

    assert len(verdicts_and_problems(folder, shallow, shallow)[1]) == is_problem


def test_a_set_that_changed_has_one_problem(folder: Path) -> None:
    write(folder, {"all/apps/web/values.txt": "a"})
    now = application_set(UNKNOWN).replace("automated: {}", "syncOptions: [CreateNamespace=true]")
    _, problems = verdicts_and_problems(folder, application_set(UNKNOWN), now)

    assert [problem.partition(",")[0] for problem in problems] == ["Application/argocd/{{name}} changed"]


LABELLED = "{clusters: {selector: {matchLabels: {env: prod}}}}"
FOLDERS = "{matrix: {generators: [%s, {git: {repoURL: '', directories: [{path: '%s'}]}}]}}"
MERGED = "{merge: {mergeKeys: [name], generators: [{clusters: {}}, %s]}}"
PATH = "{{path}}"


@pytest.mark.parametrize(
    ("was", "now", "verdicts", "is_problem"),
    [
        ([FOLDERS % (UNKNOWN, "apps/web")], [FOLDERS % (LABELLED, "apps/web")], {}, True),
        ([FOLDERS % (UNKNOWN, "apps/web")], [FOLDERS % (UNKNOWN, "apps/*")], {"api": "created"}, False),
        ([PATHS], [PATHS, FOLDERS % (UNKNOWN, "apps/web")], {}, False),
        ([MERGED % LIST], [MERGED % BOTH], {}, True),
    ],
    ids=["other clusters", "other folders", "one more generator", "another element that is merged"],
)
def test_a_generator_that_is_not_evaluated_may_change(
    folder: Path, was: list[str], now: list[str], verdicts: dict[str, str], is_problem: bool
) -> None:
    names = ("apps/{{name}}", PATH), ("{{name}}", "x-{{path.basename}}")
    earlier, later = (application_set(*one) for one in (was, now))
    for name, other in names:
        earlier, later = earlier.replace(name, other), later.replace(name, other)
    found, problems = verdicts_and_problems(folder, earlier, later)

    words = "ApplicationSet argocd/all: a generator changed that is not evaluated (clusters)"
    assert (found, problems) == (verdicts, [words] if is_problem else [])


def test_a_set_with_a_changed_generator_is_a_unit_that_is_not_compared(folder: Path) -> None:
    for side, elements in (("before", LIST), ("all", BOTH)):
        write(folder, {f"{side}/set.yaml": application_set(MERGED % elements)})
    found = plan(runs(against=DIR))

    units = {unit.root: (unit.compared, unit.reason, unit.declared_by) for unit in found.units}
    reason = "ApplicationSet argocd/all: a generator changed that is not evaluated (clusters)"
    assert units["ApplicationSet/argocd/all"] == (Compared.NO, reason, SET)
    assert [one.message for one in found.problems] == [reason]


SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: test, labels: {argocd.argoproj.io/secret-type: cluster, env: test}}
stringData: {name: test}
"""


def test_a_selector_that_matches_no_cluster_in_the_files_is_not_evaluated(folder: Path) -> None:
    write(folder, {"before/test.yaml": SECRET, "all/test.yaml": SECRET})
    sets = (application_set(MERGED % one).replace("{clusters: {}}", LABELLED) for one in (LIST, BOTH))
    _, problems = verdicts_and_problems(folder, *sets)

    assert problems == ["ApplicationSet argocd/all: a generator changed that is not evaluated (clusters)"]


def test_only_applications_of_the_set_are_uncertain() -> None:
    made, other, rest = unit(generated_by=SET), unit(generated_by=OTHER), unit(declared_by=SET, gap="unknown")
    pairs = [(made, None), (None, made), (other, None), (made, made), (None, rest), (None, None)]

    assert [*without_uncertain_applications(pairs, [made], [rest])] == pairs[1:]
    assert [*without_uncertain_applications(pairs, [rest], [made])] == [pairs[0], *pairs[2:]]
    assert [*without_uncertain_applications(pairs, [rest], [rest])] == pairs


def test_a_new_set_of_too_many_applications_is_one_problem(folder: Path) -> None:
    elements = ", ".join(f"{{name: n{number}}}" for number in range(1001))
    text = application_set(f"{{list: {{elements: [{elements}]}}}}")
    text = text.replace("apps/{{name}}", "apps/web").replace("include: web.yaml", "include: none.yaml")
    write(folder, {"all/set.yaml": text})

    assert [problem.message for problem in plan(runs(against=DIR)).problems] == [
        "ApplicationSet/argocd/all changed, and the objects that it applies are not rendered: "
        "more than 1000 Applications are generated"
    ]
