from dataclasses import replace

from kubectl_applylint.core.outcome import CERTAIN, Outcome, Verdict, Why
from kubectl_applylint.core.paths import Field, fields
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.fix_blocks import FixBlock
from kubectl_applylint.report.review.review import Review, review
from tests.report.samples import CONFIGURED, DOCUMENT, DOUBTFUL, FINDING, REJECTED, REPORT, STRIKING, WEB, change

PLAN = Context(command="plan", version="1.2.3", time="2026-07-01 10:00 UTC")
DEV, PROD = (UnitReport(name, "folder", "kubectl", applies=1) for name in ("dev", "prod"))
CALM = replace(CONFIGURED, confidence=CERTAIN, changes=CONFIGURED.changes[1:2], restarts=None)


def review_of(*outcomes: Outcome, units: tuple[UnitReport, ...] = ()) -> Review:
    applies = tuple((replace(DOCUMENT, ref=outcome.ref), outcome) for outcome in outcomes)
    return review(Report(outcomes=applies, units=units), PLAN)


def test_a_review_says_what_the_text_says() -> None:
    found = review(replace(REPORT, findings=()), PLAN)
    (part,) = found.units[0].parts

    assert (found.command, found.summary, found.version) == ("plan", "1 restarted; incomplete: 1 problem", "1.2.3")
    assert (found.compared, found.time) == (("compared with snapshot prod.yaml (3 days old)",), "2026-07-01 10:00 UTC")
    assert (part.word, part.title, part.more) == (
        "restarted",
        "deployment.apps/web in shop",
        ": configured, its pods restart",
    )
    assert part.names == ("web.yaml:1:1",)
    assert part.diff == (
        "@@ spec.replicas (deleted because last-applied had it) @@",
        "- 7",
        "@@ spec.selector.matchLabels.app (set by the manifest, line 5) @@",
        '- "web"',
        '+ "shop"',
        "@@ spec.paused (new entry, key name=web) @@",
        "+ true",
    )


def test_notes_say_how_far_to_trust_it_and_name_no_flags() -> None:
    notes = review(REPORT, PLAN).notes

    assert notes[0].startswith("broken.yaml:3:1: problem: ")
    assert notes[-2] == "confidence: medium. The snapshot is 3 days old"
    assert notes[-1] == "exit code 3: some input could not be read"
    assert not [note for note in notes if " -v" in note or "(-v" in note or "--show-known" in note]


def test_units_come_worst_first_and_are_named_where_there_are_several() -> None:
    found = review_of(CALM, REJECTED, units=(DEV, PROD))

    assert [unit.name for unit in found.units] == ["prod (folder)", "dev (folder)"]
    assert found.summary == "2 units: 1 rejected, 1 configured"
    assert review_of(CALM).units[0].name == ""


def test_the_same_in_several_units_is_one_part_that_counts_for_all() -> None:
    found = review_of(CALM, CALM, units=(DEV, PROD))

    assert [unit.name for unit in found.units] == ["dev, prod (folder)"]
    assert [part.objects for part in found.units[0].parts] == [2]


def test_a_rejection_is_grave_and_has_its_remedy() -> None:
    (part,) = review_of(REJECTED).units[0].parts

    assert part.is_grave
    assert part.notes == (
        "reason: spec.selector: field is immutable",
        "remedy: delete the deployment and create it again; its pods are gone meanwhile",
        "warning: spec.paused: deprecated",
    )
    (part,) = review_of(replace(REJECTED, changes=CONFIGURED.changes)).units[0].parts
    assert part.notes[-1] == "would have changed:"


def test_objects_with_equal_results_are_one_part() -> None:
    new = [Outcome(replace(WEB, name=f"web-{number}"), Verdict.CREATED) for number in range(12)]
    (part,) = review_of(*new).units[0].parts

    assert (part.title, part.objects, part.is_grave) == ("12 × Deployment", 12, False)
    assert part.names[0] == "web.yaml:1:1: deployment.apps/web-0 in shop: created"
    assert part.names[-1] == "2 more objects: 2 × Deployment"


def test_new_chart_labels_of_pods_that_restart_are_one_part_with_their_names() -> None:
    one, other = (replace(label_change(name), restarts=True) for name in "ab")
    (part,) = review_of(one, other).units[0].parts

    assert f"{part.title}{part.more}" == "2 × Deployment: only chart labels, checksums and CA bundles change"
    assert (part.names, part.diff) == (("deployment.apps/a in shop", "deployment.apps/b in shop"), ())


def test_objects_with_noise_only_are_counted() -> None:
    found = review_of(label_change("a"), label_change("b"), replace(CALM, ref=replace(WEB, name="c")))

    assert found.facts.noise == (("Deployment", 2),)
    assert [part.title for part in found.units[0].parts] == ["deployment.apps/c in shop"]
    assert review_of(label_change("a")).units == ()


def label_change(name: str) -> Outcome:
    label = (*fields("metadata", "labels"), Field("helm.sh/chart"))
    return replace(CALM, ref=replace(WEB, name=name), changes=(change(label, "web-1", f"web-{name}", Why.SET),))


def test_a_line_is_named_only_where_there_is_one() -> None:
    other = replace(CALM, ref=replace(WEB, name="other"))
    (part,) = review_of(CALM, other).units[0].parts

    assert part.diff[0] == "@@ spec.selector.matchLabels.app (set by the manifest) @@"


def test_findings_are_parts_with_what_to_type() -> None:
    found = review(Report(findings=(DOUBTFUL, STRIKING), checked=2), replace(PLAN, command="check"))
    error, warning = found.units[0].parts

    assert found.summary == "1 error, 1 warning in 2 objects"
    assert (error.word, error.more, error.names, error.is_grave) == (
        "error",
        " [selector-changed]",
        ("web.yaml:5:3",),
        True,
    )
    assert error.fixes == (
        FixBlock("", tuple(FINDING.fix.splitlines()[:1])),
        FixBlock("", tuple(FINDING.fix.splitlines()[1:]), ("orphaned pods",), continues=True),
    )
    assert error.notes[0] == "see service.yaml:7:5: this Service selects the same pods"
    assert warning.notes == ("confidence: medium",)


def test_infos_are_one_line_for_each_rule() -> None:
    info = replace(FINDING, severity=Severity.INFO)
    other = replace(info, location=DOUBTFUL.location)
    (part,) = review(Report(findings=(info, other)), Context()).units[0].parts

    assert (part.more, part.notes, part.fixes, part.objects) == (" [selector-changed]; 1 more finding", (), (), 2)


def test_nothing_to_apply_has_no_parts() -> None:
    found = review_of()

    assert (found.summary, found.units, found.notes) == ("no objects", (), ())


def test_hazards_are_lines_of_a_part_and_errors_are_grave() -> None:
    applies = ((DOCUMENT, CALM),)
    (part,) = review(Report(outcomes=applies, findings=(DOUBTFUL,)), PLAN).units[0].parts

    assert part.hazards == (f"warning: {DOUBTFUL.message} [last-applied-missing]",)
    assert not part.is_grave
    assert review(Report(outcomes=applies, findings=(FINDING,)), PLAN).units[0].parts[0].is_grave


def test_an_object_with_noise_and_a_hazard_is_a_part() -> None:
    found = review(Report(outcomes=((DOCUMENT, label_change("web")),), findings=(DOUBTFUL,)), PLAN)

    assert found.units[0].parts[0].hazards
