"""From wherever an object comes from to client-side apply: the step at which it is, and the next commands.

Mirrors what the documentation of Kubernetes says of managing objects declaratively: migrating from imperative commands
and from imperative object configuration, changing who writes a field, and deleting in the recommended and in the
alternative way.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from shlex import quote
from typing import Final

from kubectl_applylint.appliers.last_applied import annotation_of, set_last_applied
from kubectl_applylint.appliers.prune import ByLabels
from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core import server_fields
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import Change, Outcome, Why
from kubectl_applylint.core.paths import Path, fields, get, is_filled, render
from kubectl_applylint.core.selector import parse as parse_selector
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef, Present, Unknown, last_applied
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, mapping
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.deletion import consequences
from kubectl_applylint.lint.model import Scenario, Subject
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.typed import DEDUCED
from kubectl_applylint.ownership import migration
from kubectl_applylint.ownership.address import address
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, ApplyMode, applied, mode_of
from kubectl_applylint.ownership.commands import apply_command, diff_command, file_words, object_words
from kubectl_applylint.ownership.field_history import owners_at, without
from kubectl_applylint.ownership.field_ownership import FieldOwnership, Manager, ownership_of
from kubectl_applylint.ownership.handover import Deed, Step
from kubectl_applylint.schema.types import Node


class Stage(StrEnum):
    """How an object came to be what it is."""

    ABSENT = "is not there"
    COMMANDED = "was made by an imperative command"
    CREATED = "was made by kubectl create or replace, which leave no last-applied annotation"
    FOREIGN = "was made without kubectl apply, and has no last-applied annotation"
    LOST = "was applied and has lost its last-applied annotation, as kubectl replace leaves it"
    UNREADABLE = "has a last-applied annotation that kubectl cannot read"
    SAVED = "was saved with its last-applied annotation, and not applied since"
    STALE = "differs from what its last-applied annotation says"
    APPLIED = "is managed by kubectl apply"
    SERVER_SIDE = "is managed by kubectl apply --server-side"
    MIXED = "is applied both client-side and server-side"


REPLACE: Final = ApplyMode(Applier.KUBECTL_REPLACE, DEFAULT_MANAGERS[Applier.KUBECTL_REPLACE])
"""``kubectl replace --save-config``."""
_BY_COMMAND: Final = {"kubectl-run", "kubectl-expose", "kubectl-autoscale"}
_BY_FILE: Final = {"kubectl-create", "kubectl-replace"}
_UNSAID: Final = (Why.KEPT, Why.SHARED, Why.ANNOTATED)
_ANNOTATION: Final = fields("metadata", "annotations", LAST_APPLIED)
_NO_ANNOTATION: Final = (Stage.COMMANDED, Stage.CREATED, Stage.FOREIGN, Stage.LOST)
_MANAGED: Final = (Stage.APPLIED, Stage.SERVER_SIDE)


@dataclass(frozen=True, slots=True)
class Reset:
    """A value that a command changes, who wrote it, and the line of the manifest that says otherwise."""

    change: Change
    writers: tuple[Manager, ...]
    place: Location
    handover: str
    """The command that leaves the field to its writer; empty where nobody writes it again by itself."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a command does to the object beside what a fresh install would."""

    outcome: Outcome
    resets: tuple[Reset, ...]
    gone: tuple[Change, ...]
    stays: tuple[FieldOwnership, ...]
    """What the manifest does not say and no server fills in."""


@dataclass(frozen=True, slots=True)
class Move:
    """One step and, where it writes more than an annotation, what that does."""

    step: Step
    effect: Effect | None = None


