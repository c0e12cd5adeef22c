"""Odd and hostile configuration files: each is an error with its place, and never a crash."""

import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.config.configuration import OPTIONS, ConfigError, load
from kubectl_applylint.config.settings import TOML_FILE, YAML_FILE
from kubectl_applylint.core.values import Json

DIGITS = "9" * 5000


def outcome(folder: Path, name: str, text: str) -> list[str]:
    """Return the faults of a configuration in its own repository; raise whatever else goes wrong."""
    (folder / ".git").mkdir(exist_ok=True)
    (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        load({}, {}, folder)
    except ConfigError as error:
        return list(error.faults)
    return []


UNFOLDING = "ignore:\n- &a0 [x, x]\n" + "".join(f"- &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        (YAML_FILE, "ignore: &a [*a]", ".applylint.yaml:1:13: not YAML: anchor 'a' contains itself"),
        (YAML_FILE, UNFOLDING,
         ".applylint.yaml:16:9: not YAML: document contains excessive aliasing"),
        (YAML_FILE, "ignore: " + "[" * 2000 + "]" * 2000,
         ".applylint.yaml:1:108: not YAML: nested deeper than 100 levels"),
        (YAML_FILE, "{" * 100_000, ".applylint.yaml:1:101: not YAML: nested deeper than 100 levels"),
        (YAML_FILE, 'baseline: "a\\0b"', ".applylint.yaml:1:1: a NUL character in the value"),
        (YAML_FILE, 'output: "te\\0xt"', ".applylint.yaml:1:1: a NUL character in the value"),
        (YAML_FILE, 'rules: ["a\\0b"]', ".applylint.yaml:1:1: a NUL character in the value"),
        (YAML_FILE, 'ignore: [{rule: x, path: "a\\0b"}]', ".applylint.yaml:1:20: a NUL character in the value"),
        (YAML_FILE, 'against: "\\ud800"', ".applylint.yaml:1:1: half of a surrogate pair in the value"),
        (YAML_FILE, f"verbosity: {DIGITS}", f".applylint.yaml:1:1: '{DIGITS[:59]}… is not a number"),
        (YAML_FILE, f"kubernetes-version: 1.{DIGITS}",
         f".applylint.yaml:1:1: '1.{DIGITS[:57]}… is not a version such as 1.36"),
        (YAML_FILE, "# " + "x" * 1024 * 1024, ".applylint.yaml: cannot be read: larger than 1024 KiB"),
        (TOML_FILE, "[[tool.applylint]]\nselect = []",
         "pyproject.toml: tool.applylint is not a table of options: write [tool.applylint]"),
        (TOML_FILE, "tool = {applylint = 1} # [tool.applylint]",
         "pyproject.toml: tool.applylint is not a table of options: write [tool.applylint]"),
        (TOML_FILE, "[tool.applylint]\nignore = " + "[" * 3000 + "]" * 3000, "pyproject.toml: nested too deeply"),
    ],
    ids=["own anchor", "aliases", "deep list", "deep map", "nul in baseline", "nul in output", "nul in rules",
         "nul in an entry", "surrogate",
         "digits", "version", "large", "array of tables", "no table", "deep toml"],
)  # fmt: skip
def test_a_hostile_file_is_one_fault(tmp_path: Path, name: str, text: str, fault: str) -> None:
    assert outcome(tmp_path, name, text) == [fault]


def test_the_depth_is_bounded_despite_a_raised_recursion_limit(tmp_path: Path) -> None:
    before = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(20_000)
        found = outcome(tmp_path, TOML_FILE, "[tool.applylint]\nignore = " + "[" * 3000 + "]" * 3000)
    finally:
        sys.setrecursionlimit(before)

    assert found == ["pyproject.toml: nested too deeply"]


@pytest.mark.parametrize(
    "text", ["tool = 1 # [tool.applylint]", f"[tool.applylint]\nverbosity = {DIGITS}", "tool = [] # [tool.applylint]"]
)
def test_a_hostile_toml_file_does_not_crash(tmp_path: Path, text: str) -> None:
    assert len(outcome(tmp_path, TOML_FILE, text)) <= 1


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.sampled_from(["\0", "\ud800", "a:b", "..", "/"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*OPTIONS, "tool", ""]), VALUES, max_size=4))
def test_any_values_are_settings_or_faults(values: dict[str, Json]) -> None:
    """Whatever an option is said to be, what comes out is a configuration, or faults that name the file."""
    lines = (f"{name or chr(34) * 2}: {inline_yaml(value)}\n" for name, value in values.items())
    with tempfile.TemporaryDirectory() as folder:
        faults = outcome(Path(folder), YAML_FILE, "".join(lines))

    assert all(fault.startswith((YAML_FILE, "--output")) for fault in faults)


def inline_yaml(value: Json) -> str:
    """Return a value as YAML in one line, odd characters as they are."""
    match value:
        case dict():
            return "{" + ", ".join(f"{inline_yaml(key)}: {inline_yaml(inner)}" for key, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(inline_yaml, value)) + "]"
        case str():
            quoted = value.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\\0").replace("\ud800", "\\ud800")
            return f'"{quoted}"'
        case _:
            return str(value)


@given(st.text(max_size=60), st.sampled_from([YAML_FILE, TOML_FILE]))
def test_any_text_is_settings_or_faults(text: str, name: str) -> None:
    """A configuration that is not even of its language is a fault."""
    start = "[tool.applylint]\n" if name == TOML_FILE else ""
    with tempfile.TemporaryDirectory() as folder:
        faults = outcome(Path(folder), name, start + text)

    assert all(fault.startswith((name, "--output")) for fault in faults)
