"""What of a run is kept for later ones."""

from pathlib import Path

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.fixes.field_edits import SetValue
from kubectl_applylint.lint.model import Finding, Report, Severity
from kubectl_applylint.run.files import RunInput
from kubectl_applylint.run.keeping import keep_results
from kubectl_applylint.run.unit_run import UnitRun
from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.system.cache_folder import kept_in
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.units.model import Form, Unit

SECRET = "kind: Secret\napiVersion: v1\nmetadata: {name: a}\nstringData: {key: supersecret}\n"
UNIT = Unit("a", Form.FOLDER, frozenset({"a/x.yaml"}))


@pytest.mark.parametrize(
    ("key", "unit", "note", "number"),
    [
        pytest.param("k", UNIT, "nothing", 1, id="kept"),
        pytest.param("", UNIT, "nothing", 0, id="without a key"),
        pytest.param("k", None, "nothing", 0, id="no unit"),
        pytest.param("k", UNIT, "it says supersecret", 0, id="with a secret"),
        pytest.param("k", Unit("a", Form.KUSTOMIZATION, frozenset()), "", 0, id="rendered with a Secret"),
    ],
)
def test_what_is_kept(tmp_path: Path, key: str, unit: Unit | None, note: str, number: int) -> None:
    found = RunInput(documents=read_text(SECRET, "a/x.yaml").documents)
    with kept_in(str(tmp_path)):
        keep_results([(UnitRun(unit, found, key=key), Report(notes=(note,)))])
    assert len([*tmp_path.glob("results/*")]) == number


def test_parts_of_a_unit_are_kept_together_or_not_at_all(tmp_path: Path) -> None:
    found = RunInput(documents=read_text(SECRET, "a/x.yaml").documents)
    parts = [(UnitRun(UNIT, found, key="k"), Report(notes=(note,))) for note in ("nothing", "it says supersecret")]
    with kept_in(str(tmp_path)):
        keep_results(parts)
    assert [*tmp_path.glob("results/*")] == []


def test_what_an_edit_is_made_of_is_not_kept(tmp_path: Path) -> None:
    found = RunInput(documents=read_text(SECRET, "a/x.yaml").documents)
    edit = SetValue(fields("stringData", "key"), "supersecret")
    place = Location("a/x.yaml", Span(1, 1, 1, 1))
    finding = Finding("r", Severity.INFO, "high", found.documents[0].ref, (), place, "message", "", wanted=(edit,))
    with kept_in(str(tmp_path)):
        keep_results([(UnitRun(UNIT, found, key="k"), Report(findings=(finding,)))])
        content = cache_folder.read("results", "k")

    assert content is not None
    assert b"supersecret" not in content
