"""Hazards that a plan shows have a finding of ``check``, whichever tool applies the recorded change."""

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.outcome import Outcome, Why
from kubectl_applylint.core.paths import Path as FieldPath
from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig
from kubectl_applylint.lint.model import Finding, Scenario, Subject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from tests import libyaml
from tests.cases.tool_cases import ToolCase, ToolRun
from tests.fidelity.sets import SetStory, read_stories
from tests.rules.test_recorded_tools import calls
from tests.rules.tool_stories import run_of, subjects_of
from tests.tree import ROOT

RULES = rulebook.built_in().rules
SETS = 40
"""How many of the recorded changes of folders are examined."""
RECORDED = (*TOOL_APPLIERS, Applier.HELM_CONTROLLER)
CALLS = None if "CI" in os.environ else 60
"""How many of the recorded runs of each program are examined; in CI all are."""
REPLICAS = fields("spec", "replicas")
_LOST_WITH = frozenset(("PersistentVolumeClaim", "Namespace", "CustomResourceDefinition"))
_PRUNES = frozenset((Applier.FLUX, Applier.ARGOCD))


def hazards(subject: Subject) -> Iterator[tuple[str, FieldPath]]:
    """Yield the hazards of an outcome and their places; the outcome alone decides, no rule."""
    outcome = subject.predict(Scenario.APPLY)
    if subject.unapplied is not None:
        if subject.unapplied.is_deletion and subject.ref.kind in _LOST_WITH:
            yield "pruned", ()
    elif not outcome.refused:
        yield from _hazards_of(outcome, subject)


def _hazards_of(outcome: Outcome, subject: Subject) -> Iterator[tuple[str, FieldPath]]:
    # A Job that is recreated runs again, which is what Force=true and Replace=true are for.
    if any(write.method == "DELETE" for write in outcome.requests) and subject.ref.kind != "Job":
        yield "recreated", ()
    before, after = (get(side, REPLICAS) for side in (live_object(subject.state.live), outcome.result))
    is_written = get(subject.manifest, REPLICAS) is not MISSING
    if not is_written and isinstance(before, int) and isinstance(after, int) and after < before:
        yield "replicas fall", REPLICAS
    for change in outcome.changes:
        if (
            change.provenance.why is Why.DEFAULTED
            and _has_left(change.path, subject)
            and change.after not in ("", None)
        ):
            yield "reset to default", change.path


def _has_left(path: FieldPath, subject: Subject) -> bool:
    earlier = live_object(subject.base)
    return path[:1] == fields("spec") and earlier is not MISSING and get(earlier, path) is not MISSING


def unreported_hazards(case: ToolCase, folder: Path, namespace: str) -> list[str]:
    """Return the hazards of a case without a finding; a manifest that cannot be read is a problem instead."""
    run = run_of(case, folder, namespace)
    subjects = subjects_of(case, run)
    findings = lint(subjects, RULES).findings
    each = [(subject, *hazard) for subject in subjects for hazard in hazards(subject)]
    missing = [f"{what} {one.ref}" for one, what, path in each if not any(_is_about(f, one, path) for f in findings)]
    is_rejected = any(subject.predict(Scenario.APPLY).refused for subject in subjects)
    is_reported = bool(findings) or any(problem.is_refused for problem in run.problems)
    return [*missing, "rejected"] if is_rejected and not is_reported else missing


def _is_about(finding: Finding, subject: Subject, path: FieldPath) -> bool:
    return finding.ref.identity == subject.ref.identity and (not path or path[: len(finding.path)] == finding.path)


def story_case(applier: Applier, story: SetStory) -> ToolCase | None:
    """Return the recorded change of a folder as a change that another program applies."""
    base, head = (list(_objects(step.files)) for step in (story.base, story.head))
    if not base or not head:
        return None
    flags = ("prune",) if applier in _PRUNES else ()
    steps = (ToolRun(tuple(base), flags),)
    return ToolCase("", "", applier, "\n---\n".join(map(json.dumps, head)), steps, (), flags, (), (), None)


def _objects(files: dict[str, str] | object) -> Iterator[JsonObject]:
    assert isinstance(files, dict)
    for _, text in sorted(files.items()):
        for item in libyaml.load_all(text):
            yield from item["items"] if _is(item, "List") else [item] if _is(item, "") else ()


def _is(item: Json, kind: str) -> bool:
    known = dig(item, "kind")
    return isinstance(known, str) and kind in ("", known) and known not in ("Kustomization", "Component")


def recorded_cases(applier: Applier) -> Iterator[tuple[str, ToolCase, str]]:
    for story in islice(read_stories(ROOT / "tests" / "fidelity" / "sets-1.36.jsonl.gz"), SETS):
        case = None if any("kustomization" in name for name in story.head.files) else story_case(applier, story)
        if case is not None:
            yield story.id, case, story.namespace
    yield from ((call["id"], case, call["namespace"]) for call, case in islice(calls(applier, None), CALLS))


@pytest.mark.early(25)
@pytest.mark.slow
@pytest.mark.parametrize("applier", RECORDED, ids=str)
def test_every_hazard_of_a_plan_has_a_finding(applier: Applier, tmp_path: Path) -> None:
    each = ((name, unreported_hazards(case, tmp_path, namespace)) for name, case, namespace in recorded_cases(applier))

    assert [(name, missing) for name, missing in each if missing] == []


@pytest.mark.parametrize("applier", TOOL_APPLIERS, ids=str)
def test_replicas_that_leave_the_manifest_have_a_finding(applier: Applier, tmp_path: Path) -> None:
    web = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    }
    before = {**web, "spec": {**web["spec"], "replicas": 3}}  # type: ignore[dict-item]  # it is a map
    case = ToolCase("", "", applier, json.dumps(web), (ToolRun((before,)),), (), (), (), (), None)
    subjects = subjects_of(case, run_of(case, tmp_path))

    assert [what for one in subjects for what, _ in hazards(one)].count("replicas fall") == 1
    assert [finding.path for finding in lint(subjects, RULES).findings] == [REPLICAS]
