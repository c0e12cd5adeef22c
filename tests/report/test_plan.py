from collections.abc import Sequence
from dataclasses import replace

import pytest

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.outcome import (
    CERTAIN,
    Conflict,
    FieldError,
    Outcome,
    Owner,
    OwnerChange,
    Verdict,
    Why,
    Write,
)
from kubectl_applylint.core.paths import Field, fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.plan import last_applies, plan_text
from tests.report.samples import CONFIGURED, CONTAINER, DOCUMENT, REJECTED, REPORT, TOKEN, WEB, change, document

CONTEXT = Context(command="plan")


def plan_of(outcome: Outcome, context: Context = CONTEXT) -> str:
    return plan_text(Report(outcomes=((DOCUMENT, outcome),), checked=1), context)


def test_an_object_of_the_cluster_has_no_lines() -> None:
    document = replace(DOCUMENT, file="shop/deployment.apps/web", positions=InCluster())
    text = plan_text(Report(outcomes=((document, CONFIGURED),)), CONTEXT)

    assert "\n\ndeployment.apps/web in shop: configured" in text
    assert '"web" → "shop" (set by the manifest)\n' in text


def test_a_plan_says_what_changes_and_why() -> None:
    assert plan_text(replace(REPORT, findings=()), CONTEXT) == (
        "1 restarted; incomplete: 1 problem\n"
        "\n"
        "web.yaml:1:1: deployment.apps/web in shop: configured, its pods restart\n"
        "    - spec.replicas: 7 (deleted because last-applied had it)\n"
        '    ~ spec.selector.matchLabels.app: "web" → "shop" (set by the manifest, line 5)\n'
        "    + spec.paused: true (new entry, key name=web)\n"
        "\n"
        "confidence: medium. The snapshot is 3 days old\n"
        "broken.yaml:3:1: problem: not YAML: a tab indents this line; indent with spaces\n"
        "skipped: 1 rule that could not run: live state is unknown (-v to list)\n"
        "1 finding hidden by comments (-v to list)\n"
        "web.yaml:2:3: note: this comment does not hide port-lost: it expired on 2026-06-30\n"
        "exit code 3: some input could not be read\n"
    )


def test_a_rejected_later_write_mentions_the_creation() -> None:
    writes = (Write("POST", "", {}), Write("PUT", "", {}))
    later = replace(REJECTED, requests=writes, result={"kind": "Deployment"})

    assert "rejected (HTTP 422), after it was created\n" in plan_of(later)
    assert "not stored" in plan_of(replace(later, requests=writes[:1]))
    assert "not stored" in plan_of(replace(later, result=None))


def test_a_rejection_has_its_reason_and_remedy() -> None:
    assert plan_of(REJECTED) == (
        "1 rejected\n"
        "\n"
        "web.yaml:1:1: deployment.apps/web in shop: rejected (HTTP 422), not stored\n"
        "    reason: spec.selector: field is immutable\n"
        "    remedy: delete the deployment and create it again; its pods are gone meanwhile\n"
        "    warning: spec.paused: deprecated\n"
        "\n"
        "exit code 1: 1 object would be rejected\n"
    )


def test_a_rejection_shows_the_intended_changes() -> None:
    image = change(CONTAINER, "web:1", "web:2", Why.SET)

    text = plan_of(replace(REJECTED, changes=(image,), result={}, restarts=True))

    heading, shown = text.splitlines()[5:7]
    assert heading == "    would have changed:"
    assert '"web:1" → "web:2"' in shown
    assert "its pods restart" not in text


def test_a_rejected_new_object_does_not_repeat_the_file() -> None:
    image = change(CONTAINER, MISSING, "web:2", Why.SET)

    text = plan_of(replace(REJECTED, changes=(image,), result=None))

    assert "would have changed" not in text
    assert "image" not in text


