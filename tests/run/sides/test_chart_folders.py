"""The files of charts in the repository."""

from pathlib import Path

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.chart_folders import MISSING, ChartError, files_of_chart
from tests.run.running import write

CHART = "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0, repository: %s}]\n"


def test_a_chart_has_its_neighbours_as_dependencies(tmp_path: Path) -> None:
    db = "apiVersion: v2\nname: db\nversion: 1.0.0\n"
    write(tmp_path, {"a/web/Chart.yaml": CHART % "file://../db", "a/db/Chart.yaml": db, "a/other.yaml": "a: 1\n"})

    found = files_of_chart(sides.of_folder(str(tmp_path)), "a/web")
    assert sorted(found) == ["Chart.yaml", "charts/db/Chart.yaml"]


def test_a_dependency_that_is_not_in_the_store_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"web/Chart.yaml": CHART % "https://x.io"})

    with pytest.raises(ChartError, match="its dependency db") as error:
        files_of_chart(sides.of_folder(str(tmp_path)), "web")
    assert error.value.reason == MISSING
