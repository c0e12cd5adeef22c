"""Units and targets as a table, in which units with the same results share a row."""

from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.matrix import MatrixRow, matrix
from kubectl_applylint.report.targets.targets import TargetEffect, TargetReport
from tests.report.samples import WEB


def target(name: str, **units: Impact) -> TargetReport:
    """Return a target with what happens to an object in each unit."""
    return TargetReport(name, effects=tuple(TargetEffect(unit, WEB, what, "", "") for unit, what in units.items()))


EU = target("eu", a=Impact.CREATED, b=Impact.CREATED, c=Impact.UNCHANGED)
US = target("us", a=Impact.REJECTED, b=Impact.REJECTED)


def test_units_in_which_the_same_happens_are_one_row_and_the_worst_comes_first() -> None:
    assert matrix([EU, US]) == (
        MatrixRow(("a", "b"), (Impact.CREATED, Impact.REJECTED)),
        MatrixRow(("c",), (Impact.UNCHANGED, None)),
    )


def test_equally_severe_rows_are_sorted_by_targets() -> None:
    one, other = target("one", a=Impact.CREATED, b=Impact.CREATED), target("other", b=Impact.CREATED)

    assert [row.units for row in matrix([one, other])] == [("b",), ("a",)]


def test_a_row_is_called_by_its_first_unit() -> None:
    assert [row.name for row in matrix([EU, US])] == ["a and 1 more unit", "c"]
    assert MatrixRow(("",), (Impact.CREATED,)).name == "all"


def test_without_targets_there_are_no_rows() -> None:
    assert matrix([]) == matrix([TargetReport("empty")]) == ()
