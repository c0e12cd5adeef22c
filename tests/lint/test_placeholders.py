import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.placeholders import is_unfinished


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
