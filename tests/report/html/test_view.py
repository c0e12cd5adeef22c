from dataclasses import replace

from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.html.margins import NO_OWNER
from kubectl_applylint.report.html.view import page_view
from tests.report.html.samples import CHECK, DEV, PLAN, PROD
from tests.report.review.test_review import label_change
from tests.report.samples import DOCUMENT, DOUBTFUL, FINDING, REPORT

AS_PLAN = Context(command="plan")


def test_a_plan_has_the_order_of_the_text() -> None:
    view = page_view(PLAN, AS_PLAN)

    assert view.summary == "2 units: 1 rejected, 1 configured, 1 created, 1 orphaned; incomplete: 1 problem"
    assert view.ending == "exit code 3: some input could not be read"
    assert [(one.key, one.number) for one in view.filters] == [
        ("rejected", 1),
        ("configured", 1),
        ("created", 1),
        ("orphaned", 1),
    ]
    assert [[one.verdict for one in section.objects] for section in view.sections] == [
        ["rejected", "created"],
        ["configured", "orphaned"],
    ]
    assert [section.title for section in view.sections] == ["dev (folder)", "prod (folder)"]
    assert view.notes[0] == "compared with snapshot prod.yaml (3 days old)"


def test_rejected_objects_are_unfolded() -> None:
    view = page_view(PLAN, AS_PLAN)

    assert [one.verdict for section in view.sections for one in section.objects if one.is_open] == ["rejected"]


def test_objects_with_noise_only_are_folded_into_one_line() -> None:
    changed = [label_change("a"), label_change("b"), replace(label_change("c"), restarts=True)]
    view = page_view(plan_report(*changed), AS_PLAN)

    (section,) = view.sections
    assert [one.name for one in section.objects] == ["deployment.apps/c"]
    assert [one.name for one in section.noise] == ["deployment.apps/a", "deployment.apps/b"]
    assert section.noise_kinds == "2 × Deployment"
    (alone,) = page_view(plan_report(label_change("a")), AS_PLAN).sections
    assert (len(alone.objects), alone.noise) == (1, ())
    (listed,) = page_view(plan_report(*changed), Context(command="plan", verbose=True)).sections
    assert len(listed.objects) == 3


def plan_report(*outcomes: Outcome) -> Report:
    return Report(outcomes=tuple((replace(DOCUMENT, ref=one.ref), one) for one in outcomes))


def test_owners_have_colours_by_how_much_they_own() -> None:
    assert list(page_view(PLAN, AS_PLAN).legend.items()) == [
        ("kubectl", 1),
        ("kube-controller-manager (update)", 2),
        (NO_OWNER, 0),
    ]


def test_the_picture_says_what_happens_in_each_unit() -> None:
    picture = page_view(PLAN, AS_PLAN).picture

    assert picture
    assert [(box.name, box.words, box.role) for box in picture.boxes] == [
        ("dev", "1 rejected, 1 created", "error"),
        ("prod", "1 configured, 1 orphaned", "changed"),
    ]


def test_a_check_has_findings_and_no_objects() -> None:
    (section,) = page_view(CHECK, Context()).sections

    assert [(one.key, one.is_open) for one in section.findings] == [("error", True), ("warning", True)]
    assert section.objects == ()


def test_findings_are_by_units_and_infos_stay_folded() -> None:
    both, one = (replace(FINDING, units=("dev", "prod")), replace(DOUBTFUL, units=("dev",), severity=Severity.INFO))
    view = page_view(replace(CHECK, findings=(both, one), units=(DEV, PROD)), Context())

    assert [(section.title, section.anchors) for section in view.sections] == [
        ("dev, prod (folder)", (0, 1)),
        ("dev (folder)", ()),
    ]
    assert [one.is_open for section in view.sections for one in section.findings] == [True, False]
    assert view.anchors == {0, 1}
    assert view.picture
    assert [box.words for box in view.picture.boxes] == ["1 error, 1 info", "1 error"]


def test_a_unit_without_anything_has_no_section() -> None:
    empty = UnitReport("empty", "folder", "kubectl")
    view = page_view(replace(PLAN, units=(DEV, PROD, empty)), AS_PLAN)

    assert view.picture
    assert [box.words for box in view.picture.boxes if box.anchor not in view.anchors] == ["no objects"]


def test_an_empty_report_is_a_page() -> None:
    assert page_view(Report(), AS_PLAN).sections == ()
    assert page_view(replace(REPORT, units=()), AS_PLAN).picture is None
