"""The count of templates, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.daemon_set.prepare import TEMPLATE_GENERATION, convert, prepare


@pytest.mark.parametrize(
    ("annotations", "count"),
    [
        pytest.param({}, "0", id="none"),
        pytest.param({TEMPLATE_GENERATION: "7"}, "7", id="a number"),
        pytest.param({TEMPLATE_GENERATION: "seven"}, "0", id="a text"),
    ],
)
def test_a_daemon_set_counts_its_templates(annotations: JsonObject, count: str) -> None:
    result = convert({"metadata": {"name": "d", "annotations": annotations}})

    assert result["metadata"] == {"name": "d", "annotations": {TEMPLATE_GENERATION: count}}


@pytest.mark.parametrize(
    ("old", "template", "written", "after"),
    [
        pytest.param(None, {}, None, "1", id="new"),
        pytest.param(None, {}, "5", "5", id="new with a count"),
        pytest.param(None, {}, "-5", "1", id="new with a wrong count"),
        pytest.param("3", {"a": 1}, None, "4", id="changed"),
        pytest.param("3", {}, None, "3", id="unchanged"),
        pytest.param("3", {}, "9", "3", id="unchanged, count written"),
    ],
)
def test_a_daemon_set_counts_changes_of_its_template(
    old: str | None, template: JsonObject, written: str | None, after: str
) -> None:
    stored = {"metadata": {"annotations": {TEMPLATE_GENERATION: old}}, "spec": {"template": {}}} if old else None
    annotations = {TEMPLATE_GENERATION: written} if written else {}
    new = {"metadata": {"annotations": annotations}, "spec": {"template": template}}

    assert prepare(new, stored, 36)["metadata"]["annotations"] == {TEMPLATE_GENERATION: after}
