"""The ways in which a fix can be followed, their steps, and how that went."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain

from kubectl_applylint.core.values import JsonObject
from tests.cluster.cluster import Run

Steps = Sequence[JsonObject]
"""Steps of a fix as ``check -o json`` has them."""
_OF_OTHERS = ("helm ", "flux ", "argocd ", "kapp ", "skaffold ")


class Outcome(StrEnum):
    """The result of the fix of a case."""

    PROVEN = "proven"
    """It leaves nothing to the reader: all that it prints was done, and the finding is gone."""
    DECIDED = "decided"
    """The same, with what the case says that the reader writes."""
    LEFT = "left"
    """Everything ran, and the finding stays for the reason that the case gives."""
    OPEN = "open"
    """The reader decides something, and the case does not say what."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of one alternative of a fix, or of all, with the reason if it failed."""

    outcome: Outcome
    reason: str = ""
    steps: Counter[str] = field(default_factory=Counter)
    """How many steps were made by kind; ``not run`` are commands of other tools and waits for controllers."""


def alternatives(fixes: Sequence[Steps]) -> list[Steps]:
    """Return the alternatives of the fixes of several findings: the first of each after the other, then the second.

    Edits come first, for their places are those of the text as it is. What two findings print alike is typed once.
    """
    split = [list(_split(fix)) for fix in fixes]
    number = max(map(len, split))
    return [_together(ways[min(at, len(ways) - 1)] for ways in split) for at in range(number)]


def _split(fix: Steps) -> Iterator[Steps]:
    edits = [step for step in fix if step["kind"] == "edit"]
    part: list[JsonObject] = []
    for step in fix[len(edits) :]:
        if step["kind"] == "decision" and step["text"].startswith("or ") and (part or edits):
            yield [*edits, *part]
            part, edits = [], []
        part.append(step)
    yield [*edits, *part]


def _together(ways: Iterable[Steps]) -> Steps:
    every: list[Steps] = []
    for way in ways:
        if all(_commands(way) != _commands(other) for other in every):
            every.append(way)
        else:
            every.append([step for step in way if step["kind"] == "edit"])
    steps = list(chain.from_iterable(every))
    return sorted(steps, key=lambda step: step["kind"] != "edit")


def _commands(way: Steps) -> list[str]:
    return [step["text"] for step in way if step["kind"] != "edit"]


def kind_of(step: JsonObject) -> str:
    """Return what is done with a step."""
    text = step["text"]
    if step["kind"] == "command" and text.startswith(_OF_OTHERS):
        return "not run"
    # No controllers run: nothing rolls out.
    if step["kind"] == "wait" and text.startswith("kubectl rollout status "):
        return "not run"
    return str(step["kind"])


def is_well(command: str, run: Run) -> bool:
    """Return whether a command ended as it may: ``kubectl diff`` says with 1 that something differs."""
    return run.code == 0 or (run.code == 1 and command.startswith("kubectl diff") and not run.stderr)


def may_fail(before: Steps) -> bool:
    """Return whether the comment right above a command says that it fails."""
    return bool(before) and before[-1]["kind"] == "decision" and " fails" in before[-1]["text"]


def worst_of(every: Sequence[Replayed], *, leaves: bool) -> Replayed:
    """Return the result of a fix with these alternatives; ``leaves`` means that a finding has to be left."""
    worst = max(every, key=lambda one: list(Outcome).index(one.outcome))
    if leaves and not any(one.outcome is Outcome.LEFT for one in every):
        worst = Replayed(Outcome.FAILED, "; ".join(["fix_leaves, but nothing is left", worst.reason]))
    return Replayed(worst.outcome, worst.reason, sum((one.steps for one in every), Counter[str]()))


def table(outcomes: Iterable[Outcome]) -> str:
    """Return the counts of the outcomes, one a line."""
    counts = Counter(outcomes)
    return "".join(f"{outcome.value:8} {counts[outcome]:4}\n" for outcome in Outcome)
