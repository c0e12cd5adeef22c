import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.placeholders import is_encrypted, is_unfinished, is_unfinished_name


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("${CLUSTER_NAME}-pool", True),
        ("{{ .Release.Name }}", True),
        ("<base64 of the token>", True),
        ('Invalid value: "<your-name>": must be', True),
        ({"data": {"token": "<token>"}}, True),
        ({"${KEY}": 1}, True),
        ([1, "${N}"], True),
        ("step-$$name$$", True),
        ("@VERSION@", True),
        ("__NAMESPACE__", True),
        ("__init__", False),
        ("me@EXAMPLE", False),
        ("$(POD_NAME)", False),
        ("a < b and c > d", False),
        ("${}", False),
        ("<", False),
        (None, False),
        ({"replicas": 3}, False),
    ],
    ids=repr,
)
def test_placeholders_are_told_from_values(value: Json, expected: bool) -> None:
    assert is_unfinished(value) is expected


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("metadata.name", "disk-wipe-HOSTNAME", True),
        ("metadata.name", "ROLLOUT_NAME-active", True),
        ("spec.nodeName", "HOSTNAME", True),
        ("metadata.namespace", "NAMESPACE", True),
        ("metadata.name", "StatefulSet-a", False),
        ("metadata.name", "API-a", False),
        ("spec.type", "CLUSTERIP", False),
        ("metadata.name", 1, False),
    ],
)
def test_names_in_capitals(field: str, value: Json, expected: bool) -> None:
    assert is_unfinished_name(field, value) is expected


@pytest.mark.parametrize(
    ("sops", "expected"), [({"mac": "ENC[x]", "version": "3.7.1"}, True), ({}, False), ("text", False), (None, False)]
)
def test_what_sops_has_encrypted(sops: Json, expected: bool) -> None:
    assert is_encrypted({"kind": "Secret", "sops": sops}) is expected
