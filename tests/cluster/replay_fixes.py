"""Replays the fixes of rule cases on a real API server: what they print is typed, and the apply has to go well then.

    python -m tests.cluster.replay_fixes rules/*/*/cases/bad-*.yaml

In the state before a case's apply, the product's own check prints the fix. Each of its alternatives (a comment that
begins with ``or``) is played from that state: edits are made in the file, a shell runs the commands, and what the
reader has to decide is taken from ``fixed`` of the case. After that the rule may find nothing, and the case's apply
has to succeed. Prints how each case went and a table of the counts; ends with 1 if one fails.
"""

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kubectl_applylint.core.state import Present
from tests.cases.cases import Case, read_case
from tests.cases.fixed import FixEntry
from tests.cases.tool_cases import is_tool_case
from tests.cluster.cluster import Cluster, Run, start_cluster
from tests.cluster.fix_desk import FixDesk
from tests.cluster.fix_ways import Outcome, Replayed, Steps, alternatives, is_well, kind_of, may_fail, table, worst_of
from tests.cluster.proxy import Recording, recording
from tests.cluster.replay_tool_fixes import replay_tool_fix
from tests.cluster.replay_tools import written_part
from tests.cluster.story import SERVER_MADE, Stage, Stuck, bring, move_to_namespace, open_stage

_WRITING = tuple(
    f"kubectl {verb} "
    for verb in ("annotate", "apply", "create", "delete", "edit", "label", "patch", "replace", "rollout")
)
_OF_MEMORY = ("apply set-last-applied", "apply view-last-applied", "apply edit-last-applied")
_FOUND = "still found"
_SERVER_SIDE = "--server-side"


@dataclass(frozen=True, slots=True)
class Server:
    """The cluster with its proxy, and as the user that the product has, who only reads."""

    cluster: Cluster
    proxy: Recording
    reader: Cluster


def replay_fix(server: Server, file: Path) -> Replayed:
    """Play all alternatives of the fix of a bad case, and return how the worst of them went."""
    text = written_part(file.read_text(encoding="utf-8"))
    if is_tool_case(text):
        return replay_tool_fix(server.cluster, file)
    case = read_case(text, file=str(file), rule=file.parent.parent.name)
    if case.other_unit:
        return Replayed(Outcome.OPEN, "it takes a repository with two units")
    try:
        first, number = _alternative(server, case, 0)
        every = [first, *(_alternative(server, case, at)[0] for at in range(1, number))]
    except Stuck as fault:
        return Replayed(Outcome.FAILED, str(fault))
    return worst_of(every, leaves=bool(case.fix_leaves))


def _alternative(server: Server, case: Case, at: int) -> tuple[Replayed, int]:
    """Play one alternative of a fix; return how it went, and how many alternatives there are."""
    with open_stage(server.cluster, server.proxy, case) as stage, tempfile.TemporaryDirectory() as folder:
        if case.is_synced:
            _create(stage, case)
        else:
            bring(stage, case)
        follower = _Follower(FixDesk(stage, server.cluster, server.reader, case, Path(folder)), _rule_of(case))
        follower.desk.lay_out()
        findings = follower.desk.check(follower.rule, case.flags)
        if not findings and case.is_synced:
            follower = replace(follower, desk=replace(follower.desk, is_stored=False))
            findings = follower.desk.check(follower.rule, case.flags)
        if not findings:
            return Replayed(Outcome.FAILED, "the check finds nothing"), 1
        found = alternatives([finding["steps"] for finding in findings])
        replayed = follower.follow(found[at], case.fixed[at : at + 1])
        follower.desk.clear()
        return replayed, len(found)


def _create(stage: Stage, case: Case) -> None:
    """Create the live object of a child of Metacontroller, without the fields that the server rejects."""
    if isinstance(case.live, Present) and stage.serves(case.ref):
        live = move_to_namespace(case.live.object, stage.namespace)
        metadata = {key: value for key, value in live["metadata"].items() if key not in SERVER_MADE}
        stage.cluster.post(stage.path(case.ref).rpartition("/")[0], {**live, "metadata": metadata})


def _rule_of(case: Case) -> str:
    return Path(case.file).parent.parent.name