@dataclass(frozen=True, slots=True)
class Ends:
    """How the object is deleted later on."""

    delete: str
    """The recommended command."""
    takes: tuple[str, ...]
    """What goes along."""
    prune: str
    """The apply that deletes it once its manifest is gone; empty where no apply does."""
    pruned: tuple[ObjectRef, ...]
    """What that deletes beside it, of what is known."""
    no_prune: str
    """Why no apply does."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """The plan for one object. ``instead`` is the other way to get there, which keeps nothing that is not written."""

    subject: Subject
    stage: Stage
    moves: tuple[Move, ...]
    instead: Move | None
    ends: Ends | None

    @property
    def is_blocked(self) -> bool:
        """Whether a step would be refused."""
        return any(move.effect is not None and move.effect.outcome.refused for move in self.moves)


def adoption(subject: Subject, live: JsonObject | None, cluster: ClusterModel, gaps: Collection[str] = ()) -> Adoption:
    """Return the way of one object to declarative management.

    ``gaps`` are files with objects that are not there: ``set-last-applied`` refuses them as a whole.
    """
    stage = stage_of(subject, live)
    if not _has_file(subject):
        return Adoption(subject, stage, (Move(_export(subject.ref, stage)),) if live is not None else (), None, None)
    edit = _edit(subject)
    clean = _cleaned(subject)
    moves = (*([Move(edit)] if edit else []), *_moves(subject, live, stage, clean, gaps))
    instead = _instead(subject, live, stage, clean) if subject.document.file not in gaps else None
    return Adoption(subject, stage, moves, instead, _ends(subject, live, cluster))


def stage_of(subject: Subject, live: JsonObject | None) -> Stage:
    """Return the step at which the object is."""
    match migration.stage_of(live):
        case migration.Stage.ABSENT:
            return Stage.ABSENT
        case migration.Stage.MIXED:
            return Stage.MIXED
        case migration.Stage.SERVER:
            return Stage.SERVER_SIDE
        case _:
            return _client_side_stage(subject, live or {})


def _client_side_stage(subject: Subject, live: JsonObject) -> Stage:
    names = {each.name for each in read(live)}
    match last_applied(Present(live)):
        case Unknown():
            return Stage.UNREADABLE
        case Present(remembered):
            if _drifted(subject, live, remembered):
                return Stage.STALE
            return Stage.APPLIED if not names or CLIENT_SIDE.manager in names else Stage.SAVED
        case _:
            if CLIENT_SIDE.manager in names:
                return Stage.LOST
            if names & _BY_COMMAND:
                return Stage.COMMANDED
            return Stage.CREATED if names & _BY_FILE else Stage.FOREIGN


def _drifted(subject: Subject, live: JsonObject, remembered: JsonObject) -> bool:
    """Tell whether applying what was applied last would change something again."""
    return _changes_something(applied(subject, CLIENT_SIDE, live, remembered))


def _is_said(change: Change) -> bool:
    return change.cause.why not in _UNSAID


def _has_file(subject: Subject) -> bool:
    return subject.document.has_manifest and subject.document.locate(()).is_text


def _export(ref: ObjectRef, stage: Stage) -> Step:
    """Return what writes a file of an object that none has: as it was applied last, or else as it is."""
    file = f"{ref.kind.lower()}_{ref.name}.yaml"
    is_noted = stage in (Stage.SAVED, Stage.STALE, Stage.APPLIED)
    what, get_it = ("was applied last", "apply view-last-applied") if is_noted else ("is live", "get")
    words = f"no file has it: this writes what {what} to {file}; then run adopt -f {file}"
    return Step(Deed.RUN, words, f"kubectl {get_it} {object_words(ref)} -o yaml > {quote(file)}")


def _servers_own(subject: Subject) -> tuple[Path, ...]:
    own_status = subject.kind is None or "status" not in subject.kind.subresources
    paths = (path for path in server_fields.PATHS if not (own_status and path == fields("status")))
    return tuple(path for path in (*paths, _ANNOTATION) if is_filled(get(subject.manifest, path)))


def _edit(subject: Subject) -> Step | None:
    """Return what has to leave an exported manifest before it is applied, ``None`` for nothing."""
    own = _servers_own(subject)
    if not own:
        return None
    named = ", ".join(map(render, own))
    words = f"it was exported from the cluster: take out what is not yours to say: {named}"
    return Step(Deed.EDIT, words, place=subject.document.locate(own[0]))


def _cleaned(subject: Subject) -> JsonObject:
    """Return the manifest as it is after the edit."""
    manifest: Json = subject.manifest
    for path in _servers_own(subject):
        manifest = without(manifest, path)
    return mapping(manifest)


def _moves(
    subject: Subject, live: JsonObject | None, stage: Stage, clean: JsonObject, gaps: Collection[str]
) -> Iterator[Move]:
    if stage is Stage.MIXED:
        words = "finish one way or the other first: this plans it"
        yield Move(Step(Deed.RUN, words, f"kubectl applylint migrate{file_words([subject.document])}"))
        return
    is_blank = stage in (*_NO_ANNOTATION, Stage.UNREADABLE) and subject.document.file not in gaps
    met = set_last_applied(live, clean) if live is not None and is_blank else live
    mode = CLIENT_SIDE if met is None else mode_of(met)
    effect = _effect(subject, met, mode, clean)
    if is_blank:
        yield Move(_remember(subject, effect))
    if stage is Stage.STALE:
        words = "shows what was applied last"
        yield Move(Step(Deed.RUN, words, f"kubectl apply view-last-applied {object_words(subject.ref)} -o yaml"))
    if met is not None and not _changes_something(effect.outcome):
        yield Move(Step(Deed.DONE, "the next apply changes nothing"), effect)
        return
    documents = [subject.document]
    yield Move(Step(Deed.RUN, "shows what the apply changes", diff_command(mode, documents)))
    words = "brings it to what the file says" if stage in _MANAGED else "from now on write what it says only by this"
    yield Move(Step(Deed.RUN, words, apply_command(mode, documents)), effect)


def _remember(subject: Subject, effect: Effect) -> Step:
    words = "kubectl is to remember what the file says: this writes its annotation, and nothing else"
    if effect.stays:
        words += "; give it the file as it was when the object was made, and the apply removes what has left it since"
    return Step(Deed.RUN, words, f"kubectl apply set-last-applied --create-annotation{file_words([subject.document])}")


def _changes_something(outcome: Outcome) -> bool:
    return outcome.refused or any(map(_is_said, outcome.changes))


def _instead(subject: Subject, live: JsonObject | None, stage: Stage, clean: JsonObject) -> Move | None:
    if live is None or stage not in _NO_ANNOTATION:
        return None
    words = "to keep nothing but what the file says: this replaces the object as a whole, and writes the annotation"
    command = f"kubectl replace --save-config{file_words([subject.document])}"
    return Move(Step(Deed.RUN, words, command), _effect(subject, live, REPLACE, clean))


def _effect(subject: Subject, live: JsonObject | None, mode: ApplyMode, manifest: JsonObject) -> Effect:
    outcome = applied(subject, mode, live, manifest)
    said = [change for change in outcome.changes if _is_said(change) and change.before is not MISSING]
    after = outcome.after
    return Effect(
        outcome=outcome,
        resets=tuple(_reset(subject, live or {}, each) for each in said if _is_reset(each, subject, live or {}, mode)),
        gone=tuple(change for change in said if change.after is MISSING),
        stays=tuple(_stays(subject, after)) if live is not None and after is not None else (),
    )


def _root(subject: Subject) -> Node:
    return subject.kind.root if subject.kind else DEDUCED


def _is_reset(change: Change, subject: Subject, live: JsonObject, mode: ApplyMode) -> bool:
    """Tell whether a change is more than what has changed in the file since the last apply."""
    remembered, root = last_applied(Present(live)), _root(subject)
    if change.after is MISSING:
        return False
    if mode.is_server_side:
        return any(writer.name != mode.manager for writer in owners_at(live, address(change.path, root, live)))
    known = address(change.path, root, remembered.object).value if isinstance(remembered, Present) else MISSING
    return not equal(known, change.before)


def _reset(subject: Subject, live: JsonObject, change: Change) -> Reset:
    root = _root(subject)
    writers = owners_at(live, address(change.path, root, live))
    place = subject.document.locate(address(change.path, root, subject.manifest).positions)
    return Reset(change, writers, place, next(_handovers(subject, change.path, writers), ""))


def _handovers(subject: Subject, path: Path, writers: Iterable[Manager]) -> Iterator[str]:
    """Yield what leaves a field to a writer that goes on writing it: a controller, or who scales."""
    for writer in writers:
        if writer.subresource or not writer.name.startswith("kubectl"):
            where = f"{quote(str(subject.ref))} {quote(render(path))}"
            yield f"kubectl applylint handover {where} --to {quote(writer.name)}{file_words([subject.document])}"


def _stays(subject: Subject, after: JsonObject) -> Iterator[FieldOwnership]:
    """Yield what is there although neither the manifest says so nor a fresh install has it."""
    root, fresh = _root(subject), subject.foretell(Scenario.FRESH).after or {}
    for field in ownership_of(after, subject.kind).fields:
        path = field.path
        is_ours = path[:1] != fields("status") and path != _ANNOTATION and field.value not in (MISSING, {}, [])
        if is_ours and address(path, root, subject.manifest).value is MISSING and not _is_usual(field, root, fresh):
            yield field


def _is_usual(field: FieldOwnership, root: Node, fresh: JsonObject) -> bool:
    """Tell whether a fresh install has the value, or one that the server chooses."""
    path = field.path
    around = (address(path[:length], root, fresh).value for length in range(1, len(path) + 1))
    return any(_is_open(value) or equal(value, field.value) for value in around)


def _is_open(value: Json | Unknown | Missing) -> bool:
    """Tell whether only the server knows a value, or the items of a list."""
    return isinstance(value, Unknown) or (isinstance(value, list) and any(map(_is_open, value)))


def _ends(subject: Subject, live: JsonObject | None, cluster: ClusterModel) -> Ends:
    document = subject.document
    beside = [f"{peer.ref}, which is in the same file" for peer in subject.peers if peer.file == document.file]
    takes = (*(consequences(live, cluster) if live is not None else ()), *beside)
    delete = f"kubectl delete{file_words([document])}"
    others = [peer for peer in subject.peers if peer.file != document.file and _folder(peer) == _folder(document)]
    labels = ",".join(f"{name}={value}" for name, value in _common_labels([document, *others]).items())
    no_prune = _no_prune(live, others, labels)
    if no_prune:
        return Ends(delete, takes, "", (), no_prune)
    ref = subject.ref
    prune = ByLabels(parse_selector(labels), frozenset({(ref.group, ref.kind)}), ref.namespace)
    taken = prune.targets(cluster.objects, [ref, *(other.ref for other in others)])
    version = ref.api_version if ref.group else f"core/{ref.api_version}"
    flags = f" --prune -l {quote(labels)} --prune-allowlist={version}/{ref.kind}"
    folder = replace(document, file=_folder(document))
    return Ends(delete, takes, f"kubectl apply{flags}{file_words([folder])}", tuple(taken), "")


def _folder(document: Document) -> str:
    return document.file.rpartition("/")[0] or "."


def _common_labels(documents: Sequence[Document]) -> Mapping[str, str]:
    """Return the labels that all these manifests have: ``-l`` chooses what is applied, not only what goes."""
    first, *rest = ({**mapping(mapping(each.object.get("metadata")).get("labels"))} for each in documents)
    common = {name: value for name, value in first.items() if all(equal(other.get(name), value) for other in rest)}
    return {name: value for name, value in common.items() if _is_selectable(name, value)}


def _is_selectable(name: str, value: Json) -> bool:
    try:
        return isinstance(value, str) and bool(parse_selector(f"{name}={value}"))
    except ValueError:
        return False


def _no_prune(live: JsonObject | None, others: Sequence[Document], labels: str) -> str:
    if live is not None and mode_of(live).is_server_side and annotation_of(live) is None:
        return "apply --prune takes only what was applied client-side"
    if not others:
        return "apply --prune needs other manifests in the folder: name the folder with -f to see what it would delete"
    return "" if labels else "no label is common to the manifests of the folder, by which apply --prune could choose"
