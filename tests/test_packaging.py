"""What a wheel holds: every package of the tree, with hooks/ and rules/ inside kubectl_applylint."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from kubectl_applylint import rulebook

ROOT = Path(__file__).parent.parent


def test_every_package_ships() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = (init.parent for init in (ROOT / "kubectl_applylint").rglob("__init__.py"))
    packages = {".".join(folder.relative_to(ROOT).parts) for folder in folders}

    assert set(settings["packages"]) == packages | {"kubectl_applylint.hooks", "kubectl_applylint.rules"}


def test_a_wheel_holds_all_rules_in_one_file_that_says_the_same(tmp_path: Path) -> None:
    source, built = tmp_path / "source", tmp_path / "built"
    for folder in ("kubectl_applylint", "hooks", "rules"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    build = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(built)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (built / "kubectl_applylint" / "rules" / "field-immutable-refused" / "rule.yaml").unlink()
    ask = "from kubectl_applylint import rulebook; print(rulebook.built_in().rules)"
    told = subprocess.run([sys.executable, "-c", ask], cwd=built, check=True, capture_output=True, text=True).stdout

    here = str(Path(rulebook.built_in().rules[0].folder).parent)
    assert told.rstrip() == str(rulebook.built_in().rules).replace(here, str(built / "kubectl_applylint" / "rules"))
