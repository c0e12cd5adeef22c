"""Objects that are looked up in the answers of the store."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.absent_sources import absent_source_finder
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.store_place import Store, use_store
from tests.run.sides.test_named_sources import HELM_CHART, REPOSITORY, chart, document


@pytest.mark.parametrize(
    ("text", "days", "paths"),
    [
        (HELM_CHART, 0, ["spec.version"]),
        (HELM_CHART, 8, []),
        (HELM_CHART.replace("spec: {", "spec: {suspend: true, "), 0, []),
        (HELM_CHART.replace("1.x", "2.x"), 0, []),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}", 0, []),
    ],
)
def test_an_object_with_an_answer(tmp_path: Path, text: str, days: int, paths: list[str]) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files/repository.yaml").write_text(REPOSITORY)
    side = sides.of_folder(str(tmp_path / "files"))
    with use_store(Store(str(tmp_path / "cache"))):
        assert [*absent_source_finder(side)(document(text), ())] == []
        store.add_absence(chart("1.x"), Absence(asked=(date.today() - timedelta(days=days)).isoformat()))

        assert [render(one.path) for one in absent_source_finder(side)(document(text), ())] == paths
