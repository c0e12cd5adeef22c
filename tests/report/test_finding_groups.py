from dataclasses import replace

from kubectl_applylint.lint.model import Finding, Severity
from kubectl_applylint.report.context import Context, Shown
from kubectl_applylint.report.finding_groups import by_line, by_units, common_fix, shown_findings
from tests.report.samples import DOUBTFUL, FINDING, WEB

INFO = replace(DOUBTFUL, severity=Severity.INFO)


def about(name: str, message: str = "deployment/{} is refused", rule: str = "refused") -> Finding:
    ref = replace(WEB, name=name)
    return replace(FINDING, ref=ref, message=message.format(name), fix=f"delete {name}", rule=rule)


def sizes(*findings: Finding) -> list[int]:
    return [len(group) for found in by_units(findings, Context()) for group in found.groups]


def test_the_heaviest_comes_first() -> None:
    assert shown_findings([INFO, DOUBTFUL, FINDING], Context()) == [FINDING, DOUBTFUL, INFO]
    assert shown_findings([INFO, DOUBTFUL, FINDING], Context(show=Shown.ERROR)) == [FINDING]


def test_findings_that_differ_in_the_name_of_the_object_are_one() -> None:
    assert sizes(about("a"), about("b-c")) == [2]


def test_findings_with_different_messages_are_not_grouped() -> None:
    assert sizes(about("a"), about("b", "deployment/{} is pruned"), about("a", rule="other")) == [1, 1, 1]


def test_a_name_inside_of_a_word_is_no_name() -> None:
    assert sizes(about("a", "a-b of {}"), about("c", "c-b of {}")) == [1, 1]


def test_findings_without_a_name_are_themselves() -> None:
    nameless = replace(FINDING, ref=replace(WEB, name="", namespace=""))
    nowhere = replace(nameless, location=replace(FINDING.location, file=""))

    assert sizes(nowhere, nowhere) == [2]


def test_the_units_with_the_heaviest_findings_come_first() -> None:
    found = by_units([replace(INFO, units=("a",)), replace(FINDING, units=("b",))], Context())

    assert [(one.units, one.rank) for one in found] == [(("b",), 0), (("a",), 2)]


def in_unit(name: str, line: int = 1) -> Finding:
    unit = f"overlays/{name}"
    fix = f"# restore it\nkubectl apply -k {unit}\n"
    here = replace(FINDING.location, span=replace(FINDING.location.span, line=line))
    return replace(FINDING, ref=replace(WEB, namespace=name), units=(unit,), location=here, fix=fix)


def test_one_cause_in_several_units_is_one_group_below_all_of_them() -> None:
    (found,) = by_units([in_unit("dev"), in_unit("prod")], Context())

    assert found.units == ("overlays/dev", "overlays/prod")
    assert [len(group) for group in found.groups] == [2]


def test_a_line_has_one_finding_of_a_cause() -> None:
    first, second = by_line([in_unit("dev"), in_unit("prod"), in_unit("test", line=2)], Context())

    assert (first.units, second.units) == (("overlays/dev", "overlays/prod"), ("overlays/test",))
    assert first.message == FINDING.message
    assert by_line([about("a"), about("b")], Context())[0].message.endswith("; the same for 1 more object")


def test_a_fix_with_names_of_the_first_covers_the_others() -> None:
    first, second = in_unit("dev"), in_unit("prod")

    assert common_fix((first, second), Context()).splitlines() == [
        "# restore it; the same for the others",
        "kubectl apply -k overlays/dev",
    ]
    assert common_fix((about("a"), about("b")), Context()) == "delete a\n# the same for the others\n"
    assert common_fix((first, replace(second, fix=first.fix)), Context()) == first.fix