def test_a_conflict_names_the_other_manager() -> None:
    path, words = fields("spec", "replicas"), 'conflict with "hpa" using autoscaling/v2'
    cause, conflict = (
        FieldError(".spec.replicas", "FieldManagerConflict", words),
        Conflict(path, Owner("hpa", "Update"), words),
    )
    moves = OwnerChange(path, (Owner("hpa", "Update"),), (Owner("ci", "Apply"),))
    outcome = Outcome(WEB, Verdict.CONFLICT, errors=(cause,), conflicts=(conflict,), status=409, owner_changes=(moves,))

    assert plan_of(outcome) == (
        "1 conflict\n"
        "\n"
        "web.yaml:1:1: deployment.apps/web in shop: conflict (HTTP 409), not stored\n"
        '    conflict with "hpa" using autoscaling/v2: spec.replicas\n'
        "\n"
        "exit code 1: 1 object would be rejected\n"
    )


CI, HPA, SCALE = Owner("ci", "Apply"), Owner("hpa", "Update"), Owner("kubectl", "Update", "scale")


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        pytest.param((HPA,), (CI,), "owner of spec.a: hpa (update) → ci", id="taken"),
        pytest.param((SCALE,), (CI, HPA), "owner of spec.a: kubectl (update of scale) → ci, hpa (update)", id="scaled"),
        pytest.param((CI,), (), "spec.a has no owner afterwards: no later apply removes it", id="orphaned"),
        pytest.param((CI, HPA), (HPA,), "ci loses spec.a, still owned by hpa (update)", id="shared before"),
    ],
)
def test_a_plan_says_who_loses_what(before: tuple[Owner, ...], after: tuple[Owner, ...], line: str) -> None:
    moves = (OwnerChange(fields("spec", "a"), before, after), OwnerChange(fields("spec", "b"), (), (CI,)))
    text = plan_of(Outcome(WEB, Verdict.SERVERSIDE_APPLIED, owner_changes=moves))

    assert text.splitlines()[3:] == [f"    {line}"]


def test_many_losses_are_named_on_demand() -> None:
    moves = tuple(OwnerChange(fields("spec", name), (HPA,), (CI,)) for name in "abcde")
    outcome = Outcome(WEB, Verdict.SERVERSIDE_APPLIED, owner_changes=moves)

    assert "    owner of spec.a, spec.b, spec.c and 2 more: hpa (update) → ci\n" in plan_of(outcome)
    assert "owner of spec.a, spec.b, spec.c, spec.d, spec.e: hpa (update) → ci\n" in plan_of(
        outcome, replace(CONTEXT, verbose=True)
    )


def test_a_new_object_is_reported_in_one_line() -> None:
    changes = tuple(change(fields("spec", name), MISSING, 1, Why.SET) for name in ("a", "b"))
    created = Outcome(WEB, Verdict.CREATED, changes=changes)

    assert "spec.a" not in plan_of(created)
    assert "    + spec.a: 1 (set by the manifest)\n" in plan_of(created, replace(CONTEXT, verbose=True))


def test_a_doubt_about_all_objects_is_reported_once() -> None:
    other = document(TOKEN, {})
    doubt = CONFIGURED.confidence
    shared = Report(outcomes=((DOCUMENT, CONFIGURED), (other, Outcome(TOKEN, Verdict.UNCHANGED, confidence=doubt))))
    apart = Report(outcomes=((DOCUMENT, CONFIGURED), (other, Outcome(TOKEN, Verdict.UNCHANGED))))

    assert plan_text(shared, CONTEXT).endswith("\n\nconfidence: medium. The snapshot is 3 days old\n")
    assert "    confidence: medium (the snapshot is 3 days old)\n" in plan_text(apart, CONTEXT)


def test_fields_of_only_the_live_object_are_shown_on_request() -> None:
    paused = Outcome(WEB, Verdict.UNCHANGED, changes=(change(fields("spec", "paused"), True, True, Why.KEPT),))

    assert "paused" not in plan_of(paused)
    assert "    = spec.paused: true (kept from live)\n" in plan_of(paused, replace(CONTEXT, verbose=True))


def test_a_rename_is_reported() -> None:
    renamed = Outcome(WEB, Verdict.CREATED, renamed_from=replace(WEB, name="old"))

    assert "web in shop: created, was deployment.apps/old\n" in plan_of(renamed)


def test_an_object_that_moves_to_another_namespace_names_the_earlier_one() -> None:
    moved = Outcome(WEB, Verdict.CREATED, renamed_from=replace(WEB, namespace="old"))

    assert "web in shop: created, was deployment.apps/web in old\n" in plan_of(moved)


