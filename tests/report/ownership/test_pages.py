"""Common properties of the pages about ownership: each fits the published schema."""

import json
from importlib import resources

import jsonschema
import pytest

from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.adoption import adoption
from kubectl_applylint.ownership.field_history import field_history
from kubectl_applylint.ownership.field_ownership import ownership_of
from kubectl_applylint.ownership.handover import handover
from kubectl_applylint.ownership.migration import MergeSite, migration
from kubectl_applylint.ownership.step import StepPlan
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.field_history import history_json
from kubectl_applylint.report.ownership.owners import GroupBy, owners_json
from kubectl_applylint.report.ownership.pages import json_page, text_page
from kubectl_applylint.report.ownership.steps import Planner, steps_json
from tests.stories import MANIFEST, SCHEMA, client_side, scale, subject_of

SCHEMAS = resources.files("kubectl_applylint.report").joinpath("schemas")
OWNERSHIP, STEPS = (json.loads(SCHEMAS.joinpath(f"{name}-v1.json").read_text()) for name in ("ownership", "steps"))
PROBLEM = Problem("a", "b", "c")
LIVE = scale(client_side(MANIFEST), 7)
CREATED = {**LIVE, "metadata": {**LIVE["metadata"], "annotations": {}}}
SUBJECT = subject_of(MANIFEST, LIVE)
OWNED = ownership_of(LIVE, SCHEMA.kind("apps/v1", "Deployment"))


@pytest.mark.parametrize(
    "page",
    [
        owners_json([OWNED], [PROBLEM], GroupBy.MANAGER),
        owners_json([OWNED], [], GroupBy.FIELD),
        history_json([field_history(SUBJECT, LIVE, parse("spec.replicas"))], []),
        history_json([field_history(subject_of(MANIFEST, LIVE, known=False), LIVE, parse("spec.paused"))], []),
    ],
    ids=[
        "owners",
        "owners by field",
        "why",
        "why without a manifest",
    ],
)
def test_pages_are_as_published(page: str) -> None:
    jsonschema.validate(json.loads(page), OWNERSHIP)


def adoption_plan(live: JsonObject | None, *, known: bool = True) -> StepPlan:
    return adoption(subject_of(MANIFEST, live, known=known), live, ClusterModel())


@pytest.mark.parametrize(
    ("planner", "plans"),
    [
        pytest.param(Planner.ADOPT, [adoption_plan(LIVE), adoption_plan(None)], id="adopt"),
        pytest.param(Planner.ADOPT, [adoption_plan(CREATED)], id="adopt created"),
        pytest.param(Planner.ADOPT, [adoption_plan(LIVE, known=False)], id="adopt live"),
        pytest.param(
            Planner.MIGRATE,
            [migration(SUBJECT, LIVE, MergeSite.SERVER), migration(SUBJECT, None, MergeSite.CLIENT)],
            id="migrate",
        ),
        pytest.param(Planner.HANDOVER, [handover(SUBJECT, LIVE, parse("spec.replicas"), "hpa")], id="handover"),
    ],
)
def test_steps_are_as_published(planner: Planner, plans: list[StepPlan]) -> None:
    jsonschema.validate(json.loads(steps_json(planner, plans, [PROBLEM])), STEPS)


def test_the_schema_rejects_other_pages() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(json_page("owners", [{"kind": "Deployment"}], [])), OWNERSHIP)


def test_blocks_and_problems_are_set_apart() -> None:
    assert text_page(["one", "two"], [PROBLEM, PROBLEM], Context()) == (
        "one\n\ntwo\n\na: problem: b; c\na: problem: b; c\n"
    )
    assert text_page([], [], Context()) == ""
