import json

import pytest

from kubectl_applylint.core.paths import Field, Path, fields
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.secrets.secret_places import (
    MASK,
    credentials,
    is_secret,
    mask_at,
    masked_values,
    read_map,
    texts,
)

ANNOTATIONS = fields("metadata", "annotations")


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        (fields("data"), {"a": "eA=="}, {"a": MASK}),
        (fields("stringdata"), {"a": "x"}, {"a": MASK}),
        (fields("Data"), {"a": "x"}, {"a": MASK}),
        (fields("password"), "x", MASK),
        (fields("spec"), {"a": [{"b": 1}]}, {"a": [{"b": MASK}]}),
        (fields("type"), "Opaque", "Opaque"),
        (fields("type"), {"a": "x"}, {"a": MASK}),
        (fields("immutable"), True, True),
        (fields("immutable"), "x", MASK),
        (fields("apiVersion"), ["x"], [MASK]),
        (fields("metadata"), "x", MASK),
        (fields("metadata", "name"), "a", "a"),
        (fields("metadata", "password"), "x", MASK),
        ((*ANNOTATIONS, Field("a/b")), "x", "x"),
        ((*ANNOTATIONS, Field(LAST_APPLIED)), "{}", MASK),
        ((*ANNOTATIONS, Field("kapp.k14s.io/original")), "{}", MASK),
        (fields("data", "a"), None, None),
    ],
    ids=lambda value: ".".join(step.name for step in value) if isinstance(value, tuple) and value else None,
)
def test_only_what_is_known_to_be_harmless_stays(path: Path, value: Json, shown: Json) -> None:
    assert mask_at(path, value) == shown


def test_all_that_is_masked_is_held() -> None:
    last = json.dumps({"stringdata": {"older": "first"}})
    secret: JsonObject = {
        "kind": "Secret",
        "metadata": {"name": "a", "annotations": {LAST_APPLIED: last}},
        "type": ["second"],
        "stringdata": {"b": "third", "c": 7, "d": None},
    }

    assert [path[0] for path, _ in masked_values(secret)] == [
        Field(name) for name in ("metadata", "type", "stringdata", "stringdata")
    ]
    assert [*texts(secret)] == [last, "first", "second", "third", "7"]


def test_an_unknown_value_has_no_text() -> None:
    secret: JsonObject = {"kind": "Secret", "data": {"a": Unknown("a placeholder"), "b": "eA=="}}

    assert [*texts(secret)] == ["eA=="]


@pytest.mark.parametrize(
    ("ref", "verdict"),
    [
        ("v1 Secret", True),
        ("V1 secret", True),
        ("core/v1 Secrets", True),
        ("x/v1 Secret", False),
        ("v1 ConfigMap", False),
    ],
)
def test_a_misspelled_kind_is_a_secret_too(ref: str, verdict: bool) -> None:
    version, kind = ref.split()

    assert is_secret(ObjectRef(version, kind, "", "a")) is verdict


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (json.dumps({"auths": {"r": {"auth": "YQ==", "email": "a@b"}}}), ["YQ=="]),
        (json.dumps({"r": {"username": "a", "password": "b"}}), ["b"]),
        ('{"auth"', []),
        ("", []),
    ],
    ids=["config", "old", "broken", "none"],
)
def test_credentials_of_registries_are_read(text: str, found: list[str]) -> None:
    assert [*credentials(text)] == found


def test_a_number_of_many_digits_hides_nothing() -> None:
    assert read_map('{"data": {"a": "aHVudGVyMg=="}, "x": ' + "9" * 5_000 + "}")["data"] == {"a": "aHVudGVyMg=="}
