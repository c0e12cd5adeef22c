"""Display of values that SOPS has encrypted."""

import base64
import json

import pytest

from kubectl_applylint.core.outcome import Change, Outcome, Provenance, Verdict, Why
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.secrets.encrypted_values import without_encrypted
from kubectl_applylint.secrets.masking import mask_change, masks

ONE, OTHER = "ENC[AES256_GCM,0a1b]", "ENC[AES256_GCM,2c3d]"
CODED = base64.b64encode(ONE.encode()).decode()
JSON = base64.b64encode(json.dumps({ONE: {}}).encode()).decode()
FILE = "ENC[AES256_GCM,data:a/b+c==,iv:abc=,tag:def==,type:str]"


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (ONE, OTHER, ("encrypted", "changed (encrypted)")),
        (CODED, f"{CODED}x", ("encrypted", "changed (encrypted)")),
        (JSON, f"{JSON}x", ("encrypted", "changed (encrypted)")),
        (MISSING, ONE, (MISSING, "encrypted")),
        (ONE, MISSING, ("encrypted", MISSING)),
    ],
)
@pytest.mark.parametrize("kind", ["Secret", "ConfigMap"])
def test_a_change_is_shown_without_its_values(
    before: Json | Missing, after: Json | Missing, shown: tuple[Json | Missing, Json | Missing], kind: str
) -> None:
    change = Change(parse("data.a"), before, after, Provenance(Why.SET))

    found = mask_change(ObjectRef("v1", kind, "n", "a"), change)

    assert (found.before, found.after) == shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [("spec.encryptedData.a", ("encrypted", "changed (encrypted)")), ("spec.other.a", ("AgBbQxBZ", "AgDIPAyB"))],
)
def test_a_sealed_value_is_shown_without_its_text(path: str, shown: tuple[str, str]) -> None:
    change = Change(parse(path), "AgBbQxBZ", "AgDIPAyB", Provenance(Why.SET))

    found = mask_change(ObjectRef("bitnami.com/v1alpha1", "SealedSecret", "n", "a"), change)

    assert (found.before, found.after) == shown


def test_a_plain_value_of_a_secret_is_still_masked() -> None:
    change = Change(parse("data.a"), "cGxhaW4=", CODED, Provenance(Why.SET))

    found = mask_change(ObjectRef("v1", "Secret", "n", "a"), change)

    assert (found.before, found.after) == ("******** (before)", "encrypted")


def test_all_encrypted_values_of_an_object_are_shown_as_encrypted() -> None:
    """Also those that do not change."""
    ref = ObjectRef("v1", "Secret", "n", "a")
    secret: JsonObject = {"kind": "Secret", "data": {"a": CODED, "b": JSON, "c": "cGxhaW4="}, "stringData": {"d": ONE}}

    found = masks((), ()).outcome(Outcome(ref, Verdict.UNCHANGED, result=secret)).result

    assert found is not None
    assert found["data"] == {"a": "encrypted", "b": "encrypted", "c": "********"}
    assert found["stringData"] == {"d": "encrypted"}


@pytest.mark.parametrize("value", [ONE, FILE, CODED, JSON])
def test_a_text_contains_no_encrypted_value(value: str) -> None:
    assert without_encrypted(f'a "{value}" b') == 'a "encrypted" b'


def test_other_texts_stay() -> None:
    assert without_encrypted("ENC[x]") == "ENC[x]"
