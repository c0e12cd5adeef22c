import pytest

from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.server_fields import is_inside


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("metadata.uid", True),
        ("metadata.managedFields[0].manager", True),
        ("status.replicas", True),
        ("metadata", False),
        ("metadata.labels.uid", False),
        ("spec.status", False),
    ],
)
def test_fields_of_the_server_are_known(path: str, expected: bool) -> None:
    assert is_inside(parse(path)) is expected
