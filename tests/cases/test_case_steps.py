"""The steps of rule cases: what is said about each fault, and what a step becomes."""

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from tests.cases.case_steps import Action, CaseWrite, PatchType, read_step, step_faults

WEB = ObjectRef("apps/v1", "Deployment", "", "web")
POD: JsonObject = {"kind": "Pod"}
FAULTS: dict[str, tuple[JsonObject, str]] = {
    "no action": ({"manager": "ci"}, "needs exactly one of apply, apply-server-side, "),
    "two actions": ({"create": {}, "apply": {}}, "needs exactly one of "),
    "unknown key": ({"patch": {}, "by": "ci"}, "unknown key 'by'"),
    "no object": ({"apply": POD}, "apply: is not one object"),
    "forced apply": ({"apply": POD, "force": True}, "force cannot be used with apply"),
    "patch type": ({"patch": {}, "type": "deep"}, "type: 'deep' is not one of merge, strategic, json"),
    "list as merge patch": ({"patch": []}, "a json patch is a list of operations"),
    "target": ({"patch": {}, "target": POD}, "target: apiVersion is missing"),
}


@pytest.mark.parametrize(("step", "complaint"), FAULTS.values(), ids=FAULTS)
def test_each_fault_of_a_step_is_named(step: JsonObject, complaint: str) -> None:
    assert next(step_faults(step)).startswith(complaint)


def test_a_patch_without_a_target_is_of_the_object_of_the_case() -> None:
    step = read_step({"patch": {"spec": {"replicas": 5}}, "manager": "hpa", "subresource": "scale"}, WEB)

    assert step == CaseWrite(Action.PATCH, {"spec": {"replicas": 5}}, WEB, "hpa", False, PatchType.MERGE, "scale")
