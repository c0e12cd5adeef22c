"""A small runner of composite actions: it gives each step its variables and files, and runs those with a script."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.tree import ROOT

ACTION: dict[str, Any] = yaml.load((ROOT / "action.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
_NAME = re.compile(r"'[^']*'|[a-z]\w*(?:\.[\w-]+)+")
_WORDS = {"&&": " and ", "||": " or ", "!": " not "}


@dataclass
class Runner:
    """One job that uses the action; ``prepared`` has the outputs of steps that are not run."""

    folder: Path
    checkout: Path
    variables: Mapping[str, str]
    inputs: Mapping[str, str] = field(default_factory=dict)
    prepared: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    used: list[dict[str, Any]] = field(default_factory=list)
    log: str = ""
    code: int = 0

    def run(self) -> "Runner":
        """Run the steps until one fails."""
        self.outputs: dict[str, dict[str, str]] = {}
        for number, step in enumerate(STEPS):
            if not self._is_due(step):
                continue
            name = step.get("id", str(number))
            if name in self.prepared:
                self.outputs[name] = dict(self.prepared[name])
            elif "uses" in step:
                self.used.append({**step, "with": {k: self._fill(v) for k, v in step["with"].items()}})
            else:
                self._run_script(name, step)
            if self.code:
                break
        return self

    def result(self, name: str) -> str:
        """Return an output of the action."""
        return self._fill(ACTION["outputs"][name]["value"])

    def summary(self) -> str:
        """Return what the steps have written into the summary of the job."""
        file = self.folder / "summary"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def _run_script(self, name: str, step: Mapping[str, Any]) -> None:
        output = self.folder / f"output-{name}"
        output.touch()
        files = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(self.folder / "summary")}
        own = {key: self._fill(value) for key, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self._fill(step.get("working-directory", str(self.checkout))),
            env={**self.variables, "RUNNER_TEMP": str(self.folder), **files, **own},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        self.log += done.stdout + done.stderr
        self.code = done.returncode
        lines = output.read_text(encoding="utf-8").splitlines()
        self.outputs[name] = {key: value for key, _, value in (line.partition("=") for line in lines)}

    def _is_due(self, step: Mapping[str, Any]) -> bool:
        condition = re.sub("&&|[|][|]|!(?!=)", lambda found: _WORDS[found[0]], step.get("if", "'true'"))
        python = _NAME.sub(lambda found: found[0] if found[0][0] == "'" else repr(self._value(found[0])), condition)
        return bool(eval(python, {"endsWith": str.endswith}))

    def _fill(self, text: str) -> str:
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: self._value(found[1]), text)

    def _value(self, name: str) -> str:
        match name.split("."):
            case ["inputs", key]:
                return self.inputs.get(key, ACTION["inputs"][key]["default"])
            case ["steps", step, "outputs", key]:
                return self.outputs.get(step, {}).get(key, "")
        return {
            "github.action_path": str(ROOT),
            "github.token": self.variables.get("JOB_TOKEN", ""),
            "runner.os": "Linux",
            "runner.temp": str(self.folder),
        }[name]


def python_here() -> dict[str, dict[str, str]]:
    """Return the outputs of the steps that install, as if they had installed this tree."""
    return {"python": {"python-path": sys.executable}, "install": {"python": sys.executable}}


def path_here() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
