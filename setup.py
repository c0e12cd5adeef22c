"""What ``pyproject.toml`` cannot say: a wheel holds all rules in one file as well, which a start reads in no time."""

import json
from pathlib import Path

import yaml
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithRules(build_py):
    """Writes ``rules.json`` (``kubectl_applylint.rulebook``); an editable install keeps to the rule folders."""

    def run(self) -> None:
        """Build as usual, then write what all rule files say, family by family."""
        super().run()
        if not self.editable_mode:
            families = sorted(Path("rules").glob("*/family.yaml"))
            contents = {file.parent.name: _family(file) for file in families}
            compiled = Path(self.build_lib, "kubectl_applylint", "rules", "rules.json")
            compiled.write_text(json.dumps(contents, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _family(file: Path) -> dict[str, object]:
    """Return what the file of a family and the files of its rules say."""
    rules = sorted(file.parent.glob("*/rule.yaml"))
    return {"family": _content(file), "rules": [_content(rule) for rule in rules]}


def _content(file: Path) -> object:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


setup(cmdclass={"build_py": BuildWithRules})
