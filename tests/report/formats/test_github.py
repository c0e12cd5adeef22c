from dataclasses import replace

from kubectl_applylint.core.location import NOWHERE, Location, Span
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.github import LIMIT, annotations
from tests.report.samples import DOUBTFUL, FINDING, WEB


def lines(report: Report) -> list[str]:
    return annotations(report, Context()).splitlines()


def test_a_finding_becomes_an_annotation_at_its_place() -> None:
    finding = replace(FINDING, message="100% of a,b: gone\nfor good", fix="")

    assert lines(Report(findings=(finding,), checked=1)) == [
        "::error file=web.yaml,line=5,col=3,endColumn=11,title=selector-changed::100%25 of a,b: gone%0Afor good",
        "1 error in 1 object",
    ]


def test_properties_are_escaped_and_columns_stand_on_one_line_only() -> None:
    finding = replace(
        DOUBTFUL, severity=Severity.INFO, location=Location("./a,b:c.yaml", Span(1, 2, 3, 4)), message="x", fix="y"
    )

    assert lines(Report(findings=(finding,)))[0] == (
        "::notice file=a%2Cb%3Ac.yaml,line=1,endLine=3,title=last-applied-missing::x%0A%0Ay"
    )


def test_an_object_of_the_cluster_is_annotated_without_a_file() -> None:
    finding = replace(FINDING, location=Location("shop/deployment.apps/web", NOWHERE), message="x", fix="")

    assert lines(Report(findings=(finding,)))[0] == "::error title=selector-changed::x"


def test_no_more_than_the_limit_of_a_kind_is_annotated_and_nothing_is_lost() -> None:
    many = tuple(replace(FINDING, location=Location("web.yaml", Span(n, 1, n, 2))) for n in range(1, 15))
    report = Report(findings=(DOUBTFUL, *many), problems=(Problem("broken.yaml", "not YAML", "mend it"),))

    shown = lines(report)
    plain = [line for line in shown if not line.startswith("::")]

    assert len([line for line in shown if line.startswith("::error")]) == LIMIT
    assert len([line for line in shown if line.startswith("::warning")]) == 1
    assert "::error title=not examined::broken.yaml: not YAML; mend it" in shown
    assert plain[0] == "5 findings more, beyond GitHub's limit for annotations:"
    assert plain[1].startswith("web.yaml:10:1: error: the server refuses")
    assert plain[-1] == "14 errors, 1 warning in 0 objects; incomplete: 1 problem"


def test_one_cause_in_several_units_is_one_annotation_per_line() -> None:
    units = tuple(
        replace(
            FINDING, ref=replace(WEB, namespace=name), units=(f"overlays/{name}",), message=f"web in {name}", fix=""
        )
        for name in ("a", "b", "c", "d", "e")
    )
    other_line = replace(units[1], location=Location("web.yaml", Span(9, 1, 9, 2)))

    shown = [line.rpartition("::")[2] for line in lines(Report(findings=(*units, other_line))) if "::error" in line]

    assert shown == [
        "web in a (in overlays/a, overlays/b, overlays/c and 2 more)",
        "web in b (in overlays/b)",
    ]


def test_problems_leave_room_for_findings() -> None:
    found = tuple(replace(FINDING, location=Location("web.yaml", Span(line, 1, line, 2))) for line in range(1, 11))
    report = Report(findings=found, problems=(Problem("x", "y"),) * 20)

    titles = [line.partition("title=")[2].partition("::")[0] for line in lines(report) if line.startswith("::")]

    assert (titles.count("not examined"), titles.count("selector-changed")) == (5, 5)


def test_a_part_that_was_not_compared_is_a_warning_at_its_place() -> None:
    here = Problem("app/kustomization.yaml:2:3", "not compared", "render it", is_hole=True)
    gone = Problem("HEAD:app/kustomization.yaml:2:3", "not compared", is_hole=True)

    assert lines(Report(problems=(here, gone)))[:2] == [
        "::warning file=app/kustomization.yaml,line=2,col=3,title=not compared::"
        "app/kustomization.yaml:2:3: not compared; render it",
        "::warning title=not compared::HEAD:app/kustomization.yaml:2:3: not compared",
    ]


def test_a_deleted_file_is_annotated_at_its_path() -> None:
    gone = replace(FINDING, location=replace(FINDING.location, file="HEAD:raw/cron.yaml"))

    first, *_ = annotations(Report(findings=(gone,)), Context(revision="HEAD")).splitlines()

    assert first.startswith("::error file=raw/cron.yaml,line=5,")