def test_the_last_apply_of_an_object_decides() -> None:
    report = Report(outcomes=((DOCUMENT, CONFIGURED), (DOCUMENT, REJECTED)))

    assert last_applies(report.outcomes) == ((DOCUMENT, REJECTED),)


def test_every_document_of_an_object_names_the_places_of_the_others() -> None:
    other = replace(DOCUMENT, file="other.yaml")
    text = plan_text(Report(outcomes=((DOCUMENT, Outcome(WEB, Verdict.CREATED)), (other, REJECTED))), CONTEXT)

    assert text == (
        "1 rejected, 1 created\n"
        "\n"
        "other.yaml:1:1: deployment.apps/web in shop: rejected (HTTP 422), not stored\n"
        "    document 2 of 2 for this object, see web.yaml:1:1\n"
        "    reason: spec.selector: field is immutable\n"
        "    remedy: delete the deployment and create it again; its pods are gone meanwhile\n"
        "    warning: spec.paused: deprecated\n"
        "web.yaml:1:1: deployment.apps/web in shop: created\n"
        "    document 1 of 2 for this object, see other.yaml:1:1\n"
        "\n"
        "exit code 1: 1 object would be rejected\n"
    )


def test_a_plan_without_objects_has_one_line() -> None:
    assert plan_text(Report(), CONTEXT) == "no objects\n"
    assert plan_text(Report(), replace(CONTEXT, revision="HEAD")) == "no changes\n"


def test_a_plan_that_is_incomplete_is_never_without_changes() -> None:
    report = Report(problems=(Problem("a.yaml", "it cannot be read"),))

    assert plan_text(report, replace(CONTEXT, revision="HEAD")).startswith("no objects; incomplete: 1 problem\n")


def of_units(*units: UnitReport, outcomes: Sequence[tuple[Document, Outcome]]) -> str:
    return plan_text(Report(outcomes=tuple(outcomes), units=units), CONTEXT)


def test_changes_in_several_units_are_reported_once() -> None:
    outcome = replace(CONFIGURED, confidence=CERTAIN, changes=CONFIGURED.changes[1:2])
    other = replace(outcome, ref=replace(WEB, namespace="test"))
    same = replace(DOCUMENT, file="test.yaml", ref=other.ref)
    units = (UnitReport("prod", "folder", "kubectl", applies=1), UnitReport("test", "folder", "kubectl", applies=1))

    assert of_units(*units, outcomes=[(DOCUMENT, outcome), (same, other)]) == (
        "2 units: 2 restarted\n"
        "\n"
        "prod, test (folder)\n"
        "web.yaml:1:1, test.yaml:1:1: deployment.apps/web in shop, test: configured, its pods restart\n"
        '    ~ spec.selector.matchLabels.app: "web" → "shop" (set by the manifest)\n'
    )


def test_units_with_different_results_are_listed_worst_first() -> None:
    units = (UnitReport("a", "folder", "kubectl", applies=1), UnitReport("b", "chart", "helm", applies=1))
    text = of_units(*units, outcomes=[(DOCUMENT, Outcome(WEB, Verdict.CREATED)), (DOCUMENT, REJECTED)])
    heads = [line for line in text.splitlines() if line.startswith(("a", "b"))]

    assert heads == ["b (chart, applied by Helm)", "a (folder)"]


def test_units_of_different_forms_and_many_of_them_are_counted() -> None:
    forms = ("folder", "kustomization")
    units = [UnitReport(f"unit-{number}", forms[number % 2], "kubectl", applies=1) for number in range(8)]
    line = of_units(*units, outcomes=[(DOCUMENT, REJECTED)] * 8).splitlines()[2]

    assert line.startswith("unit-0 (folder), unit-1 (kustomization), ")
    assert line.endswith("unit-4 (folder) and 3 units more")


def test_the_only_unit_is_named_where_it_says_more_than_the_places() -> None:
    unit = UnitReport("apps", "folder", "flux", namespace="shop", target="prod", applies=1)

    assert of_units(unit, outcomes=[(DOCUMENT, Outcome(WEB, Verdict.UNCHANGED))]) == (
        "apps (folder, applied by Flux, namespace shop, target prod): 1 unchanged\n"
    )


