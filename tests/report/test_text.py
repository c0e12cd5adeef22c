from dataclasses import replace

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.lint.model import Related, Report, Severity, Skip
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context, Shown
from kubectl_applylint.report.japanese import PHRASES
from kubectl_applylint.report.text import excerpt, findings_text
from tests.report.samples import DOUBTFUL, EDITED, FILE, FINDING, LINES, REPORT, STRIKING, WEB

CONTEXT = Context(sources={FILE: LINES})


def test_findings_read_well() -> None:
    assert findings_text(REPORT, CONTEXT) == (
        "1 error, 1 warning in 2 objects; incomplete: 1 problem\n"
        "\n"
        "web.yaml:5:3: error: the server refuses this deployment for good: its selector cannot change from app=web to"
        " app=shop [selector-changed]\n"
        "       5 |   selector: {matchLabels: {app: shop}}\n"
        "         |   ^^^^^^^^\n"
        "    see service.yaml:7:5: this Service selects the same pods\n"
        "    fix: (deletes) Keep the old selector, or make a deployment of another name and delete the old one when it"
        " serves:\n"
        "         kubectl delete deployment web --cascade=orphan -n shop\n"
        "\n"
        "web.yaml:1:1: warning: fields that you removed from the file stay on the live object [last-applied-missing]\n"
        "       1 | apiVersion: apps/v1\n"
        "         | ^^^^^^^^^^\n"
        "    confidence: medium\n"
        "\n"
        "broken.yaml:3:1: problem: not YAML: a tab indents this line; indent with spaces\n"
        "skipped: 1 rule that could not run: live state is unknown (-v to list)\n"
        "1 finding hidden by comments (-v to list)\n"
        "web.yaml:2:3: note: this comment does not hide port-lost: it expired on 2026-06-30\n"
        "exit code 3: some input could not be read\n"
    )


def test_a_report_without_findings_has_one_line() -> None:
    assert findings_text(Report(checked=1), Context()) == "no findings in 1 object\n"


def test_verbose_names_every_rule_that_did_not_run_and_what_is_hidden() -> None:
    text = findings_text(REPORT, Context(verbose=True))

    assert "skipped: stale-last-applied on 1 object: live state is unknown\n" in text
    assert "hidden by comment: web.yaml:1:1: last-applied-missing: wanted until the migration is done\n" in text


def test_verbose_shows_the_traceback_of_a_fault() -> None:
    report = Report(problems=(Problem("web.yaml", "odd", frames=('  File "run.py", line 1, in run', "KeyError")),))

    assert 'problem: odd\n  File "run.py", line 1, in run\nKeyError\n' in findings_text(report, Context(verbose=True))
    assert "KeyError" not in findings_text(report, Context())


def test_colour_marks_the_severity_and_changes_no_word() -> None:
    painted = findings_text(REPORT, replace(CONTEXT, color=True))

    assert "\x1b[1;31merror\x1b[0m: the server refuses" in painted


def test_a_terminal_wraps_prose_but_never_commands() -> None:
    lines = findings_text(REPORT, replace(CONTEXT, width=60)).splitlines()

    assert "         kubectl delete deployment web --cascade=orphan -n shop" in lines
    assert [line for line in lines if len(line) > 60 and "kubectl" not in line] == []


@pytest.mark.parametrize(
    ("line", "span", "shown"),
    [
        ("a: 1", Span(1, 4, 1, 5), ["       1 | a: 1", "         |    ^"]),
        ("\ta: 1", Span(1, 2, 1, 3), ["       1 |  a: 1", "         |  ^"]),
        ("a: |", Span(1, 1, 3, 2), ["       1 | a: |", "         | ^^^^"]),
        ("x" * 300, Span(1, 251, 1, 253), ["       1 | " + "x" * 110, "         | " + " " * 60 + "^^"]),
        ("key: ********", Span(1, 30, 1, 40), ["       1 | key: ********"]),
        ("a\x1b[2J", Span(1, 1, 1, 2), ["       1 | a\\u001b[2J", "         | ^"]),
        ("   ", Span(1, 1, 1, 2), []),
        ("a", Span(2, 1, 2, 2), []),
    ],
    ids=["mark", "tab", "several lines", "long line", "cut before the mark", "control", "blank", "no such line"],
)
def test_an_excerpt_shows_the_line_and_marks_the_place(line: str, span: Span, shown: list[str]) -> None:
    finding = replace(DOUBTFUL, location=Location(FILE, span))

    assert list(excerpt(finding, Context(sources={FILE: (line,)}))) == shown


def test_a_finding_in_a_file_without_text_has_no_excerpt() -> None:
    assert list(excerpt(FINDING, Context())) == []


def test_a_finding_has_the_time_of_its_effect() -> None:
    text = findings_text(Report(findings=(STRIKING,)), Context())

    assert (
        "    happens on upgrade; may happen if the live object drifted (unless it was scaled to 7 in the meantime); "
        "not on a fresh install\n"
    ) in text


