"""Manifests that SOPS has encrypted."""

import base64
import json

import pytest

from kubectl_applylint.core.values import Json, JsonObject, dig, mapping
from kubectl_applylint.engine.placeholders import is_unfinished
from kubectl_applylint.sources.text.encrypted import with_unknown_values, without_sops
from kubectl_applylint.sources.text.manifests import read_text

VALUE = "ENC[AES256_GCM,data:%s,iv:abc=,tag:def==,type:%s]"
SOPS: JsonObject = {"mac": "1", "version": "3.9.0", "lastmodified": "2026-01-01T00:00:00Z"}
HEAD: JsonObject = {"apiVersion": "v1", "metadata": {"name": "a"}, "sops": SOPS}


def secret(text: str, field: str = "data", kind: str = "Secret", sort: str = "str") -> JsonObject:
    return {**HEAD, "kind": kind, field: {"a": VALUE % (text, sort), "b": "cGxhaW4="}}


@pytest.mark.parametrize(("field", "kind"), [("data", "Secret"), ("stringData", "Secret"), ("data", "ConfigMap")])
def test_a_value_is_equal_if_its_encrypted_text_is_equal(field: str, kind: str) -> None:
    one, same, other = (without_sops(secret(text, field, kind)) for text in ("x", "x", "y"))

    assert one == same != other
    assert "sops" not in one
    assert dig(one, field, "b") == "cGxhaW4="
    assert "data:x" not in str(one)


def test_the_data_of_a_secret_stays_base64() -> None:
    value = dig(without_sops(secret("x")), "data", "a")

    assert base64.b64decode(str(value), validate=True).startswith(b"ENC[AES256_GCM,")


@pytest.mark.parametrize("field", ["data", "stringData"])
@pytest.mark.parametrize("key", [".dockercfg", ".dockerconfigjson"])
def test_a_value_that_has_to_be_json_stays_json(field: str, key: str) -> None:
    found = without_sops({**HEAD, "kind": "Secret", field: {key: VALUE % ("x", "str")}})
    value = str(dig(found, field, key))

    assert isinstance(json.loads(base64.b64decode(value) if field == "data" else value), dict)


def test_metadata_of_sops_alone_is_no_difference() -> None:
    again: JsonObject = {**secret("x"), "sops": {**SOPS, "mac": "2", "lastmodified": "2026-02-02T00:00:00Z"}}

    assert without_sops(again) == without_sops(secret("x"))


def test_an_encrypted_number_is_a_placeholder() -> None:
    found = without_sops(secret("x", "spec", "Web", "int"))

    assert "sops" not in found
    assert is_unfinished(found["spec"])
    assert found == without_sops({**secret("x", "spec", "Web", "int"), "sops": {**SOPS, "mac": "2"}})


@pytest.mark.parametrize("value", [[VALUE % ("x", "str")], {"b": [{"c": VALUE % ("x", "bytes")}]}, 1, None])
def test_values_anywhere_are_replaced(value: Json) -> None:
    assert "data:x" not in str(without_sops({**HEAD, "kind": "Web", "spec": value}))


def test_other_manifests_stay() -> None:
    plain = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    own = f"{plain}sops: {{enabled: true}}\n---\n{plain}"
    encrypted = f"{plain}data: {{a: '{VALUE % ('x', 'str')}'}}\nsops: {{mac: a, version: '3'}}\n"
    other, mixed = read_text(own, "a.yaml"), read_text(f"{own}---\n{encrypted}", "a.yaml")

    assert with_unknown_values(other) == other
    assert [("sops" in one.object) for one in with_unknown_values(mixed).documents] == [True, False, False]
    assert [mapping(one.object["metadata"]) for one in with_unknown_values(mixed).documents] == [{"name": "a"}] * 3
