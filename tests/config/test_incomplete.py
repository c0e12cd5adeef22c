"""The option ``incomplete``."""

from datetime import date
from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import Config, ConfigError, load
from kubectl_applylint.config.incomplete import incomplete_in
from kubectl_applylint.units.accepted import AcceptedGap

ENTRY = "incomplete:\n- unit: apps/*\n  reason: ksops runs elsewhere\n  until: 2027-01-31\n"


def load_text(folder: Path, text: str, *, name: str = "") -> Config:
    (folder / ".applylint.yaml").write_text(text)
    return load({}, {}, folder, file=name)


def test_an_entry_names_units_with_a_reason(tmp_path: Path) -> None:
    (gap,) = load_text(tmp_path, ENTRY, name=".applylint.yaml").incomplete

    assert gap == AcceptedGap("apps/*", "ksops runs elsewhere", date(2027, 1, 31))


def test_an_entry_of_an_untrusted_file_has_its_name(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (gap,) = load_text(tmp_path, ENTRY).incomplete

    assert gap.file == str(tmp_path / ".applylint.yaml")
    assert [one.unit for one in incomplete_in(ENTRY.encode(), ".applylint.yaml")] == ["apps/*"]
    assert [*incomplete_in(b"incomplete: [a]\n", ".applylint.yaml")] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("incomplete: [apps]\n", "'apps' needs a reason; write - unit: apps, and reason: below it"),
        ("incomplete: [{unit: apps}]\n", "reason is required"),
        ("incomplete: [{reason: later}]\n", "unit is required"),
        ("incomplete: [{unit: apps, reason: later, why: x}]\n", "unknown key 'why'"),
    ],
)
def test_an_entry_without_a_reason_is_a_usage_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_text(tmp_path, text)
