import json
from dataclasses import replace
from importlib import resources

import jsonschema
import pytest

from kubectl_applylint.core.outcome import Change, FieldError, Outcome, Provenance, Verdict, Why
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.comparison import (
    ComparedEffect,
    compare_reports,
    comparison_json,
    comparison_text,
    effect_of,
)
from kubectl_applylint.report.context import Context
from tests.report.samples import WEB
from tests.rules.stories import document

SCHEMA = json.loads(resources.files("kubectl_applylint.report").joinpath("schemas/comparison-v1.json").read_text())
SETTINGS = replace(WEB, api_version="v1", kind="ConfigMap", name="settings")
LIVE = {"kind": "Deployment"}


def change(path: str, before: Json | Missing = MISSING, after: Json | Missing = MISSING) -> Change:
    return Change(parse(path), before, after, Provenance(Why.SET))


REPLICAS = change("spec.replicas", 3, 1)
CONFIGURED = Outcome(WEB, Verdict.CONFIGURED, result=LIVE, changes=(REPLICAS,))
KEPT = Outcome(SETTINGS, Verdict.KEPT)
REFUSED = Outcome(WEB, Verdict.REJECTED, errors=(FieldError("spec", "Invalid", "field is immutable"),))


def report(*outcomes: Outcome) -> Report:
    item = document({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}})
    unit = UnitReport("shop", "folder", "kubectl", applies=len(outcomes))
    return Report(outcomes=tuple((item, outcome) for outcome in outcomes), units=(unit,))


REPORTS = {
    "kubectl": report(CONFIGURED, KEPT),
    "helm4": report(CONFIGURED, replace(KEPT, verdict=Verdict.PRUNED)),
    "flux": report(REFUSED, KEPT),
}


def test_the_objects_that_depend_on_the_program_are_shown() -> None:
    assert comparison_text(REPORTS, Context()) == (
        "2 of 2 objects differ between kubectl, helm4 and flux, each as if it had also applied the earlier revision\n\n"
        f"{WEB} in shop (shop)\n"
        "  kubectl, helm4  configured\n"
        "    spec.replicas: 3 → 1\n"
        "  flux            rejected\n"
        "    field is immutable\n\n"
        "configmap/settings in shop (shop)\n"
        "  kubectl, flux  stays in the cluster\n"
        "  helm4          deleted\n"
    )


def test_equal_changes_are_not_repeated() -> None:
    more = replace(CONFIGURED, changes=(REPLICAS, change("spec.paused", after=True)))
    text = comparison_text({"kubectl": report(CONFIGURED), "helm3": report(more)}, Context())

    assert text.splitlines()[3:] == [
        "  kubectl  configured",
        "  helm3    configured",
        "    spec.paused: (absent) → true",
    ]


def test_objects_with_equal_results_share_a_block() -> None:
    names = [replace(SETTINGS, name=f"settings-{number}") for number in range(8)]
    kept = [Outcome(ref, Verdict.KEPT) for ref in names]
    reports = {"kubectl": report(*kept), "helm4": report(*(replace(one, verdict=Verdict.PRUNED) for one in kept))}

    assert comparison_text(reports, Context()).count("settings-") == 5
    assert "3 more objects (-v to list)\n" in comparison_text(reports, Context())
    assert comparison_text(reports, Context(verbose=True)).count("settings-") == 8


@pytest.mark.parametrize(
    ("outcome", "effect"),
    [
        (None, ComparedEffect("not applied")),
        (Outcome(WEB, Verdict.CREATED), ComparedEffect("created")),
        (
            replace(CONFIGURED, verdict=Verdict.SERVERSIDE_APPLIED),
            ComparedEffect("configured", {REPLICAS.path: REPLICAS}),
        ),
        (replace(CONFIGURED, verdict=Verdict.SERVERSIDE_APPLIED, changes=()), ComparedEffect("unchanged")),
        (replace(CONFIGURED, changes=(change("metadata.managedFields", [], [{}]),)), ComparedEffect("unchanged")),
        (
            Outcome(WEB, Verdict.SERVERSIDE_APPLIED, changes=(change("kind", after="Deployment"),), result=LIVE),
            ComparedEffect("created"),
        ),
        (REFUSED, ComparedEffect("rejected", {}, ("field is immutable",))),
        (Outcome(WEB, Verdict.UNKNOWN), ComparedEffect("unknown")),
    ],
)
def test_an_effect_has_the_same_words_for_all_programs(outcome: Outcome | None, effect: ComparedEffect) -> None:
    assert effect_of(outcome) == effect


def test_an_object_that_only_one_program_knows_is_not_applied_by_the_others() -> None:
    (one,) = compare_reports({"kubectl": report(), "helm4": report(KEPT)})

    assert {applier: effect.word for applier, effect in one.effects.items()} == {
        "kubectl": "not applied",
        "helm4": "stays in the cluster",
    }


def test_json_follows_its_schema_and_has_all_objects() -> None:
    same = {name: replace(one, problems=(Problem("a.yaml", "bad", "fix"),)) for name, one in REPORTS.items()}
    comparison = json.loads(comparison_json({**same, "helm3": REPORTS["kubectl"]}, Context()))

    jsonschema.validate(comparison, SCHEMA)
    assert comparison["appliers"] == ["kubectl", "helm4", "flux", "helm3"]
    assert [one["differs"] for one in comparison["objects"]] == [True, True]
    assert len(comparison["problems"]) == 1
