"""The plans of several targets as a comment."""

from dataclasses import replace

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.markdown import targets_markdown
from kubectl_applylint.report.targets.targets import TargetReport
from tests.report.samples import WEB
from tests.report.targets import test_matrix
from tests.report.targets.test_targets import FOUR, target
from tests.report.test_comparison import CONFIGURED


def test_a_comment_has_causes_and_a_table_of_units() -> None:
    text = targets_markdown(FOUR, Context())

    assert text.startswith("### applylint plan: 4 targets: 2 rejected, 1 configured, 1 unchanged\n")
    assert "| rejected | 2 of 4 | spec.selector: Invalid value: a: field is immutable | ap, us |" in text
    assert "| unit | ap | dev | eu | us |\n|---|---|---|---|---|\n" in text
    assert "| shop | rejected | unchanged | configured | rejected |" in text


def test_many_targets_have_a_row_each() -> None:
    text = targets_markdown([target(f"c{number}", CONFIGURED) for number in range(21)], Context())

    assert "| target | shop |\n|---|---|\n| c0 | configured |\n" in text


def test_a_table_that_finds_no_room_is_named() -> None:
    units = {f"u{number}": Impact.CREATED for number in range(21)}
    differing = [test_matrix.target(f"c{number}", **dict([*units.items()][number:])) for number in range(21)]
    text = targets_markdown(differing, Context())

    assert "21 targets do not fit into a table of units; `-o html` shows them all." in text
    assert "| unit |" not in text


def test_rows_that_do_not_fit_are_counted() -> None:
    many = [replace(CONFIGURED, ref=replace(WEB, name=f"web-{number}")) for number in range(101)]
    text = targets_markdown([target("eu", *many)], Context())
    rows = [test_matrix.target("eu", **{f"u{number}": Impact.CREATED for number in range(102)})]
    rows += [test_matrix.target(f"c{number}", **{f"u{number}": Impact.CREATED}) for number in range(19)]

    assert text.count("| configured | 1 of 1 |") == 100
    assert "\n\n1 more cause: `-o html` and `-o json` have all.\n" in text
    assert "more row" not in targets_markdown(rows, Context())


def test_names_are_no_markup() -> None:
    text = targets_markdown([target("a|b\n<c>", CONFIGURED)], Context())

    assert "<c>" not in text
    assert "a|b" not in text


def test_problems_are_named() -> None:
    lost = TargetReport("lost", problems=(Problem("lost.json", "no such file"),))

    assert "* **problem** lost: lost.json: no such file" in targets_markdown([lost], Context())
    assert "* **problem** lost.json: no such file" in targets_markdown([], Context(), lost.problems)


def test_one_apply_is_a_row_of_its_own() -> None:
    assert "| all | configured |" in targets_markdown([target("eu", CONFIGURED, unit="")], Context())
