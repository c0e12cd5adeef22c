from dataclasses import replace

from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.hazard_lines import (
    common_causes,
    hazard_lines,
    hazards_of,
    without_repeated_warnings,
)
from tests.report.samples import DOUBTFUL, FINDING, WEB

PLAIN = Context(command="plan")


def test_a_hazard_is_one_line() -> None:
    assert [*hazard_lines([DOUBTFUL], PLAIN)] == [
        "    warning: fields that you removed from the file stay on the live object [last-applied-missing]"
    ]
    assert next(hazard_lines([DOUBTFUL], PLAIN, is_shared=True)).endswith(
        "; the same for the others [last-applied-missing]"
    )


def test_findings_are_those_of_the_unit_the_most_severe_first() -> None:
    dev, every = replace(DOUBTFUL, units=("dev",)), FINDING

    assert hazards_of([dev, every], "dev") == {WEB.identity: (every, dev)}
    assert hazards_of([dev, every], "prod") == {WEB.identity: (every,)}


def test_findings_in_files_of_another_unit_with_the_same_root_are_left_out() -> None:
    assert hazards_of([FINDING], "dev", {FINDING.location.file}) == {WEB.identity: (FINDING,)}
    assert hazards_of([FINDING], "dev", {"other.yaml"}) == {}


def test_a_warning_in_the_message_of_a_finding_is_not_repeated() -> None:
    outcome = Outcome(WEB, Verdict.PRUNED, warnings=("its pods are stopped", "its data is deleted"))
    finding = replace(FINDING, message="this apply deletes deployment/web: its pods are stopped")

    assert without_repeated_warnings(outcome, [finding]).warnings == ("its data is deleted",)
    assert without_repeated_warnings(outcome, []) == outcome


def test_names_make_no_difference() -> None:
    one, other = (
        replace(FINDING, ref=replace(WEB, namespace=name), message=f"it breaks in {name}", fix="")
        for name in ("dev", "test")
    )

    assert common_causes([one]) == common_causes([other]) != common_causes([])
