from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from kubectl_applylint.lint.model import Report, Severity, Skip
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.junit import junit
from tests.report.samples import CONFIGURED, DOCUMENT, FINDING, REJECTED, REPORT, TOKEN, WEB

SCHEMA = xmlschema.XMLSchema(str(Path(__file__).parent / "data" / "junit-10.xsd"))
CHECK, PLAN = (Context(command=name) for name in ("check", "plan"))
REFUSED = Report(outcomes=((DOCUMENT, REJECTED),), checked=1)


def parse_report(report: Report, context: Context = PLAN) -> ElementTree.Element:
    return ElementTree.fromstring(junit(report, context))


@pytest.mark.parametrize(
    "report",
    [
        pytest.param(Report(), id="nothing"),
        pytest.param(REPORT, id="everything"),
        pytest.param(REFUSED, id="a refusal"),
        pytest.param(Report(findings=(replace(FINDING, message='<&">\x00\ud800\n\t'),)), id="odd characters"),
    ],
)
def test_the_report_is_valid_by_the_schema(report: Report) -> None:
    SCHEMA.validate(junit(report, PLAN))


def test_the_schema_rejects_other_documents() -> None:
    assert not SCHEMA.is_valid("<testsuites><testsuite/></testsuites>")


def test_numbers_add_up() -> None:
    whole = parse_report(REPORT, CHECK)
    suites = {suite.attrib["name"]: suite.attrib for suite in whole}

    assert whole.attrib == {"name": "applylint check", "tests": "4", "failures": "2", "errors": "1"}
    assert suites == {
        "web.yaml": {"name": "web.yaml", "tests": "3", "failures": "2", "errors": "0"},
        "applylint": {"name": "applylint", "tests": "1", "failures": "0", "errors": "1"},
    }


def test_a_finding_is_a_failure_that_says_what_to_do() -> None:
    case = parse_report(Report(findings=(FINDING,)), CHECK)[0][0]

    assert case.attrib == {"classname": "web.yaml", "name": "deployment.apps/web: selector-changed"}
    assert case[0].tag == "failure"
    assert case[0].attrib == {"type": "error", "message": FINDING.message}
    assert case[0].text == f"web.yaml:5:3: {FINDING.message}\n{FINDING.fix}"


def test_a_finding_of_severity_info_is_no_failure() -> None:
    whole = parse_report(Report(findings=(replace(FINDING, severity=Severity.INFO),)), CHECK)

    assert whole.attrib["failures"] == "0"
    assert whole[0][0][0].tag == "system-out"


def test_a_rejection_is_a_failure() -> None:
    case = parse_report(REFUSED)[0][0]

    assert case.attrib["name"] == "deployment.apps/web in shop: rejected"
    assert case[0].attrib == {"type": "rejected", "message": "spec.selector: field is immutable"}
    assert case[0].text == REJECTED.remedy


def test_an_object_that_is_applied_passes() -> None:
    case = parse_report(Report(outcomes=((DOCUMENT, CONFIGURED),)))[0][0]

    assert (case.attrib["name"], list(case)) == ("deployment.apps/web in shop: configured", [])


def test_a_run_that_found_nothing_has_passed() -> None:
    whole = parse_report(Report(), Context())

    assert whole.attrib == {"name": "applylint check", "tests": "1", "failures": "0", "errors": "0"}


SKIPS = (Skip(("b",), WEB, "no <secrets>; no jobs"), Skip(("a",), WEB, "no jobs"), Skip(("b",), TOKEN, "no <secrets>"))


def test_rules_that_could_not_run_are_no_test_cases() -> None:
    (suite,) = parse_report(Report(skips=SKIPS))

    assert [case.attrib["name"] for case in suite.findall("testcase")] == ["plan"]
    assert suite.findtext("system-out") == (
        "skipped: a on 1 object: no jobs\nskipped: b on 2 objects: no <secrets>; no jobs"
    )


def test_rules_that_could_not_run_are_reported_beside_the_tests_of_files() -> None:
    report = Report(outcomes=((DOCUMENT, CONFIGURED),), skips=SKIPS)
    ours, file = parse_report(report)

    assert (ours.attrib["name"], ours.attrib["tests"], file.find("system-out")) == ("applylint", "0", None)
    SCHEMA.validate(junit(report, PLAN))


def test_findings_about_a_plan_do_not_fail_it() -> None:
    report = Report(findings=(FINDING,), outcomes=((DOCUMENT, CONFIGURED),))

    assert parse_report(report).attrib["failures"] == "0"
