"""Reading rule cases of other appliers than kubectl."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.state import ObjectRef
from tests.cases.case_steps import Action, CaseWrite
from tests.cases.tool_cases import ToolCase, ToolRun, case_files, is_tool_case, read_tool_case

SET = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}"
STORY = f"""
summary: a story
applier: flux
flags: [prune]
manifest: |
  {SET}
findings:
  - {{object: configmap/web, path: data.a, message: stays}}
"""
RUN = f"steps: [{{run: [{SET}]}}]\n"
PATCH = "{patch: {data: {a: x}}, target: {apiVersion: v1, kind: ConfigMap, name: web}}"


def read(text: str) -> ToolCase:
    return read_tool_case(text, file="cases/story.yaml", rule="thing-stays")


def test_a_case_is_about_a_run_of_a_program() -> None:
    case = read(STORY)
    (expected,) = case.findings

    assert (case.applier, case.flags, case.record) == (Applier.FLUX, ("prune",), None)
    assert (expected.object, expected.finding.rule, expected.finding.path) == ("configmap/web", "thing-stays", "data.a")


@pytest.mark.parametrize(
    ("steps", "is_revision", "has_snapshot"),
    [
        ("", False, False),
        (RUN, True, False),
        (RUN.replace("}]\n", f"}}, {PATCH}]\n"), False, True),
        (RUN.replace("}]\n", ", name: other}]\n"), False, True),
    ],
    ids=["nothing", "one run", "a run and a patch", "a run of another name"],
)
def test_one_run_before_stands_for_the_earlier_revision(steps: str, is_revision: bool, has_snapshot: bool) -> None:
    case = read(STORY + steps)

    assert (case.base is not None, case.has_snapshot) == (is_revision, has_snapshot)


@pytest.mark.parametrize(
    ("applier", "key", "is_revision"),
    [
        ("helm3", "flags: [--force]", False),
        ("helm4", "killed: true", False),
        ("helm3", "flags: []", True),
        ("flux", "flags: [force]", True),
    ],
    ids=["with flags", "killed", "without", "of Flux"],
)
def test_a_special_run_of_helm_does_not_stand_for_a_revision(applier: str, key: str, is_revision: bool) -> None:
    steps = RUN.replace("}]\n", f", {key}}}]\n")

    case = read(STORY.replace("flux", applier) + steps)

    assert (case.base is not None, case.has_snapshot) == (is_revision, not is_revision)


def test_steps_are_runs_and_writes_of_others() -> None:
    first, second = read(STORY + RUN.replace("}]\n", f"}}, {PATCH}]\n")).steps

    assert isinstance(first, ToolRun)
    assert isinstance(second, CaseWrite)
    assert (second.action, second.target) == (Action.PATCH, ObjectRef("v1", "ConfigMap", "", "web"))


def test_results_of_a_replay_are_read() -> None:
    record = read(
        STORY
        + "verified: {kubernetes: v1.36.3, program: flux, date: 2026-11-25}\nfailed: true\nsaid: stopped\n"
        + "became: {configmap/web: same}\nafter: []\n"
    ).record

    assert record is not None
    assert (record.failed, record.said, record.became) == (True, "stopped", {"configmap/web": "same"})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (STORY.replace("flux", "pulumi"), "applier is not one of helm3, helm4, flux, argocd, kapp, helm-controller"),
        (STORY.replace("flags", "flag"), "unknown key 'flag'"),
        (STORY + "steps: [{run: [{}]}]", "run[0]: is not one object"),
        (STORY + "steps: [{run: [], by: x}]", "unknown key 'by'"),
        (STORY + "steps: [{patch: {}}]", "a patch needs a target"),
    ],
    ids=["program", "key", "object", "key of a run", "target"],
)
def test_each_fault_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="cases/") as caught:
        read(text)

    assert complaint in str(caught.value)


def test_cases_of_programs_are_recognized(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "bad-flux.yaml").write_text(STORY)
    (tmp_path / "cases" / "bad-kubectl.yaml").write_text("summary: a story\nmanifest: x\n")

    assert is_tool_case(STORY)
    assert [file.stem for file in case_files(str(tmp_path))] == ["bad-kubectl"]
    assert [file.stem for file in case_files(str(tmp_path), of_tools=True)] == ["bad-flux"]
