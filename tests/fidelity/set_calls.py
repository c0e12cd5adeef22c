"""Compares the prediction of one call of an applier on a set with the recorded call.

``run``: succeeds or fails. ``message``: what the applier says of a failure. For each object ``verdict``: created,
changed, same, deleted or rejected; ``result`` and ``owners`` as for kubectl. ``pruned``: the set of what is deleted.
"""

import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from kubectl_applylint.appliers.attempt import is_being_deleted
from kubectl_applylint.appliers.kubectl_client import NEW_UID
from kubectl_applylint.core.outcome import Outcome, Verdict, plain
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.fidelity.judge import Judgement, authored_part, differences, owners

METRICS = ("run", "message", "verdict", "result", "owners", "pruned")
_WORDS = {
    Verdict.CREATED: "created",
    Verdict.CONFIGURED: "changed",
    Verdict.UNCHANGED: "same",
    Verdict.REJECTED: "refused",
    Verdict.CONFLICT: "refused",
}
_SHOWN = 4


class RecordedCall(Protocol):
    """One recorded call; objects that are not there are ``None``."""

    @property
    def id(self) -> str:
        """The case, and the number of the call in it."""

    @property
    def action(self) -> str:
        """The requested action."""

    @property
    def flags(self) -> tuple[str, ...]:
        """With which flags."""

    @property
    def exit(self) -> int:
        """0 if the call succeeded."""

    @property
    def before(self) -> Mapping[ObjectRef, JsonObject | None]:
        """Every object concerned before the call."""

    @property
    def after(self) -> Mapping[ObjectRef, JsonObject | None]:
        """The same afterwards."""

    @property
    def message(self) -> str:
        """The message about a failure."""

    @property
    def unjudged(self) -> frozenset[ObjectRef]:
        """Objects that are not predicted."""

    def names(self, ref: ObjectRef) -> bool:
        """Return whether an object is named in what was said of a failure."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The prediction of a call."""

    message: str
    outcomes: Mapping[ObjectRef, Outcome]
    deleted: frozenset[ObjectRef]


def judge(call: RecordedCall, prediction: Prediction) -> Mapping[str, Sequence[Judgement]]:
    """Return all figures of a call: ``verdict``, ``result`` and ``owners`` an object, the others once."""
    fails = [
        Judgement(
            bool(call.exit) == bool(prediction.message), [call.exit, call.message[:600], prediction.message[:600]]
        )
    ]
    both = bool(call.exit) and bool(prediction.message)
    objects = [_object(call, prediction, ref) for ref in call.after if ref not in call.unjudged]
    return {
        "run": fails,
        "message": [_message(call, prediction)] if both else [],
        "pruned": _judge_pruned(call, prediction),
        **{name: [each[name] for each in objects if name in each] for name in ("verdict", "result", "owners")},
    }


def _message(call: RecordedCall, prediction: Prediction) -> Judgement:
    wanted, got = (_comparable(text) for text in (call.message, prediction.message))
    return Judgement(wanted == got, [wanted, got])


def _comparable(text: str) -> Sequence[str]:
    """Return the parts of a message without their order, the values and differences that Go prints, and JSON faults."""
    text = re.sub(r"\n(?! && )[ @+{}-].*|\n\](?=$| &&)|\n(?=, )", "", text, flags=re.MULTILINE)
    bare = re.sub(r"\d+ errors? occurred:|^\s*\* ", "", text, flags=re.MULTILINE)
    return sorted(map(_part, filter(None, re.split(r"\n* && |\n+", bare.strip()))))


def _part(text: str) -> str:
    plainer = re.sub(r"(Invalid|Unsupported) value: .*?: (?=[a-z`])", r"\1 value: ", text.strip())
    plainer = re.sub(r'\S* "[^"]*" is invalid: patch: .*', "the patch is invalid", plainer)
    plainer = re.sub(r" \(reason: \w+\)$", "", plainer)
    plainer = re.sub(rf"must be '(?:[0-9a-f]{{8}}-[0-9a-f-]{{27}}|{re.escape(NEW_UID)})'", "must be the uid", plainer)
    head, bracket, causes = plainer.partition("is invalid: [")
    return f"{head}{bracket}{sorted(causes.rstrip('.').removesuffix(']').split(', '))}" if bracket else plainer


