"""What ``pyproject.toml`` cannot say: a wheel holds all rules in one file as well, which a start reads in no time."""

import json
from pathlib import Path

import yaml
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithRules(build_py):
    """Writes ``rules.json`` (``kubectl_applylint.rulebook``); an editable install keeps to the rule folders."""

    def run(self) -> None:
        """Build as usual, then write what all rule files say, sorted by id."""
        super().run()
        if not self.editable_mode:
            files = sorted(Path("rules").glob("*/rule.yaml"))
            contents = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in files]
            compiled = Path(self.build_lib, "kubectl_applylint", "rules", "rules.json")
            compiled.write_text(json.dumps(contents, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


setup(cmdclass={"build_py": BuildWithRules})
