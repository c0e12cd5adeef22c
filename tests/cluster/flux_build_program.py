"""Builds with the libraries of Flux, the program of ``tests/appliers_go/flux_build``."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from kubectl_applylint.core.values import JsonObject
from tests.cluster.build import applier

NAME = "flux_build"
SECONDS = 600


def flux_build_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(NAME, environment)


def answers(program: Path, questions: Iterable[JsonObject]) -> list[JsonObject]:
    """Return the answer to each question; ``main.go`` describes both."""
    lines = "".join(json.dumps(question, ensure_ascii=False) + "\n" for question in questions)
    done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
