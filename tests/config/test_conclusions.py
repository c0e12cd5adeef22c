"""The option ``conclusion``: its values and its errors."""

import re
from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import ConfigError, load
from kubectl_applylint.core.change_classes import ChangeClass, Conclusion
from tests.tree import ROOT


def test_a_file_maps_classes_to_conclusions(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("conclusion: {attention: success, routine: neutral}\n")

    assert load({}, {}, tmp_path, file="x.yaml").conclusion == (
        (ChangeClass.ATTENTION, Conclusion.SUCCESS),
        (ChangeClass.ROUTINE, Conclusion.NEUTRAL),
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("conclusion: success", "x.yaml:1:1: 'success' is not a mapping; write success: CONCLUSION below it"),
        ("conclusion: {attention: failure}", "x.yaml:1:14: 'failure' is not one of success, neutral"),
        ("conclusion: {rejected: success}", "x.yaml:1:14: 'rejected' is not one of routine, attention"),
    ],
)
def test_anything_else_is_an_error(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load({}, {}, tmp_path, file="x.yaml")

    assert caught.value.faults == (fault,)


def test_the_page_has_a_valid_example(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "comments.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```yaml\n(conclusion.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "x.yaml").write_text(example)

    assert load({}, {}, tmp_path, file="x.yaml").conclusion == ((ChangeClass.ATTENTION, Conclusion.SUCCESS),)
