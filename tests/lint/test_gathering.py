from dataclasses import replace

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.lint.gathering import merge_repeated
from tests.report.samples import FINDING

ONE = replace(FINDING, rule="late", location=Location("a.yaml", Span(1, 1, 1, 2)), related=())
TWO = replace(ONE, location=Location("b.yaml", Span(1, 1, 1, 2)))


def test_equal_findings_are_one_with_all_places() -> None:
    (found,) = merge_repeated([ONE, TWO], {"late"})

    assert (found.location.file, [each.location.file for each in found.related]) == ("a.yaml", ["b.yaml"])


def test_other_rules_and_other_words_stay_apart() -> None:
    other = replace(TWO, message="another")

    assert merge_repeated([ONE, TWO], {"other"}) == (ONE, TWO)
    assert merge_repeated([ONE, other], {"late"}) == (ONE, other)
