import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission_inputs import ACCOUNT, POLICY, GroupKind, input_kinds, parameter_kind

LAMP: JsonObject = {"apiVersion": "example.com/v1", "kind": "Lamp"}


def policy(
    kind: Json, of: str = "ValidatingAdmissionPolicy", group: str = "admissionregistration.k8s.io"
) -> JsonObject:
    return {"apiVersion": f"{group}/v1beta1", "kind": of, "spec": {"paramKind": kind}}


@pytest.mark.parametrize(
    ("item", "found"),
    [
        pytest.param(policy(LAMP), ("example.com", "Lamp"), id="of another group, in any version of the policy"),
        pytest.param(policy({"apiVersion": "v1", "kind": "ConfigMap"}), ("", "ConfigMap"), id="of the core group"),
        pytest.param(policy(None), None, id="a policy without parameters"),
        pytest.param(policy({"kind": "Lamp"}), None, id="no version"),
        pytest.param(policy({"apiVersion": "v1", "kind": 1}), None, id="no text"),
        pytest.param(policy(LAMP, "ValidatingAdmissionPolicyBinding"), None, id="a binding"),
        pytest.param(policy(LAMP, group="example.com"), None, id="a kind of the same name"),
        pytest.param({}, None, id="empty"),
    ],
)
def test_the_kind_of_the_parameters_of_a_policy(item: JsonObject, found: GroupKind | None) -> None:
    assert parameter_kind(item) == found


def test_admission_reads_the_parameters_of_existing_policies() -> None:
    usual = input_kinds([])

    assert {ACCOUNT, POLICY, ("", "Namespace"), ("", "LimitRange")} < usual
    assert ("", "Pod") not in usual
    assert input_kinds([policy(LAMP), LAMP, policy(None)]) == usual | {("example.com", "Lamp")}
