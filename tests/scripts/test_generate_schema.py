"""The tables that ship are what the generator writes."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "kubectl_applylint" / "schema" / "tables"


@pytest.fixture(scope="module")
def new_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("tables")
    subprocess.run([sys.executable, ROOT / "scripts" / "generate_schema.py", target], check=True)
    return target


@pytest.mark.parametrize("table", ["kinds.tsv", "definitions.tsv"])
def test_the_tables_are_generated_and_never_edited(new_tables: Path, table: str) -> None:
    assert (new_tables / table).read_text() == (TABLES / table).read_text()


def test_the_tables_are_small() -> None:
    assert sum(table.stat().st_size for table in TABLES.iterdir()) < 1_200_000
