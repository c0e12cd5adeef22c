"""A copy of this repository's files, for programs that build or install from them."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def copy_tree(target: Path) -> Path:
    """Copy what git knows of this tree, as it stands in the working folder, and return the copy."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    for name in filter(None, listed.stdout.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)
    return target