def test_a_finding_has_the_time_of_its_effect_in_japanese() -> None:
    text = findings_text(Report(findings=(STRIKING,)), Context(phrases=PHRASES))

    assert "    更新時は必ず該当; 稼働中のオブジェクトが変更されていた場合は (" in text
    assert "該当の可能性あり; 新規作成時は該当しない\n" in text


def test_each_right_that_is_missing_is_named_once() -> None:
    skips = (
        Skip(("a",), WEB, "cannot get pods; cannot get jobs"),
        Skip(("b",), WEB, "cannot get pods; cannot list nodes"),
    )
    line = findings_text(Report(skips=skips), Context()).splitlines()[1]

    assert line == (
        "skipped: 2 rules that could not run: cannot get jobs; cannot get pods; cannot list nodes (-v to list)"
    )


INFO = replace(DOUBTFUL, severity=Severity.INFO, rule="never-settles")


def test_infos_are_one_line_a_rule() -> None:
    infos = (INFO, replace(INFO, location=Location("b.yaml", Span(2, 1, 2, 2))), replace(INFO, rule="stays"))

    assert findings_text(Report(findings=infos, checked=1), Context()) == (
        "3 infos in 1 object\n"
        "\n"
        "web.yaml:1:1: info: fields that you removed from the file stay on the live object [never-settles]"
        "; 1 more finding (-v to list)\n"
        "web.yaml:1:1: info: fields that you removed from the file stay on the live object [stays]\n"
        "\n"
        "passed: no finding at or above error (--fail-on)\n"
    )


@pytest.mark.parametrize(
    ("context", "shown"),
    [
        pytest.param(Context(show=Shown.INFO), 3, id="info"),
        pytest.param(Context(show=Shown.WARNING), 2, id="warning"),
        pytest.param(Context(show=Shown.ERROR), 1, id="error"),
        pytest.param(Context(show=Shown.ERROR, verbose=True), 3, id="verbose"),
    ],
)
def test_the_context_selects_listed_severities(context: Context, shown: int) -> None:
    text = findings_text(Report(findings=(FINDING, DOUBTFUL, INFO), checked=1), context)

    assert len([line for line in text.splitlines() if line.startswith("web.yaml")]) == shown
    assert text.startswith("1 error, 1 warning, 1 info in 1 object\n")


def test_one_finding_at_several_places_is_reported_once() -> None:
    same = [
        replace(
            FINDING,
            ref=replace(WEB, name=name),
            message=f"deployment/{name} is refused",
            fix=f"kubectl delete deployment {name}",
            location=Location(f"{name}.yaml", Span(5, 3, 5, 11)),
        )
        for name in (f"web-{number}" for number in range(8))
    ]
    text = findings_text(Report(findings=tuple(same)), Context())

    assert text.count("is refused") == 1
    assert "    also at web-1.yaml:5:3 (deployment.apps/web-1), web-2.yaml:5:3" in text
    assert "(deployment.apps/web-5), 2 more places\n" in text


def test_findings_stand_below_the_units_that_they_are_about_the_heaviest_first() -> None:
    units = (UnitReport("dev", "folder", "kubectl"), UnitReport("prod", "chart", "helm"))
    found = (replace(DOUBTFUL, units=("dev",)), replace(FINDING, units=("dev", "prod")))
    lines = findings_text(Report(findings=found, units=units, checked=2), Context()).splitlines()

    assert lines[:3] == ["2 units: 1 error, 1 warning in 2 objects", "", "dev (folder), prod (chart, applied by Helm)"]
    assert lines[lines.index("dev (folder)") + 1].startswith("web.yaml:1:1: warning: ")


def test_a_proven_edit_has_its_outcome() -> None:
    text = findings_text(Report(findings=(EDITED,), checked=1), CONTEXT)

    assert "    fix: (deletes) # in web.yaml: delete line 6\n         Keep the old selector" in text
    assert (
        "    after this: configured once, then unchanged; changes spec.replicas; the finding is gone"
        " (only on a fresh install)\n"
    ) in text


def test_a_cause_in_twelve_units_is_one_finding_without_excerpt() -> None:
    units = tuple(UnitReport(f"overlays/{number}", "kustomization", "kubectl") for number in range(12))
    earlier = Related(replace(FINDING.location, file=f"HEAD:{FILE}"), "previous value")
    found = tuple(
        replace(FINDING, units=(unit.root,), fix=f"# restore it\nkubectl apply -k {unit.root}", related=(earlier,))
        for unit in units
    )

    text = findings_text(Report(findings=found, units=units, checked=12), CONTEXT)

    assert text.splitlines()[2:6] == [
        "overlays/0, overlays/1, overlays/2, overlays/3, overlays/4 (kustomization) and 7 units more",
        f"web.yaml:5:3: error: {FINDING.message} [selector-changed]",
        "    fix: # restore it; the same for the others",
        "         kubectl apply -k overlays/0",
    ]


def test_objects_of_one_place_are_one_line() -> None:
    related = tuple(Related(FINDING.location, f"configmap/c{number}") for number in range(8))
    text = findings_text(Report(findings=(replace(FINDING, related=related),), checked=8), CONTEXT)

    shown = ", ".join(f"configmap/c{number}" for number in range(5))
    assert f"    see {FINDING.location}: {shown}, 3 more places\n" in text