def _judge_pruned(call: RecordedCall, prediction: Prediction) -> list[Judgement]:
    judged = [ref for ref in call.after if ref not in call.unjudged]
    gone = sorted(str(ref) for ref in judged if _word(call, ref) == "deleted")
    ours = sorted(str(ref) for ref in prediction.deleted if _is_there(call, ref))
    return [Judgement(gone == ours, [gone, ours])] if gone or ours else []


def _is_there(call: RecordedCall, ref: ObjectRef) -> bool:
    """Return whether there is an object to delete before the call."""
    before = call.before.get(ref)
    return before is not None and not is_being_deleted(before)


def _object(call: RecordedCall, prediction: Prediction, ref: ObjectRef) -> dict[str, Judgement]:
    """Return the figures of one object, none of one that neither side touches."""
    outcome, after = prediction.outcomes.get(ref), call.after[ref]
    word = _word(call, ref)
    if outcome is None:
        got = "deleted" if ref in prediction.deleted else "same"
        return {"verdict": Judgement(word == got, [str(ref), word, got])} if "deleted" in (word, got) else {}
    got = _WORDS[outcome.verdict]
    if outcome.refused and call.exit and not call.names(ref):
        got = "same" if outcome.result in (None, call.before[ref]) else "changed"
    if ref in prediction.deleted:
        got = "deleted" if _is_there(call, ref) else "same"
    figures = {"verdict": Judgement(word == got, [str(ref), word, got, outcome.error])}
    if after is None or is_being_deleted(after) or word != got or outcome.result is None:
        return figures
    stored = plain(outcome.result)
    found = differences(authored_part(after), authored_part(stored))
    wanted, ours = owners(after), owners(stored)
    surplus = [text for text in ours if text not in wanted]
    missing = [text for text in wanted if text not in ours]
    return {
        **figures,
        "result": Judgement(not found, [str(ref), *found[:_SHOWN]]),
        "owners": Judgement(wanted == ours, [str(ref), missing, surplus]),
    }


def _word(call: RecordedCall, ref: ObjectRef) -> str:
    """Return the outcome of an object; one that the message names was rejected, whatever its owners."""
    before, after = call.before[ref], call.after[ref]
    is_gone = after is None or is_being_deleted(after)
    if is_gone and before is not None and not is_being_deleted(before):
        return "deleted"
    if call.exit and call.names(ref):
        return "refused"
    if before is None:
        return "same" if is_gone else "created"
    return "same" if _without_version(before) == _without_version(after) else "changed"


def _without_version(stored: Json) -> JsonObject:
    """Return an object without its version, which changes of some claims although nothing else does."""
    metadata = {
        key: value for key, value in mapping(mapping(stored).get("metadata")).items() if key != "resourceVersion"
    }
    return {**mapping(stored), "metadata": metadata}


def ref_at(key: str) -> ObjectRef:
    version, kind, namespace, name = key.rsplit("/", 3)
    return ObjectRef(version, kind, namespace, name)


@dataclass(frozen=True, slots=True)
class ScoredCall:
    """One call with its figures; ``crash`` is the trace where nothing was predicted."""

    call: RecordedCall
    judgements: Mapping[str, Sequence[Judgement]]
    crash: str = ""


C = TypeVar("C", bound=RecordedCall)


def score_calls(calls: Iterable[C], predict: Callable[[C], Prediction]) -> Iterator[ScoredCall]:
    """Yield each call with its figures; a crash counts as a wrong run."""
    for call in calls:
        try:
            yield ScoredCall(call, judge(call, predict(call)))
        except Exception:
            yield ScoredCall(call, {"run": [Judgement(False)]}, traceback.format_exc())
