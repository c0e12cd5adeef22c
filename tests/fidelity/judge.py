"""Compares one prediction with what really happened, figure by figure.

``accept``: rejected or not. ``verdict``: the word that kubectl prints. ``writes``: method and content type of every
write, in order. ``patch``: the body of kubectl's first write, as JSON. ``result``: the stored object afterwards,
server-made metadata left out. ``owners`` and ``ownersclient``: managedFields afterwards, times left out, in server-side
and client-side modes. ``causes``: the fields that a 422 or a 409 names. A figure that does not apply is left out.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeAlias

from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject, equal, mapping
from tests.fidelity.recording import Request, Story

# Only the server can know these; "unknown" is a wrong answer for anything else.
UNKNOWABLE = re.compile(r"clusterIPs?(\[\d+\])?$|odePort$|controller-uid|\.metadata\.name$|original-diff-md5$")
SERVER_METADATA = (
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "generation",
    "selfLink",
    "managedFields",
)
REFUSED = ("rejected", "conflict")
_ABSENT = "<absent>"
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether one figure is right; ``why`` says what differs where it is not."""

    right: bool
    why: Json = None


Judge: TypeAlias = Callable[[Story, JsonObject], Judgement | None]
"""Compares a story with a prediction (``Outcome.to_json()``); ``None`` where the figure does not apply."""


def judge(story: Story, predicted: JsonObject) -> Mapping[str, Judgement]:
    """Return the figures that apply to ``story``, in the order of ``JUDGES``."""
    found = ((name, each(story, predicted)) for name, each in JUDGES.items())
    return {name: judgement for name, judgement in found if judgement is not None}


def _accept(story: Story, predicted: JsonObject) -> Judgement:
    why = (story.stderr.strip()[-300:] or verdict(story), predicted["verdict"], predicted.get("causes"))
    return Judgement(story.accepted == _is_accepted(predicted), why)


def _verdict(story: Story, predicted: JsonObject) -> Judgement:
    agreed = story.accepted == _is_accepted(predicted)
    return Judgement(predicted["verdict"] == verdict(story), (verdict(story), predicted["verdict"]) if agreed else None)


def _writes(story: Story, predicted: JsonObject) -> Judgement | None:
    if not _both_accept(story, predicted):
        return None
    wanted = _without_retries((request.method, request.content_type) for request in story.requests)
    requests = predicted.get("requests") or []
    got = _without_retries((request["method"], request.get("contentType")) for request in requests)
    return Judgement(wanted == got, (wanted, got))


def _patch(story: Story, predicted: JsonObject) -> Judgement | None:
    first = next(iter(story.requests), None)
    if first is None or not first.body or first.method != "PATCH" or "apply-patch" in (first.content_type or ""):
        return None
    if not predicted.get("requests"):
        return Judgement(False, "no write predicted")
    found = differences(_patch_json(first.body), _patch_json(predicted["requests"][0]["body"]))
    return Judgement(not found, found[:_SHOWN])


def _result(story: Story, predicted: JsonObject) -> Judgement | None:
    if not _both_accept(story, predicted) or not story.after:
        return None
    if not predicted.get("result"):
        return Judgement(False, "no result predicted")
    found = differences(authored_part(story.after), authored_part(predicted["result"]))
    return Judgement(not found, found[:_SHOWN])


def _owners(story: Story, predicted: JsonObject) -> Judgement | None:
    if not _both_accept(story, predicted) or not story.after or not predicted.get("result"):
        return None
    wanted, got = owners(story.after), owners(predicted["result"])
    if not any(map(_is_of_controllers, owners(story.live or {}))):
        wanted = [text for text in wanted if not _is_of_controllers(text)]
    missing = [text[:600] for text in wanted if text not in got]
    surplus = [text[:600] for text in got if text not in wanted]
    return Judgement(wanted == got, (missing, surplus))


def _server_owners(story: Story, predicted: JsonObject) -> Judgement | None:
    return _owners(story, predicted) if story.server_side else None


def _client_owners(story: Story, predicted: JsonObject) -> Judgement | None:
    return None if story.server_side else _owners(story, predicted)


def _causes(story: Story, predicted: JsonObject) -> Judgement | None:
    wanted = _refused_fields(story)
    if story.accepted or _is_accepted(predicted) or not wanted:
        return None
    got = {cause.get("field", "") for cause in predicted.get("causes") or []}
    return Judgement(wanted == got, (sorted(wanted), sorted(got)))


