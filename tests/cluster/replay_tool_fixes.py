"""Replays the fixes of stories of Helm, Flux, Argo CD and kapp: what they print is typed, and the run goes well then.

``replay_fixes`` calls this for the cases that name a program. What the reader decides, and commands of the programs,
which need names of releases and apps, stand in ``fixed`` of the case. Then the program applies the set: that
has to succeed, and before it the rule has to find nothing.
"""

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.lint.fixes.steps import fix_steps
from kubectl_applylint.lint.model import Finding, Need, Rule
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from tests.cases.case_steps import Action, CaseWrite
from tests.cases.fixed import FixEntry
from tests.cases.tool_cases import ToolCase, ToolRecord, read_tool_case
from tests.cluster.cluster import Cluster, Run
from tests.cluster.fix_desk import finish
from tests.cluster.fix_ways import Outcome, Replayed, Steps, alternatives, is_well, kind_of, may_fail, worst_of
from tests.cluster.story import Stuck
from tests.cluster.tool_calls import MODULES, program_of
from tests.cluster.tool_story import StoryRun, run_story
from tests.rules.tool_stories import run_of, subjects_of

_FILE: Final = "after.yaml"
"""The name of the file of the set, for the product, too."""
_NOBODY: Final = CaseWrite(Action.PATCH, {}, ObjectRef("v1", "ConfigMap", "", "nobody"))
"""A step that is not taken: with it, a story is judged by what is live."""


def replay_tool_fix(cluster: Cluster, file: Path) -> Replayed:
    """Play all alternatives of the fix of a bad story, and return how the worst of them went."""
    case = read_tool_case(file.read_text(encoding="utf-8"), file=str(file), rule=file.parent.parent.name)
    rule = next(rule for rule in rulebook.built_in().rules if rule.id == file.parent.parent.name)
    found = _findings(case, rule)
    if not found:
        return Replayed(Outcome.FAILED, "the check finds nothing")
    ways = alternatives([[{"kind": step.kind.value, "text": step.text} for step in fix_steps(one)] for one in found])
    try:
        every = [_follow(cluster, case, rule, way, case.fixed[at : at + 1]) for at, way in enumerate(ways)]
    except Stuck as fault:
        return Replayed(Outcome.FAILED, str(fault))
    return worst_of(every, leaves=bool(case.fix_leaves))


def _findings(case: ToolCase, rule: Rule) -> Sequence[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        return lint(subjects_of(case, run_of(case, Path(folder))), [rule]).findings


def _follow(cluster: Cluster, case: ToolCase, rule: Rule, way: Steps, decided: tuple[FixEntry | None, ...]) -> Replayed:
    with run_story(cluster, program_of(case.applier, os.environ), case) as at, tempfile.TemporaryDirectory() as folder:
        return _ToolReader(at, rule, Path(folder)).follow(way, decided)


@dataclass(frozen=True, slots=True)
class _ToolReader:
    """A user who does what a fix says before the program applies the set once more."""

    at: StoryRun
    rule: Rule
    folder: Path

    def follow(self, way: Steps, decided: tuple[FixEntry | None, ...]) -> Replayed:
        """Do the steps of an alternative; return how it went. Without ``decided`` nothing says what the reader does."""
        case, steps = self.at.case, Counter(map(kind_of, way))
        if steps["decision"] and not decided:
            return Replayed(Outcome.OPEN, "", steps)
        fixed = decided[0] if decided else None
        flags = case.flags if fixed is None or fixed.flags is None else fixed.flags
        (self.folder / _FILE).write_text(case.manifest)
        faults = [*self._do(way, fixed)]
        left = [f"still found: {one.message}" for one in self._found(flags)]
        error = self.at.apply(self.at.run_of(self._text(), flags)).error
        faults += [f"the run fails: {error}"] if error else []
        if faults or (left and not case.fix_leaves):
            return Replayed(Outcome.FAILED, "; ".join((*faults, *left)), steps)
        if left:
            return Replayed(Outcome.LEFT, case.fix_leaves, steps)
        return Replayed(Outcome.DECIDED if fixed else Outcome.PROVEN, "", steps)

    def _text(self) -> str:
        return (self.folder / _FILE).read_text()

    def _do(self, way: Steps, fixed: FixEntry | None) -> Iterator[str]:
        """Do the steps, and yield what went wrong; the reader writes at the first decisions."""
        writings = [fixed, FixEntry(fixed.then)] if fixed else []
        for number, step in enumerate(way):
            if step["kind"] == "decision" and writings:
                self._write(writings.pop(0))
            if kind_of(step) != "command":
                continue
            done = self._sh(step["text"])
            if not is_well(step["text"], done) and not may_fail(way[:number]):
                yield f"{step['text']!r} ended with {done.code}: {done.stderr.strip() or done.stdout.strip()}"

    def _write(self, fixed: FixEntry) -> None:
        if fixed.manifest:
            (self.folder / _FILE).write_text(fixed.manifest)
        for name, text in fixed.files.items():
            (self.folder / name).write_text(text)

    def _sh(self, command: str) -> Run:
        kubectl = self.at.stage.cluster.kubectl.parent
        settings: Mapping[str, str] = {
            "PATH": os.pathsep.join([str(kubectl), os.environ["PATH"]]),
            "KUBECONFIG": str(self.at.stage.cluster.kubeconfig),
            "KUBECACHEDIR": str(self.at.stage.cluster.folder / "discovery"),
            "EDITOR": "sh editor",
        }
        with subprocess.Popen(
            ["sh", "-c", command],
            cwd=self.folder,
            env={**os.environ, **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        ) as process:
            return finish(process, self.at.stage, self.at.refs)

    def _found(self, flags: Sequence[str]) -> Sequence[Finding]:
        """Return what the rule finds now by what is live, or by the earlier revision, without which it does not run."""
        case, text = self.at.case, self._text()
        refs = (ref_of(item) for item in self.at.run_of(text, flags).objects)
        record = ToolRecord(
            kubernetes=self.at.stage.cluster.version,
            program=MODULES[case.applier],
            date="",
            failed=False,
            said="",
            became={},
            after=(),
            before=self.at.live(*refs),
            memory=self.at.memory(),
        )
        is_by_revision = case.base is not None and Need.BASE in self.rule.needs
        steps = case.steps if is_by_revision else (*case.steps, _NOBODY)
        return _findings(replace(case, manifest=text, flags=tuple(flags), steps=steps, record=record), self.rule)
