"""Placeholders in any field of the manifests of all rules: no rule fails on a value that is not known."""

import copy
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
import yaml

from kubectl_applylint.core.values import Json, JsonObject, items, mapping
from tests import libyaml

pytestmark = pytest.mark.slow  # each test checks the manifests of some hundred cases

CASES = sorted((Path(__file__).parents[2] / "rules").glob("*/*/cases/*.yaml"))
PLACEHOLDERS = ("${NAME}", "a-${NAME}", "${OTHER}")
PORTION = 150


def places(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the places of all scalars but those of the kind."""
    inner = mapping(value).items() if isinstance(value, dict) else enumerate(items(value))
    if not isinstance(value, dict | list) and path not in (("apiVersion",), ("kind",)):
        yield path
    for key, item in inner:
        yield from places(item, (*path, key))


def with_placeholders(random: Random, manifest: JsonObject) -> JsonObject:
    """Return a manifest with placeholders in place of some scalars."""
    changed = copy.deepcopy(manifest)
    every = list(places(manifest))
    for path in random.sample(every, min(len(every), random.choice([1, 1, 2, 4]))):
        around: Json = changed
        for key in path[:-1]:
            around = around[key]
        around[path[-1]] = random.choice(PLACEHOLDERS)
    return changed


def manifests(case: JsonObject) -> tuple[Sequence[JsonObject], Sequence[JsonObject]]:
    """Return the objects of the first step of a case, and its manifest."""
    first = next(iter(items(case.get("steps"))), None)
    after = [one for one in libyaml.load_all(str(case.get("manifest", ""))) if isinstance(one, dict)]
    before = [one for one in items(mapping(first).get("run")) if isinstance(one, dict)]
    return before or after, after


@pytest.mark.parametrize("command", [["check"], ["plan"], ["check", "--applier", "kubectl", "--server-side"]])
def test_no_rule_fails_on_a_placeholder(command: list[str], tmp_path: Path) -> None:
    random = Random(" ".join(command))
    for case in random.sample(CASES, PORTION):
        sides = manifests(libyaml.load(case.read_text()))
        for side, every in zip(("before", "after"), sides, strict=True):
            folder = tmp_path / side / f"{case.parents[1].name}-{case.stem}"
            folder.mkdir(parents=True)
            (folder / "all.yaml").write_text(yaml.safe_dump_all([with_placeholders(random, one) for one in every]))

    program = [sys.executable, "-m", "kubectl_applylint", command[0], "after", "--against", "dir:before", *command[1:]]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)

    assert re.findall(r".*(?:rule \S+ failed|is a bug).*", done.stdout + done.stderr) == []
    assert "objects" in done.stdout
