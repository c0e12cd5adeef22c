"""What a change of manifests does: the earlier ones are applied to nothing, and the later ones to what comes of that.

Nobody has seen the cluster then: what the earlier manifests make of it is foretold, until nothing more changes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kubectl_applylint.model import Document
from kubectl_applylint.outcome import Confidence, Level, Outcome, Verdict
from kubectl_applylint.paths import leaves, render
from kubectl_applylint.state import Absent, Knowledge, ObjectRef, Present, State, Unknown
from kubectl_applylint.values import JsonObject, equal

Predict = Callable[[JsonObject, State], Outcome]
"""Tells what an apply of a manifest does in a state."""
Group = tuple[str, str, str, str]
"""Group, kind, namespace and name of an object, whatever its version."""

MOST_APPLIES: Final = 4
"""How often a manifest is applied to what it made; some never settle, and change back and forth for ever."""
ALIKE: Final = 0.6
"""The share of equal fields from which on an object that goes and one that comes are taken for the same."""


def settled(manifest: JsonObject, state: State, predict: Predict) -> Outcome:
    """Return the last of so many applies of a manifest that one more would change nothing.

    Where one is refused, the outcome tells so; its ``result`` is what is stored then.
    """
    outcome = predict(manifest, state)
    for _ in range(MOST_APPLIES):
        if outcome.refused or outcome.result is None:
            break
        again = predict(manifest, replace(state, live=Present(outcome.result)))
        if equal(again.result, outcome.result):
            break
        outcome = again
    return outcome


def identity(ref: ObjectRef) -> Group:
    """Return what stays the same when an object is written in another version of its group."""
    return (ref.group, ref.kind, ref.namespace, ref.name)


@dataclass(frozen=True, slots=True)
class Before:
    """The cluster as an earlier revision of the manifests leaves it. ``origin`` names the revision for people."""

    origin: str = ""
    documents: Mapping[Group, Document] = field(default_factory=dict, repr=False)
    """Of two that describe one object the later."""
    live: Mapping[Group, Knowledge] = field(default_factory=dict, repr=False)
    doubt: str = ""
    """Why an object that is not among them may exist all the same, empty where it does not."""

    def state(self, ref: ObjectRef) -> State:
        """Return what is known of an object."""
        return State(self._live(ref), self.origin, simulated=True)

    def _live(self, ref: ObjectRef) -> Knowledge:
        if identity(ref) not in self.documents:
            return Unknown(self.doubt) if self.doubt else Absent()
        earlier = self.documents[identity(ref)].ref.api_version
        if earlier != ref.api_version:
            return Unknown(f"{self.origin} has {ref} as {earlier}, not as {ref.api_version}")
        return self.live[identity(ref)]

    def manifest(self, ref: ObjectRef) -> Knowledge:
        """Return what the earlier revision says of an object."""
        document = self.document(ref)
        return Absent() if document is None else Present(document.object)

    def document(self, ref: ObjectRef) -> Document | None:
        """Return where the earlier revision has an object."""
        return self.documents.get(identity(ref))


def before(documents: Iterable[Document], predict: Predict, *, origin: str, doubt: str = "") -> Before:
    """Return what applying ``documents`` to nothing makes, in their order; they name their namespaces."""
    latest: dict[Group, Document] = {}
    live: dict[Group, Knowledge] = {}
    for document in documents:
        key = identity(document.ref)
        outcome = settled(document.object, State(live.get(key, Absent()), origin, simulated=True), predict)
        latest[key], live[key] = document, _knowledge(outcome, origin)
    return Before(origin, latest, live, doubt)


def _knowledge(outcome: Outcome, origin: str) -> Knowledge:
    if outcome.result is not None:
        return Present(outcome.result)
    why = "; ".join(cause.message for cause in outcome.causes) or "nobody knows why"
    return Unknown(f"{origin} has it in a form that is refused: {why}")


def left(earlier: Before, documents: Iterable[Document]) -> Iterator[tuple[Document, Outcome]]:
    """Yield the objects that only the earlier revision has: nothing deletes them, and they stay as they are."""
    later = {identity(document.ref) for document in documents}
    for key, document in earlier.documents.items():
        live = earlier.live[key]
        if key not in later and isinstance(live, Present):
            doubt = Confidence(Level.MEDIUM, (unseen(earlier.origin),))
            yield document, Outcome(document.ref, Verdict.KEPT, result=live.object, confidence=doubt)


def unseen(origin: str) -> str:
    """Return why what is told of a cluster that nobody looked at is not certain."""
    return f"nobody looked at the cluster: it is taken for what {origin} makes of an empty one"


def renames(gone: Sequence[Document], come: Sequence[Document]) -> Mapping[Group, ObjectRef]:
    """Return what the objects that come were called, for those that are one that goes under another name.

    An object counts as renamed where it has the kind of one that goes and most of its fields; the likeliest pair first.
    """
    pairs = sorted(
        ((_likeness(old, new), old.ref, new.ref) for new in come for old in gone if _is_kin(old.ref, new.ref)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    taken: dict[ObjectRef, ObjectRef] = {}
    for likeness, old, new in pairs:
        if likeness >= ALIKE and new not in taken and old not in taken.values():
            taken[new] = old
    return {identity(new): old for new, old in taken.items()}


def _is_kin(old: ObjectRef, new: ObjectRef) -> bool:
    return (old.group, old.kind) == (new.group, new.kind)


_NAMES = {"apiVersion", "kind", "metadata.name", "metadata.namespace"}


def _likeness(old: Document, new: Document) -> float:
    """Return the share of the fields that both have with the same value, its name and kind aside."""
    sides = [{render(path): value for path, value in leaves(one.object)} for one in (old, new)]
    here, there = ({path: value for path, value in side.items() if path not in _NAMES} for side in sides)
    same = sum(path in there and equal(value, there[path]) for path, value in here.items())
    return same / max(len(here), len(there), 1)