JUDGES: Mapping[str, Judge] = {
    "accept": _accept,
    "verdict": _verdict,
    "writes": _writes,
    "patch": _patch,
    "result": _result,
    "owners": _server_owners,
    "ownersclient": _client_owners,
    "causes": _causes,
}
METRICS = tuple(JUDGES)


def verdict(story: Story) -> str:
    """Return the word for what happened: kubectl's own, else whether it was a conflict."""
    word = re.search(r" (created|configured|unchanged|serverside-applied)\b", story.stdout.strip())
    if word and story.accepted:
        return word[1]
    refusal = _refusal(story)
    return "conflict" if refusal and refusal.status == HTTPStatus.CONFLICT else "rejected"


def _refusal(story: Story) -> Request | None:
    """Return the rejected write; the first decides, as the migration's follow-up may fail without failing the apply."""
    return next((request for request in story.requests[:1] if request.status >= HTTPStatus.BAD_REQUEST), None)


def _refused_fields(story: Story) -> set[str]:
    refusal = _refusal(story)
    details = mapping(mapping(refusal.error).get("details")) if refusal else {}
    return {cause.get("field", "") for cause in details.get("causes") or []}


def _is_accepted(predicted: JsonObject) -> bool:
    return predicted["verdict"] not in REFUSED


def _both_accept(story: Story, predicted: JsonObject) -> bool:
    return story.accepted and _is_accepted(predicted)


def _without_retries(sent: Iterator[tuple[str, str | None]]) -> Sequence[tuple[str, str]]:
    """Return method and content type of each write; a write that is only tried again counts once."""
    writes = [(method, (content_type or "").partition(";")[0]) for method, content_type in sent]
    return [write for position, write in enumerate(writes) if position == 0 or writes[position - 1] != write]


def _patch_json(body: Json) -> Json:
    """Return the body as JSON, and its last-applied annotation, which is text with JSON in it, as JSON too."""
    patch = json.loads(body) if isinstance(body, str) else body
    annotations = mapping(mapping(mapping(patch).get("metadata")).get("annotations"))
    text = annotations.get(LAST_APPLIED)
    if not isinstance(text, str):
        return patch
    annotated = {**annotations, LAST_APPLIED: {"$json": json.loads(text)}}
    return {**patch, "metadata": {**patch["metadata"], "annotations": annotated}}


def authored_part(stored: JsonObject) -> JsonObject:
    """Return an object without its status and without the metadata that servers make."""
    kept = {key: value for key, value in stored.items() if key != "status"}
    if "metadata" not in kept:
        return kept
    metadata = {key: value for key, value in kept["metadata"].items() if key not in SERVER_METADATA}
    return {**kept, "metadata": metadata}


def _is_of_controllers(entry: str) -> bool:
    """Return whether controllers inside the server wrote it: they may have done so between the apply and the look."""
    by = json.loads(entry)
    return (by.get("manager"), by.get("subresource")) == ("kube-apiserver", "status")


def owners(stored: JsonObject) -> Sequence[str]:
    """Return the entries of managedFields without their times, as sorted texts."""
    entries = mapping(stored.get("metadata")).get("managedFields") or []
    untimed = ({key: value for key, value in entry.items() if key != "time"} for entry in entries)
    return sorted(json.dumps(entry, sort_keys=True) for entry in untimed)


def differences(wanted: Json, got: Json, path: str = "") -> list[tuple[str, Json, Json]]:
    """Return the leaves that differ as (path, wanted, got); an unknowable one in ``got`` matches all but absence."""
    if is_unknowable(got, path):
        return []
    if isinstance(wanted, dict) and isinstance(got, dict):
        keys = sorted({*wanted, *got})
        return [found for key in keys for found in _entry_differences(wanted, got, key, path)]
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        pairs = enumerate(zip(wanted, got, strict=True))
        return [found for i, (left, right) in pairs for found in differences(left, right, f"{path}[{i}]")]
    return [] if equal(wanted, got) else [(path, wanted, got)]


def _entry_differences(wanted: JsonObject, got: JsonObject, key: str, path: str) -> list[tuple[str, Json, Json]]:
    inner = f"{path}.{key}"
    if key in wanted and key in got:
        return differences(wanted[key], got[key], inner)
    if key in wanted:
        return [(inner, wanted[key], _ABSENT)]
    return [] if is_unknowable(got[key], inner) else [(inner, _ABSENT, got[key])]


def is_unknowable(value: Json, path: str) -> bool:
    """Return whether ``value`` is "unknown" at a place that only the server knows."""
    return isinstance(value, dict) and set(value) == {"$unknown"} and UNKNOWABLE.search(path) is not None
