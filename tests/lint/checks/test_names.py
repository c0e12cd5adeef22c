import pytest

from kubectl_applylint.lint.checks._names import name_without_hash


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("settings-24b5cfgt6m", "settings"),
        ("web-settings-9h2kd8fmtb", "web-settings"),
        ("settings", ""),
        ("settings-production", ""),
        ("24b5cfgt6m", ""),
    ],
)
def test_stem(name: str, found: str) -> None:
    assert name_without_hash(name) == found
