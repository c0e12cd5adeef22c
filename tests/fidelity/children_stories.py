"""Recorded syncs of the real Metacontroller for the children of a parent, and the expected plan.

``tests.fidelity.record_children`` says how stories come about. The plan gets the controller, the parent, what is
wanted, and a snapshot of what was there before.
"""

import gzip
import io
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kubectl_applylint.appliers.attempt import is_being_deleted
from kubectl_applylint.cli.main import main as command
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping
from kubectl_applylint.tools.metacontroller.children import controller_of
from kubectl_applylint.tools.metacontroller.write import ANNOTATION
from tests.fidelity.judge import Judgement, authored_part, differences, owners
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.record import definitions
from tests.fidelity.sets import Prediction, entries

METRICS: Final = ("run", "verdict", "result", "owners", "pruned")
_WORDS: Final[Mapping[str, str]] = {"rejected": "refused", "conflict": "refused"}
_SHOWN: Final = 3
_ALREADY: Final = re.compile(r'[\w.]+ "([^"]+)" already exists')


@dataclass(frozen=True, slots=True)
class ChildrenStory:
    """One change of what a hook wants; ``before`` and ``after`` have ``None`` for objects that are not there."""

    id: str
    controller: JsonObject
    parent: JsonObject
    namespace: str
    wanted: Sequence[JsonObject]
    before: Mapping[str, JsonObject | None]
    after: Mapping[str, JsonObject | None]
    errors: Sequence[str]
    version: str
    revisions: Sequence[JsonObject] = ()
    """The ControllerRevisions of the parent before; none in older recordings."""

    @property
    def way(self) -> str:
        """The parent's kind, which says how children are updated."""
        return str(self.parent["kind"])

    @property
    def failures(self) -> Sequence[str]:
        """The errors, without those of a sync that used an old copy and created objects that existed by then."""
        return [error for error in self.errors if not self._is_outdated(error)]

    def _is_outdated(self, error: str) -> bool:
        reason = error.rpartition("/family: ")[2].strip("[]")
        names = _ALREADY.findall(reason)
        return not _ALREADY.sub("", reason).strip(", ") and all(map(self._is_own, names))

    def _is_own(self, name: str) -> bool:
        found = [key for key, item in self.after.items() if item and key.endswith(f"/{name}")]
        owned = (dig(controller_of(self.after[key]), "uid") == self.parent["metadata"]["uid"] for key in found)
        return (
            bool(found) and all(owned) and all(_version(self.before[key]) != _version(self.after[key]) for key in found)
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """A story with its figures; ``crash`` is what the command said instead of an answer."""

    story: ChildrenStory
    judgements: Mapping[str, Sequence[Judgement]]
    crash: str = ""


def read_stories(file: Path) -> Iterator[ChildrenStory]:
    """Yield the stories of a recording."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        version = json.loads(next(lines))["server"].removeprefix("v").rpartition(".")[0]
        yield from (ChildrenStory(**json.loads(line), version=version) for line in lines)


def score_story(story: ChildrenStory) -> Scored:
    """Return a story with its figures."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = _plan(story, Path(folder))
    predicted = entries(out, story.namespace)
    is_broken = predicted is None or "bug in applylint" in err
    return Scored(story, _judgements(story, predicted or {}), (err or out)[-600:] if is_broken else "")


def _plan(story: ChildrenStory, folder: Path) -> tuple[str, str]:
    """Return what ``applylint plan`` prints of a story, and what it says."""
    known = [*definitions(load_all([BASES])), story.parent]
    there = [*known, *story.revisions, *(item for item in story.before.values() if item is not None)]
    texts = {
        "wanted.json": {"apiVersion": "v1", "kind": "List", "items": list(story.wanted)},
        "controller.json": story.controller,
        "before.json": {"apiVersion": "v1", "kind": "List", "items": there},
    }
    for name, content in texts.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    asked = ["-f", str(folder / "wanted.json"), "-n", story.namespace, "--kubernetes-version", story.version]
    parent = f"{story.way}/{story.parent['metadata']['name']}"
    sources = ["--controller", str(folder / "controller.json"), "--parent", parent]
    form = ["--against", f"snapshot:{folder / 'before.json'}", "-o", "json", "--show-secrets"]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        command("applylint", ["plan", "--applier", "metacontroller", *asked, *sources, *form])
    return out.getvalue(), err.getvalue()


def _judgements(story: ChildrenStory, prediction: Prediction) -> Mapping[str, Sequence[Judgement]]:
    refs = {_ref(key): key for key in story.before}
    each = [_object(story, key, prediction.get(ref)) for ref, key in refs.items()]
    gone = sorted(key for key in refs.values() if _word(story, key) == "pruned")
    ours = sorted(refs[ref] for ref, entry in prediction.items() if entry["verdict"] == "pruned" and ref in refs)
    fails = any(_said(entry) == "refused" for entry in prediction.values())
    found: dict[str, list[Judgement]] = {metric: [] for metric in METRICS}
    for figures in each:
        for metric, judgement in figures.items():
            found[metric].append(judgement)
    found["run"].append(Judgement(bool(story.failures) == fails, [story.failures[:1], fails]))
    found["pruned"] += [Judgement(gone == ours, [gone, ours])] if gone or ours else []
    return found


def _object(story: ChildrenStory, key: str, entry: JsonObject | None) -> dict[str, Judgement]:
    word, predicted_word, after = _word(story, key), _effect(story, key, entry), story.after[key]
    figures = {"verdict": Judgement(word == predicted_word, [key, word, predicted_word])}
    stored = mapping((entry or {}).get("result"))
    if after is None or word not in ("created", "configured", "refused") or word != predicted_word or not stored:
        return figures
    is_new = word == "created" or _is_recreated(entry) or not _last_applied(story.before[key])
    found = differences(_as_newer(authored_part(after), is_new=is_new), _as_newer(authored_part(stored), is_new=is_new))
    theirs, ours = owners(after), owners(stored)
    return {
        **figures,
        "result": Judgement(not found, [key, *found[:_SHOWN]]),
        "owners": Judgement(theirs == ours, [key, theirs, ours]),
    }


def _effect(story: ChildrenStory, key: str, entry: JsonObject | None) -> str:
    """Return the plan's word if its effect is visible.

    An update that stores what was there before, as of ``stringData``, is not; nor is the rejection of a child in a sync
    that fails for another one before anything is written. What is written and rejected later was written.
    """
    word, before, stored = _said(entry), story.before[key], (entry or {}).get("result")
    if word == "refused" and stored and not _is_alike(before, stored, but_owners=_is_named(story, key)):
        return "created" if before is None else "configured"
    if word == "refused":
        is_seen = _is_named(story, key) or _is_recreated(entry) or not story.failures
        return word if is_seen else "unchanged"
    is_update = word == "configured" and not _is_recreated(entry)
    if not is_update or before is None or not stored:
        return word
    return "unchanged" if _is_alike(before, stored) else word


def _is_alike(before: JsonObject | None, stored: JsonObject, *, but_owners: bool = False) -> bool:
    """Return whether an object is stored as it was before, but for its owners where they do not count."""
    if before is None:
        return False
    old, new = authored_part(before), authored_part(stored)
    if but_owners and bool(controller_of(before)) != bool(controller_of(stored)):
        old, new = ({**each, "metadata": {**each["metadata"], "ownerReferences": None}} for each in (old, new))
    return not differences(old, new)


def _is_recreated(entry: JsonObject | None) -> bool:
    return entry is not None and "DELETE" in [write["method"] for write in entry["requests"]]


def _is_named(story: ChildrenStory, key: str) -> bool:
    """Return whether an error is about an object; one that cannot be decoded is named by its kind only."""
    _, kind, _, name = key.rsplit("/", 3)
    named = re.compile(rf'(?i)\b{kind}s?(\.[\w.]+)? "{re.escape(name)}"')
    return any(named.search(error) or f"{kind} in version " in error for error in story.failures)


def _said(entry: JsonObject | None) -> str:
    """Return the plan's word for an object; what it does not name stays as it is."""
    verdict = str((entry or {}).get("verdict", "unchanged"))
    return _WORDS.get(verdict, verdict)


def _word(story: ChildrenStory, key: str) -> str:
    """Return the outcome of an object. An object named in an error was rejected if only its owner changed."""
    before, after = story.before[key], story.after[key]
    if before is None and after is not None:
        return "created"
    # What waits for finalizers was deleted; a child that is wanted comes back after that.
    is_ending = is_being_deleted(after) and not is_being_deleted(before) and not _is_wanted(story, key)
    if before is not None and (after is None or is_ending):
        return "pruned" if not _is_wanted(story, key) else "refused"
    is_named, is_claimed = _is_named(story, key), bool(controller_of(before)) != bool(controller_of(after))
    if _version(before) != _version(after) and not (is_named and is_claimed):
        return "configured"
    return "refused" if is_named else "unchanged"


def _is_wanted(story: ChildrenStory, key: str) -> bool:
    version, kind, _, name = key.rsplit("/", 3)
    own = (version, kind, name)
    return any((item["apiVersion"], item["kind"], item["metadata"]["name"]) == own for item in story.wanted)


def _version(stored: JsonObject | None) -> Json:
    return dig(stored, "metadata", "resourceVersion") if stored else None


def _ref(key: str) -> ObjectRef:
    version, kind, namespace, name = key.rsplit("/", 3)
    return ObjectRef(version, kind, namespace, name)


def _last_applied(stored: JsonObject | None) -> str:
    """Return the text of the last-applied annotation, empty if it is missing."""
    text = dig(stored, "metadata", "annotations", ANNOTATION) if stored else ""
    return text if isinstance(text, str) else ""


def _as_newer(stored: JsonObject, *, is_new: bool) -> JsonObject:
    """Return an object as newer versions make it: they note the namespace of a child that they create."""
    text = _last_applied(stored)
    if not is_new or not text:
        return stored
    noted, metadata = json.loads(text), stored["metadata"]
    template = {**noted, "metadata": {**noted["metadata"], "namespace": metadata["namespace"]}}
    annotations = {**metadata["annotations"], ANNOTATION: json.dumps(template, sort_keys=True)}
    return {**stored, "metadata": {**metadata, "annotations": annotations}}
