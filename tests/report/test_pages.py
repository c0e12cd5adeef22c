"""What the pages about ownership have in common: each is as the published schema says."""

import json
from importlib import resources

import jsonschema
import pytest

from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.adoption import adoption
from kubectl_applylint.ownership.field_history import field_history
from kubectl_applylint.ownership.field_ownership import ownership_of
from kubectl_applylint.ownership.handover import Deed, Step
from kubectl_applylint.ownership.migration import Side, migration
from kubectl_applylint.report.adoption import adoption_json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.field_history import history_json
from kubectl_applylint.report.handover import handover_json
from kubectl_applylint.report.migration import migration_json
from kubectl_applylint.report.owners import By, owners_json
from kubectl_applylint.report.pages import json_page, text_page
from tests.stories import MANIFEST, SCHEMA, client_side, scaled, subject_of

PUBLISHED = json.loads(resources.files("kubectl_applylint.report").joinpath("schemas/ownership-v1.json").read_text())
PROBLEM = Problem("a", "b", "c")
LIVE = scaled(client_side(MANIFEST), 7)
CREATED = {**LIVE, "metadata": {**LIVE["metadata"], "annotations": {}}}
SUBJECT = subject_of(MANIFEST, LIVE)
OWNERSHIP = ownership_of(LIVE, SCHEMA.kind("apps/v1", "Deployment"))


@pytest.mark.parametrize(
    "page",
    [
        owners_json([OWNERSHIP], [PROBLEM], By.MANAGER),
        owners_json([OWNERSHIP], [], By.FIELD),
        history_json([field_history(SUBJECT, LIVE, parse("spec.replicas"))], []),
        history_json([field_history(subject_of(MANIFEST, LIVE, known=False), LIVE, parse("spec.paused"))], []),
        adoption_json([adoption(SUBJECT, LIVE, ClusterModel()), adoption(SUBJECT, None, ClusterModel())], []),
        adoption_json([adoption(subject_of(MANIFEST, CREATED), CREATED, ClusterModel())], []),
        adoption_json([adoption(subject_of(MANIFEST, LIVE, known=False), LIVE, ClusterModel())], []),
        migration_json([migration(SUBJECT, LIVE, Side.SERVER), migration(SUBJECT, None, Side.CLIENT)], []),
        handover_json([(SUBJECT.ref, Step(Deed.DONE, "done"))], []),
    ],
    ids=[
        "owners",
        "owners by field",
        "why",
        "why without a manifest",
        "adopt",
        "adopt created",
        "adopt live",
        "migrate",
        "handover",
    ],
)
def test_pages_are_as_published(page: str) -> None:
    jsonschema.validate(json.loads(page), PUBLISHED)


def test_the_schema_refuses_other_pages() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(json_page("owners", [{"kind": "Deployment"}], [])), PUBLISHED)


def test_blocks_and_problems_are_set_apart() -> None:
    assert text_page(["one", "two"], [PROBLEM, PROBLEM], Context()) == (
        "one\n\ntwo\n\na: problem: b; c\na: problem: b; c\n"
    )
    assert text_page([], [], Context()) == ""
