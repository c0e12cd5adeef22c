import json

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.report.facts.charts import ChartChange
from kubectl_applylint.report.facts.definition_changes import DefinitionChange
from kubectl_applylint.report.facts.facts import NO_FACTS, ClusterChange, Facts
from kubectl_applylint.report.facts.facts_json import FactsFormatError, facts_json, read_facts
from kubectl_applylint.report.facts.images import ImageChange

FACTS = Facts(
    images=(ImageChange("web:1", "web:2", ("deployment.apps/web in shop", "job.batch/web in shop")),),
    charts=(ChartChange("web", "1.0.0", "1.1.0", "v1", "v2", ("HelmRelease/shop/web",)),),
    definitions=(DefinitionChange("webs.shop", ("v2",), ("v1",), ("spec.a",), ("spec.b",)),),
    clusters=(ClusterChange("prod", 2, (("restarted", 1), ("configured", 3))), ClusterChange("", 1, ())),
    noise=(("Service", 2), ("ConfigMap", 1)),
)


@pytest.mark.parametrize("facts", [FACTS, NO_FACTS])
def test_written_facts_are_read(facts: Facts) -> None:
    assert read_facts(json.loads(json.dumps(facts_json(facts), sort_keys=True))) == facts


def test_a_report_of_an_earlier_version_has_no_facts() -> None:
    assert read_facts({"version": "json-v1"}) == NO_FACTS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("images", {"before": "a", "after": "b", "objects": []}),
        ("images", {"before": "a", "after": "b", "objects": ["a", 1]}),
        ("images", 1),
        ("charts", {"name": "a"}),
        ("definitions", {"name": "a", "versionsAdded": 1}),
        ("clusters", {"name": "a", "units": -1, "objects": []}),
        ("clusters", {"name": "a", "units": 1, "objects": [{"objects": 1}]}),
        ("noise", {"kind": "a", "objects": 10**20}),
        ("noise", {"kind": 1, "objects": 1}),
    ],
)
def test_anything_else_is_rejected(name: str, value: Json) -> None:
    with pytest.raises(FactsFormatError, match="the report has"):
        read_facts({name: [value]})