@dataclass(frozen=True, slots=True)
class _Follower:
    """A user who does what a fix of ``rule`` says."""

    desk: FixDesk
    rule: str

    def follow(self, way: Steps, decided: tuple[FixEntry | None, ...]) -> Replayed:
        """Do the steps of an alternative; return how it went. Without ``decided`` nothing says what the reader does."""
        case, steps = self.desk.case, Counter(map(kind_of, way))
        fixed = decided[0] if decided else None
        flags = case.flags if fixed is None or fixed.flags is None else fixed.flags
        done = [*self._do(way, fixed, flags), *self._rejection(flags)]
        faults = [one for one in done if not one.startswith(_FOUND)]
        left = [one for one in done if one.startswith(_FOUND)] + [f"{_FOUND}: {one}" for one in self._found(flags)]
        reason = "; ".join(dict.fromkeys((*faults, *left)))
        is_open = steps["decision"] > 0 and not decided and not steps["edit"]
        if is_open and not any(map(_is_wrong, faults)):
            return Replayed(Outcome.OPEN, reason, steps)
        if faults or (left and not case.fix_leaves):
            return Replayed(Outcome.FAILED, reason, steps)
        if left:
            return Replayed(Outcome.LEFT, case.fix_leaves, steps)
        return Replayed(Outcome.DECIDED if fixed else Outcome.PROVEN, "", steps)

    def _do(self, way: Steps, fixed: FixEntry | None, flags: Sequence[str]) -> Iterator[str]:
        """Do the steps, and yield what went wrong; the reader writes at the first decisions."""
        edits = [step for step in way if step["kind"] == "edit"]
        self.desk.edit([edit for step in edits for edit in step["edits"]])
        writings = [fixed, FixEntry(fixed.then)] if fixed else []
        promised = [step["effect"]["verdict"] for step in edits[:1]]
        is_as_told = not any(one.manifest for one in writings)
        for at, step in enumerate(way):
            if step["kind"] == "command" and "effect" in step and is_as_told:
                promised = [step["effect"]["verdict"]]
            if step["kind"] == "decision" and writings:
                self.desk.write(writings.pop(0))
            if kind_of(step) not in ("command", "wait"):
                continue
            if _is_apply(step["text"]) and not any(_writes(other["text"]) for other in way[at + 1 :]):
                own = [flag for flag in flags if flag != _SERVER_SIDE or flag in step["text"]]
                yield from (f"{_FOUND} before the apply: {one}" for one in self._found(own))
            run = self.desk.sh(step["text"])
            if not is_well(step["text"], run) and not may_fail(way[:at]):
                yield f"{step['text']!r} ended with {run.code}: {run.stderr.strip() or run.stdout.strip()}"
            elif _is_apply(step["text"]):
                yield from self._broken_promises(promised, run)
                promised = []

    def _found(self, flags: Sequence[str]) -> Sequence[str]:
        """Return what the rule still finds, where that is not said to stay."""
        return [one["message"] for one in self.desk.check(self.rule, flags)]

    def _broken_promises(self, promised: Sequence[str], run: Run) -> Iterator[str]:
        """Yield where the first apply after an edit did something else than its proof says."""
        verdicts = list(self.desk.verdicts(run.stdout))
        if promised and verdicts[-1:] != promised:
            yield f"the proof says {promised[0]}, kubectl {verdicts}"

    def _rejection(self, flags: Sequence[str]) -> Iterator[str]:
        """Yield the error if the apply of the case is rejected; a sync of Metacontroller cannot be run."""
        if self.desk.case.is_synced:
            return
        run = self.desk.apply(flags)
        if run.code:
            yield f"the apply is refused: {run.stderr.strip()}"


def _is_apply(command: str) -> bool:
    is_apply = command.startswith("kubectl apply ") and not command.partition(" ")[2].startswith(_OF_MEMORY)
    return is_apply and "--dry-run" not in command


def _writes(command: str) -> bool:
    """Return whether a command changes objects."""
    parts = (part.strip() for part in command.split("|"))
    return any(part.startswith(_WRITING) for part in parts) and "--dry-run" not in command


def _is_wrong(fault: str) -> bool:
    """Return whether something is wrong whatever the reader decides: only an apply depends on that."""
    return not fault.startswith(("'kubectl apply ", "'kubectl diff ", "the apply "))


def main(argv: Sequence[str] | None = None) -> int:
    """Replay the fixes of the cases that the command line names; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="bad cases of rules")
    options = parser.parse_args(argv)
    with start_cluster(os.environ) as cluster, recording(cluster.api) as proxy, cluster.user() as reader:
        every = [_report(Server(cluster, proxy, reader), file) for file in options.files]
    steps = sum((one.steps for one in every), Counter[str]())
    print(table(one.outcome for one in every) + ", ".join(f"{number} {kind}" for kind, number in sorted(steps.items())))
    return 1 if any(one.outcome is Outcome.FAILED for one in every) else 0


def _report(server: Server, file: Path) -> Replayed:
    replayed = replay_fix(server, file)
    print(
        f"{file}: {replayed.outcome}{f': {replayed.reason}' if replayed.reason else ''}".replace("\n", " / "),
        flush=True,
    )
    return replayed


if __name__ == "__main__":
    raise SystemExit(main())
