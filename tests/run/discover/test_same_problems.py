"""Problems of a unit that both revisions of a change have."""

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.discover.same_problems import compare_failures, problems_only_before
from kubectl_applylint.sources.text.manifests import Input, read_text

REVISION = "HEAD~1 (abc1234)"
EARLIER = Problem("HEAD~1:app/kustomization.yaml", "it cannot be rendered: HEAD~1:app/db: no kind", is_refused=True)
LATER = Problem("app/kustomization.yaml", "it cannot be rendered: app/db: no kind", is_refused=True)
PLUGIN = Problem("app/kustomization.yaml", "not rendered: generators[0]", reason="it requires a plugin")


def test_a_failure_that_is_the_same_is_unchanged() -> None:
    was, now = compare_failures(Input(problems=(EARLIER,)), Input(problems=(LATER,)), REVISION, is_rendered=True)

    assert was.problems == ()
    assert [(one.message, one.is_unchanged) for one in now.problems] == [
        (f"{LATER.message}; HEAD~1 (abc1234) fails in the same way, so nothing changes here", True)
    ]


def test_a_fatal_problem_that_is_the_same_is_unchanged() -> None:
    was, now = (Input(problems=(replace(one, is_refused=False, is_fatal=True),)) for one in (EARLIER, LATER))

    assert [one.is_unchanged for one in compare_failures(was, now, REVISION, is_rendered=True)[1].problems] == [True]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        pytest.param(EARLIER, replace(LATER, message="it cannot be rendered: app/db: no name"), id="another error"),
        pytest.param(replace(EARLIER, is_refused=False), LATER, id="the content was not read before"),
        pytest.param(EARLIER, replace(LATER, is_refused=False), id="the content is not read"),
    ],
)
def test_other_failures_stay(earlier: Problem, later: Problem) -> None:
    was, now = Input(problems=(earlier,)), Input(problems=(later,))

    assert compare_failures(was, now, REVISION, is_rendered=True) == (was, now)


@pytest.mark.parametrize(("is_rendered", "others"), [(True, []), (False, [PLUGIN])])
def test_nothing_else_matters_if_all_objects_fail_together(is_rendered: bool, others: list[Problem]) -> None:
    was, now = Input(problems=(EARLIER, PLUGIN)), Input(problems=(PLUGIN, LATER))
    before, after = compare_failures(was, now, REVISION, is_rendered=is_rendered)

    assert [*before.problems] == others
    assert [one for one in after.problems if not one.is_unchanged] == others


def test_other_problems_matter_if_other_objects_are_rendered() -> None:
    (document,) = read_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "a.yaml").documents
    was, now = Input(problems=(EARLIER, PLUGIN)), Input((document,), problems=(PLUGIN, LATER))

    assert PLUGIN in compare_failures(was, now, REVISION, is_rendered=True)[1].problems


def test_objects_of_a_text_with_invalid_bytes_may_change() -> None:
    given = read_text(b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: \xff}\n", "a.yaml")

    assert given.problems
    assert compare_failures(given, given, REVISION, is_rendered=False) == (given, given)


def test_problems_that_only_the_earlier_revision_has() -> None:
    gone = replace(EARLIER, message="app/db: no name")
    given = [EARLIER, gone, replace(PLUGIN, where="HEAD~1:app/kustomization.yaml")]

    assert [*problems_only_before(given, Input(problems=(LATER, PLUGIN)), REVISION)] == [gone]
