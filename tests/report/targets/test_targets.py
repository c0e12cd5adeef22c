"""Plans of several targets, by object, effect and cause."""

import json
from dataclasses import replace
from importlib import resources

import jsonschema

from kubectl_applylint.core.outcome import (
    Change,
    Conflict,
    FieldError,
    Outcome,
    Owner,
    OwnerChange,
    Provenance,
    Verdict,
    Why,
)
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.targets import (
    TargetReport,
    cause_of,
    effects_of,
    group_objects,
    rollout,
    summary,
    targets_json,
    targets_text,
)
from tests.report.samples import WEB
from tests.report.test_comparison import CONFIGURED, LIVE, REPLICAS, change

SCHEMA = json.loads(resources.files("kubectl_applylint.report").joinpath("schemas/targets-v1.json").read_text())
UNCHANGED = Outcome(WEB, Verdict.UNCHANGED, result=LIVE)


def immutable_outcome(selector: str) -> Outcome:
    message = f"Invalid value: {selector}: field is immutable"
    return Outcome(WEB, Verdict.REJECTED, errors=(FieldError("spec.selector", "Invalid", message),))


def target(name: str, *outcomes: Outcome, unit: str = "shop") -> TargetReport:
    """Return the plan of a target with one unit."""
    refused = sum(outcome.refused for outcome in outcomes)
    return TargetReport(name, (f"region={name}",), effects_of(unit, outcomes), refused)


FOUR = [
    target("ap", immutable_outcome("a")),
    target("dev", UNCHANGED),
    target("eu", CONFIGURED),
    target("us", immutable_outcome("b")),
]


def test_targets_are_grouped_by_cause_and_not_by_value() -> None:
    assert targets_text(FOUR, Context()) == (
        "4 targets: 2 rejected, 1 configured, 1 unchanged\n"
        "rollout order: dev, eu, ap, us\n\n"
        "deployment.apps/web in shop (shop)\n"
        "  rejected in 2 of 4 targets: spec.selector: Invalid value: a: field is immutable\n"
        "    ap, us\n"
        "  configured in 1 of 4 targets: spec.replicas\n"
        "    eu\n"
        "  unchanged in 1 of 4 targets\n"
        "    dev\n"
    )


def test_objects_unchanged_everywhere_are_shown_with_v() -> None:
    quiet = [target("eu", UNCHANGED), target("us", UNCHANGED)]

    assert targets_text(quiet, Context()) == "2 targets: 2 unchanged\nrollout order: eu, us\n"
    assert "unchanged in 2 of 2 targets" in targets_text(quiet, Context(verbose=True))


def test_the_first_of_many_targets_are_named() -> None:
    many = [target(f"c{number:02}", CONFIGURED) for number in range(12)]

    assert "c00, c01, c02, c03, c04, c05, c06, c07, 4 more (-v to list)" in targets_text(many, Context())
    assert "c11" in targets_text(many, Context(verbose=True)).splitlines()[-1]


def test_a_target_that_could_not_be_read_is_reported_and_comes_last() -> None:
    lost = TargetReport("lost", problems=(Problem("lost.json", "no such file"),))
    text = targets_text([lost, *FOUR[1:3]], Context())

    assert rollout([lost, *FOUR]) == ("dev", "eu", "lost", "ap", "us")
    assert summary([lost, *FOUR[1:3]]) == "3 targets: 1 configured, 1 unchanged, 1 incomplete"
    assert text.endswith("lost: lost.json: problem: no such file\n")
    assert summary([TargetReport("empty")]) == "1 target: no objects"


def test_json_follows_its_schema() -> None:
    document = json.loads(targets_json(FOUR, Context()))

    jsonschema.validate(document, SCHEMA)
    assert [(one["name"], one["worst"], one["order"]) for one in document["targets"]] == [
        ("ap", "rejected", 3),
        ("dev", "unchanged", 1),
        ("eu", "configured", 2),
        ("us", "rejected", 4),
    ]
    assert [group["targets"] for group in document["objects"][0]["groups"]] == [["ap", "us"], ["eu"], ["dev"]]


def test_the_worst_object_comes_first() -> None:
    other = replace(CONFIGURED, ref=replace(WEB, name="other"))
    first, second = group_objects([target("eu", other, immutable_outcome("a")), target("us", other)])

    assert (first.ref.name, first.number, second.number) == ("web", 1, 2)


def test_an_apply_without_units_still_has_objects() -> None:
    plan = target("eu", CONFIGURED, unit="")

    assert plan.units == {"": Impact.CONFIGURED}
    assert "(shop)" not in targets_text([plan], Context())


def test_a_unit_is_as_bad_as_its_worst_object() -> None:
    assert target("eu", UNCHANGED, immutable_outcome("a")).units == {"shop": Impact.REJECTED}


def test_a_missing_part_is_reported() -> None:
    missing = [Problem("part 2 of 2", "it is missing")]

    assert targets_text(FOUR, Context(), missing).endswith("\npart 2 of 2: problem: it is missing\n")
    assert json.loads(targets_json(FOUR, Context(), missing))["problems"][0]["where"] == "part 2 of 2"


def test_a_cause_names_the_owner_that_loses_fields() -> None:
    hpa, ours = Owner("hpa", "Update"), Owner("kubectl", "Apply")
    lost = replace(CONFIGURED, owner_changes=(OwnerChange(parse("spec.replicas"), (hpa,), (ours,)),))
    text = targets_text([target("eu", lost), target("us", CONFIGURED)], Context())

    assert "taken over in 1 of 2 targets: spec.replicas; hpa (update) loses spec.replicas\n    eu\n" in text


def test_causes_are_one_line() -> None:
    defaulted = Change(parse("spec.paused"), 1, 2, Provenance(Why.DEFAULTED))
    fields = tuple(change(f"spec.f{number}", 1, 2) for number in range(6))
    conflict = Conflict(parse("spec.replicas"), Owner("hpa", "Update"), "conflict")

    assert cause_of(replace(CONFIGURED, changes=(defaulted, REPLICAS))) == "spec.replicas"
    assert cause_of(replace(CONFIGURED, changes=(defaulted,))) == "spec.paused"
    assert cause_of(replace(CONFIGURED, changes=fields)) == "spec.f0, spec.f1, spec.f2, spec.f3, 2 more fields"
    assert cause_of(Outcome(WEB, Verdict.CONFLICT, conflicts=(conflict,))) == "spec.replicas is owned by hpa (update)"
    assert cause_of(Outcome(WEB, Verdict.REJECTED, error="no\nluck")) == r"no\nluck"
    assert len(cause_of(immutable_outcome("x" * 999))) == 200
