"""The messages of a server and of kubectl, as Kubernetes 1.36.3 words them."""

import pytest

from kubectl_applylint.appliers.errors import conflict_message, server_message
from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.merge.fieldset import of_paths
from kubectl_applylint.merge.server_side import UPDATE, Clash, Identity
from kubectl_applylint.server.write import Refused

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")
POD = ObjectRef("v1", "Pod", "shop", 'a"b')
REPLICAS = FieldError("spec.replicas", "FieldValueInvalid", "must be positive")
NAME = FieldError("metadata.name", "FieldValueInvalid", "Invalid value")
CLASHES = (Clash(Identity("hpa", UPDATE, "apps/v1", "scale"), of_paths([("f:spec", "f:replicas")])),)
CONFLICT = 'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using apps/v1: .spec.replicas'


@pytest.mark.parametrize(
    ("refused", "ref", "message"),
    [
        pytest.param(
            Refused(422, (REPLICAS,)),
            WEB,
            'Deployment.apps "web" is invalid: spec.replicas: must be positive',
            id="one cause",
        ),
        pytest.param(
            Refused(422, (REPLICAS, NAME, REPLICAS)),
            POD,
            'Pod "a\\"b" is invalid: [spec.replicas: must be positive, metadata.name: Invalid value]',
            id="several, each once",
        ),
        pytest.param(Refused(403, (FieldError("", "Forbidden", "no"),)), WEB, "no", id="no field"),
        pytest.param(Refused(400, (NAME,)), WEB, "metadata.name: Invalid value", id="not unprocessable"),
        pytest.param(Refused(409, (NAME,), clashes=CLASHES), WEB, CONFLICT, id="conflict of managers"),
    ],
)
def test_the_message_of_a_server(refused: Refused, ref: ObjectRef, message: str) -> None:
    assert server_message(refused, ref) == message


def test_kubectl_adds_what_to_do_about_a_conflict() -> None:
    lines = conflict_message(Refused(409, (), clashes=CLASHES), WEB).splitlines()

    assert lines[0] == f"error: {CONFLICT}"
    assert "`--force-conflicts`" in lines[4]
    assert lines[-1] == "See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts"
