"""That nothing of a report has to be masked is kept, for the same report on the same files alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.cache.masked_report import mask_run_report
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.secrets.secret_places import MASK
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import read_text

SECRET = "kind: Secret\napiVersion: v1\nmetadata: {name: a}\nstringData: {key: supersecret}\n"
SAYS_IT, SAYS_NOTHING = Report(notes=("it is supersecret",)), Report(notes=("all is well",))
DOCUMENTS = read_text(SECRET, "a.yaml").documents


@pytest.fixture(autouse=True)
def _kept(tmp_path: Path) -> Iterator[None]:
    with use_folder(str(tmp_path)):
        yield


def runs(key: str, asked: list[str] | None = None) -> LoadedUnits:
    class Told(RunInput):
        @property
        def objects(self) -> Iterator[JsonObject]:
            if asked is not None:
                asked.append(key)
            return super().objects

    return LoadedUnits((LoadedUnit(None, Told(documents=DOCUMENTS)),), content_key=key)


@pytest.mark.parametrize(
    ("report", "key", "looks"),
    [
        pytest.param(SAYS_NOTHING, "k", 1, id="once"),
        pytest.param(SAYS_NOTHING, "", 2, id="content that nobody knows"),
        pytest.param(SAYS_IT, "k", 2, id="what is masked"),
    ],
)
def test_the_same_report_on_the_same_files_is_looked_through_once(report: Report, key: str, looks: int) -> None:
    asked: list[str] = []
    first, second = mask_run_report(report, runs(key, asked)), mask_run_report(report, runs(key, asked))

    assert first == second
    assert len(asked) == looks


def test_values_of_a_secret_are_masked_whatever_is_cached() -> None:
    mask_run_report(SAYS_NOTHING, runs("k"))

    assert mask_run_report(SAYS_IT, runs("k")).notes == (f"it is {MASK}",)
    assert mask_run_report(SAYS_IT, RunInput(documents=DOCUMENTS)).notes == (f"it is {MASK}",)


def test_other_files_are_looked_through_again() -> None:
    asked: list[str] = []
    for key in ("k", "other"):
        mask_run_report(SAYS_NOTHING, runs(key, asked))

    assert asked == ["k", "other"]
