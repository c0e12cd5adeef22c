"""What a wheel holds: every package of the tree, with hooks/ and rules/ inside kubectl_applylint."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_package_ships() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = (init.parent for init in (ROOT / "kubectl_applylint").rglob("__init__.py"))
    packages = {".".join(folder.relative_to(ROOT).parts) for folder in folders}

    assert set(settings["packages"]) == packages | {"kubectl_applylint.hooks", "kubectl_applylint.rules"}
