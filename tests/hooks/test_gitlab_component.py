"""The component for GitLab is the file that people copy, with inputs."""

import re
import subprocess
from typing import Final

import pytest
import yaml

from kubectl_applylint import __version__
from kubectl_applylint.config.configuration import OPTIONS
from kubectl_applylint.lint.model import Severity
from tests.tree import ROOT

HEADER, _, JOB = (ROOT / "templates" / "applylint.yml").read_text(encoding="utf-8").partition("\n---\n")
COPIED = (ROOT / "hooks" / "gitlab-ci.yml").read_text(encoding="utf-8")
INPUTS = yaml.safe_load(HEADER)["spec"]["inputs"]
DIFFERENCES: Final = {
    "    GIT_DEPTH: 0  # to have the merge base\n": "    GIT_DEPTH: 0  # to have the merge base\n"
    '    APPLYLINT_FAIL_ON: "$[[ inputs.fail-on ]]"\n'
    '    INPUT_AGAINST: "$[[ inputs.against ]]"\n'
    '    INPUT_PATHS: "$[[ inputs.paths ]]"\n',
    f"@v{__version__}": "@$[[ inputs.version ]]",
    "BASE=${CI_MERGE": "BASE=${INPUT_AGAINST:-${CI_MERGE",
    "$CI_COMMIT_BEFORE_SHA}": "$CI_COMMIT_BEFORE_SHA}}",
    "- applylint fetch --against": '- test "$[[ inputs.fetch ]]" = false || applylint fetch $INPUT_PATHS --against',
    "- applylint plan --against": "- applylint plan $INPUT_PATHS --against",
    "- applylint check --against": "- applylint check $INPUT_PATHS --against",
}
"""Lines of the component that replace those of the file to copy."""


def test_the_job_differs_from_the_file_to_copy_only_by_its_inputs() -> None:
    wanted = COPIED[COPIED.index("applylint:\n") :]
    for before, after in DIFFERENCES.items():
        assert wanted.count(before) == 1, before
        wanted = wanted.replace(before, after)

    assert wanted == JOB


def test_the_job_uses_every_input_and_no_other() -> None:
    assert set(re.findall(r"\$\[\[ inputs\.([a-z-]+) \]\]", JOB)) == set(INPUTS)
    assert set(yaml.safe_load(JOB)) == {"applylint"}


def test_every_input_is_described_and_has_a_default() -> None:
    assert [name for name, one in INPUTS.items() if not one["description"] or "default" not in one] == []


def test_the_inputs_are_those_of_the_documents() -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    section = text[text.index("## The component for GitLab") :]

    assert re.findall(r"^\| `([a-z-]+)` \|", section[: section.index("\n## ")], re.MULTILINE) == list(INPUTS)


def test_the_inputs_have_the_values_of_the_program() -> None:
    assert INPUTS["fail-on"]["options"] == ["", *(severity.value for severity in Severity)]
    assert "fail-on" in OPTIONS
    assert INPUTS["version"]["default"] == f"v{__version__}"
    assert INPUTS["fetch"]["type"] == "boolean"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, ["fetch --against base", "plan --against base", "check --against base"]),
        (
            {"paths": "apps infra", "against": "main", "fetch": "false"},
            ["plan apps infra --against main", "check apps infra --against main"],
        ),
    ],
)
def test_the_script_passes_the_inputs_to_the_program(given: dict[str, str], wanted: list[str]) -> None:
    values = {name: str(one["default"]).lower() for name, one in INPUTS.items()} | given
    job = yaml.safe_load(re.sub(r"\$\[\[ inputs\.([a-z-]+) \]\]", lambda found: values[found[1]], JOB))["applylint"]
    lines = [line for line in job["script"] if "BASE=" in line or " --against " in line]
    variables = {name: str(value) for name, value in job["variables"].items()}

    done = subprocess.run(
        ["bash", "-ec", "\n".join(["applylint() { echo $*; }", *lines])],
        env={**variables, "CI_COMMIT_BEFORE_SHA": "base", "CI_PROJECT_DIR": "/project"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert [line.partition(" -o ")[0] for line in done.stdout.splitlines()] == wanted
    assert variables["APPLYLINT_FAIL_ON"] == values["fail-on"]