def many(outcome: Outcome, number: int) -> list[tuple[Document, Outcome]]:
    refs = [replace(WEB, name=f"web-{position}") for position in range(number)]
    return [(replace(DOCUMENT, ref=ref), replace(outcome, ref=ref)) for ref in refs]


def test_one_cause_of_many_rejections_is_reported_once() -> None:
    text = plan_text(Report(outcomes=tuple(many(REJECTED, 9))), CONTEXT)

    assert text.count("rejected (HTTP 422)") == 5
    assert "4 more objects (-v to list): 4 × Deployment\n    reason: spec.selector: field is immutable\n" in text
    assert text.count("reason:") == 1


def test_deleted_objects_are_always_listed() -> None:
    pruned = plan_text(Report(outcomes=tuple(many(Outcome(WEB, Verdict.PRUNED), 30))), CONTEXT)
    created = plan_text(Report(outcomes=tuple(many(Outcome(WEB, Verdict.CREATED), 30))), CONTEXT)

    assert (pruned.count(": pruned"), created.count(": created")) == (30, 10)
    assert created.endswith("20 more objects (-v to list): 20 × Deployment\n")


def test_objects_that_may_be_removed_are_counted() -> None:
    text = plan_text(Report(outcomes=tuple(many(Outcome(WEB, Verdict.MAY_BE_REMOVED), 30))), CONTEXT)

    assert text.count(": may be removed\n") == 10
    assert "20 more objects (-v to list): 20 × Deployment\n" in text


def test_an_invisible_change_is_reported_with_its_reason() -> None:
    noted = replace(CONFIGURED, changes=CONFIGURED.changes[4:], restarts=False, confidence=CERTAIN)

    assert "    only the annotation changes that kubectl compares with\n" in plan_of(noted)


def upgrade(number: int, *, restarts: bool | None = None) -> tuple[Document, Outcome]:
    """Return an object of a chart whose labels and checksums are new, each with its own values."""
    labels, annotations = (fields("spec", "template", "metadata", name) for name in ("labels", "annotations"))
    changes = (
        change((*labels, Field("helm.sh/chart")), "web-1.0.0", f"web-1.0.{number}", Why.SET),
        change((*annotations, Field("checksum/config")), "a", f"b{number}", Why.SET),
    )
    ref = replace(WEB, name=f"web-{number}")
    outcome = Outcome(ref, Verdict.CONFIGURED, confidence=CERTAIN, changes=changes, restarts=restarts)
    return replace(DOCUMENT, ref=ref), outcome


def test_new_chart_labels_and_checksums_are_one_line() -> None:
    text = plan_text(Report(outcomes=tuple(map(upgrade, range(1, 4)))), CONTEXT)

    assert "\nonly chart labels, checksums and CA bundles change in 3 objects (-v to list): 3 × Deployment\n" in text
    assert "checksum/config" not in text


def test_objects_that_restart_for_new_chart_labels_are_named() -> None:
    text = plan_text(Report(outcomes=tuple(upgrade(number, restarts=True) for number in (1, 2))), CONTEXT)

    names = "deployment.apps/web-1 in shop, deployment.apps/web-2 in shop"
    assert f"only chart labels, checksums and CA bundles change in 2 objects, whose pods restart: {names}\n" in text


def test_a_single_object_and_a_verbose_plan_show_chart_labels() -> None:
    both = Report(outcomes=(upgrade(1), upgrade(2)))

    assert "checksum/config" in plan_text(Report(outcomes=(upgrade(1),)), CONTEXT)
    assert plan_text(both, replace(CONTEXT, verbose=True)).count("checksum/config") == 2


def test_objects_with_warnings_are_not_only_counted() -> None:
    warned = [(document, replace(outcome, warnings=("deprecated",))) for document, outcome in map(upgrade, (1, 2))]

    assert plan_text(Report(outcomes=tuple(warned)), CONTEXT).count("deprecated") == 2


def test_findings_stand_below_their_object() -> None:
    found = replace(REPORT, skips=(), problems=(), remarks=(), suppressed=())
    lines = plan_text(found, Context()).splitlines()

    assert lines[0] == "1 restarted; 1 error, 1 warning"
    assert lines[3].startswith("    error: the server refuses this deployment for good")
    assert lines[4].startswith("    warning: fields that you removed")
