"""Contents of a wheel: every package of the tree, with hooks/ and rules/ inside kubectl_applylint."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bench.measure import like_installed
from kubectl_applylint.rulebook import rulebook

ROOT = Path(__file__).parent.parent


def test_every_package_ships() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = (init.parent for init in (ROOT / "kubectl_applylint").rglob("__init__.py"))
    packages = {".".join(folder.relative_to(ROOT).parts) for folder in folders}

    assert set(settings["packages"]) == packages | {"kubectl_applylint.hooks", "kubectl_applylint.rules"}


@pytest.mark.slow
def test_a_wheel_holds_all_rules_in_one_file_that_says_the_same(tmp_path: Path) -> None:
    environment = like_installed(tmp_path)
    folder = tmp_path / "built" / "kubectl_applylint" / "rules"
    (folder / "immutable" / "field-immutable-rejected" / "rule.yaml").unlink()
    ask = [sys.executable, "-c", "from kubectl_applylint.rulebook import rulebook; print(rulebook.built_in().rules)"]
    printed = subprocess.run(ask, env=environment, check=True, capture_output=True, text=True).stdout

    here = str(Path(rulebook.built_in().rules[0].folder).parents[1])
    assert printed.rstrip() == str(rulebook.built_in().rules).replace(here, str(folder))
