"""No rule fails on an object, whatever stands in the file."""

from functools import cache
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from tests.cases.cases import Case, read_case
from tests.cases.tool_cases import case_files
from tests.rules.stories import flags_of, subject

RULES = rulebook.built_in().rules
FILES = [file for rule in RULES for file in case_files(rule.folder) if file.name.startswith("bad-")]
JUNK: list[Json] = [None, "", "x", 0, 1.5, True, [], {}, [None], ["x"], [{}], [[]], {"x": None}, {"name": []}]


@cache
def case_of(file: Path) -> Case:
    return read_case(file.read_text(), file=str(file), rule="")


def replace_at(value: Json, steps: list[int], junk: Json) -> Json:
    """Return ``value`` with ``junk`` at the place that ``steps`` lead to, each modulo the number of items."""
    if not steps or not value or not isinstance(value, dict | list):
        return junk
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[steps[0] % len(keys)]
    inner = replace_at(value[key], steps[1:], junk)
    if isinstance(value, dict):
        return {**value, key: inner}
    return [*value[:key], inner, *value[key + 1 :]]


@settings(max_examples=150, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    file=st.sampled_from(FILES),
    steps=st.lists(st.integers(0, 20), max_size=9),
    junk=st.sampled_from(JUNK),
)
@pytest.mark.slow
def test_no_rule_fails(file: Path, steps: list[int], junk: Json) -> None:
    case = case_of(file)
    manifest = yaml.load(case.manifest, yaml.CSafeLoader)
    key = list(manifest)[-1]

    broken = {**manifest, key: replace_at(manifest[key], steps, junk)}
    report = lint([subject(broken, live=case.live, crds=case.crds, flags=flags_of(case))], RULES)

    assert report.problems == ()
