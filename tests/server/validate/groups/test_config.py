import base64

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import a, fields

FULL = "x" * 1024 * 1024


def config_map(**rest: Json) -> JsonObject:
    return a("v1", "ConfigMap", **rest)


def secret(**rest: Json) -> JsonObject:
    return a("v1", "Secret", **rest)


def base64_text(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("obj", "expected"),
    [
        pytest.param(config_map(data={"a": FULL}), [], id="full"),
        pytest.param(config_map(data={"a": FULL, "b": "x"}), [""], id="more than full"),
        pytest.param(config_map(data={"a": FULL}, binaryData={"b": "eA=="}), [""], id="more with bytes"),
        pytest.param(config_map(data={"a b": ""}, binaryData={"..": ""}), ["binaryData[..]", "data[a b]"], id="keys"),
        pytest.param(config_map(data={"a": ""}, binaryData={"a": ""}), ["data[a]"], id="a key in both"),
        pytest.param(secret(data={"a": base64_text(FULL)}), [], id="full secret"),
        pytest.param(
            secret(data={"a": base64_text(FULL), "b": base64_text("x")}), ["data"], id="more than full secret"
        ),
        pytest.param(secret(data={"a/b": ""}), ["data[a/b]"], id="key of a secret"),
    ],
)
def test_keys_and_sizes(obj: JsonObject, expected: list[str]) -> None:
    assert fields(obj) == expected


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("example.com/any", {}, []),
        ("kubernetes.io/tls", {"tls.crt": ""}, ["data[tls.key]"]),
        ("kubernetes.io/ssh-auth", {"ssh-privatekey": ""}, ["data[ssh-privatekey]"]),
        ("kubernetes.io/basic-auth", {}, ["data[password]", "data[username]"]),
        ("kubernetes.io/basic-auth", {"username": ""}, []),
        ("kubernetes.io/dockercfg", {}, ["data[.dockercfg]"]),
        ("kubernetes.io/dockercfg", {".dockercfg": base64_text("null")}, []),
        ("kubernetes.io/dockerconfigjson", {".dockerconfigjson": base64_text("[]")}, ["data[.dockerconfigjson]"]),
        ("kubernetes.io/dockerconfigjson", {".dockerconfigjson": ""}, ["data[.dockerconfigjson]"]),
        ("kubernetes.io/service-account-token", {}, ["metadata.annotations[kubernetes.io/service-account.name]"]),
    ],
)
def test_secrets_have_what_their_type_needs(kind: str, data: JsonObject, expected: list[str]) -> None:
    assert fields(secret(type=kind, data=data)) == expected


FROZEN = config_map(immutable=True, data={"a": "b"})


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param(FROZEN, FROZEN, [], id="nothing changes"),
        pytest.param(config_map(immutable=True, data={"a": "c"}), FROZEN, ["data"], id="data"),
        pytest.param(config_map(immutable=True), FROZEN, ["data"], id="no data"),
        pytest.param(config_map(data={"a": "b"}), FROZEN, ["immutable"], id="immutable no more"),
        pytest.param({**FROZEN, "binaryData": {"x": "eA=="}}, FROZEN, ["binaryData"], id="more data"),
        pytest.param(FROZEN, config_map(data={"b": "b"}), [], id="changed and frozen at once"),
        pytest.param(secret(type="a"), secret(type="b"), ["type"], id="type of a secret"),
        pytest.param(
            secret(immutable=True, data={"a": "eA=="}), secret(immutable=True, data={}), ["data"], id="frozen secret"
        ),
    ],
)
def test_changes_of_an_immutable_object_are_rejected(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    assert fields(new, old) == expected
