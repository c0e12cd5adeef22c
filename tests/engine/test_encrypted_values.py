import base64

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Level, Outcome
from kubectl_applylint.core.state import Absent, Present, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.encrypted_values import assuming_encrypted_values
from tests.rules.stories import SCHEMA

ONE, OTHER = "ENC[AES256_GCM,0a1b]", "ENC[AES256_GCM,2c3d]"


def base64_text(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def secret(field: str = "data", **data: Json) -> JsonObject:
    metadata: JsonObject = {"name": "a", "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "Opaque", field: data}


def predict(manifest: JsonObject, live: JsonObject | None) -> Outcome:
    def apply(manifest: JsonObject, state: State) -> Outcome:
        request = ApplyRequest(manifest=manifest, state=state, schema=SCHEMA, applier=Applier.KUBECTL_SERVER)
        return engine.predict(request)

    return assuming_encrypted_values(apply)(manifest, State(Absent() if live is None else Present(live)))


def changed_keys(outcome: Outcome) -> list[str]:
    return [str(change.path[-1]) for change in outcome.changes if "data" in str(change.path)]


@pytest.mark.parametrize(
    ("manifest", "live", "is_changed"),
    [
        pytest.param(secret(a=base64_text(ONE)), secret(a=base64_text("plain")), False, id="a value of the cluster"),
        pytest.param(secret("stringData", a=ONE), secret(a=base64_text("plain")), False, id="a text"),
        pytest.param(
            secret(a=base64_text(ONE)), secret(a=base64_text(OTHER)), True, id="an encrypted value of another revision"
        ),
        pytest.param(secret(a=base64_text(ONE)), secret(b=base64_text("plain")), True, id="a new key"),
        pytest.param(
            secret(a=base64_text(ONE), b=base64_text("y")),
            secret(a=base64_text("x"), b=base64_text("z")),
            True,
            id="another value",
        ),
        pytest.param(secret("stringData", a=ONE), secret(a="gA=="), True, id="bytes that are no text"),
    ],
)
def test_an_encrypted_value_is_assumed_to_be_the_live_one(
    manifest: JsonObject, live: JsonObject, is_changed: bool
) -> None:
    assert bool(changed_keys(predict(manifest, live))) == is_changed


def test_the_assumption_lowers_the_confidence() -> None:
    outcome = predict(secret(a=base64_text(ONE)), secret(a=base64_text("plain")))

    assert outcome.confidence.level is Level.MEDIUM
    assert outcome.confidence.reasons[-1] == "data.a is encrypted, and assumed to be as in the live object"


def test_an_encrypted_secret_is_created_with_its_keys() -> None:
    assert predict(secret(a=base64_text(ONE)), None).result
