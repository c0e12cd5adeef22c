"""The history of a live field: origin of its value, owners, and the next apply."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import Change, Outcome
from kubectl_applylint.core.paths import ByKey, Field, Index, Path, PathStep, child, get
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Knowledge, ObjectRef, Present, last_applied
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.typed import DEDUCED
from kubectl_applylint.ownership.address import Address, address
from kubectl_applylint.ownership.apply_mode import ApplyMode, apply_outcome, mode_of
from kubectl_applylint.ownership.commands import has_file
from kubectl_applylint.ownership.field_ownership import Manager, manager_of
from kubectl_applylint.schema.types import Kind, Node
from kubectl_applylint.server.defaults.explain import with_defaults
from kubectl_applylint.server.faults import DecodeError


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """The value in the manifest or in last-applied; ``place`` is its line in a file."""

    value: Json | Missing
    place: Location | None = None


@dataclass(frozen=True, slots=True)
class DefaultSource:
    """A field that a default is derived from, and its value."""

    path: Path
    value: Json | Missing


@dataclass(frozen=True, slots=True)
class ServerDefault:
    """The server's default with its sources."""

    value: Json
    sources: tuple[DefaultSource, ...]


@dataclass(frozen=True, slots=True)
class NextApply:
    """The next apply: its mode, the outcome, and the change of the field, if it changes."""

    mode: ApplyMode
    outcome: Outcome
    change: Change | None


@dataclass(frozen=True, slots=True)
class FieldHistory:
    """The origin of value and owner of one field."""

    ref: ObjectRef
    place: Address
    manifest: WrittenValue | None
    """``None`` without a manifest."""
    last_applied: WrittenValue | None
    """``None`` if the object has no such annotation, or an unreadable one."""
    managers: tuple[Manager, ...]
    """The owners, ordered by time of their last write."""
    default: ServerDefault | None
    """``None`` if the server has no default."""
    next: NextApply | None
    """``None`` without a known manifest."""

    @property
    def is_nowhere(self) -> bool:
        """Whether no object, manager, manifest or default contains this field."""
        values = [self.place.value, *(written.value for written in (self.manifest, self.last_applied) if written)]
        return not self.managers and self.default is None and all(value is MISSING for value in values)

    @property
    def is_default(self) -> bool:
        """Whether the value is the server's default."""
        return self.default is not None and equal(self.default.value, self.place.value)


def field_history(subject: Subject, live: JsonObject, path: Path) -> FieldHistory:
    """Return the history of the field at ``path`` of a subject's live object."""
    root = subject.kind.root if subject.kind else DEDUCED
    place = address(path, root, live)
    document = subject.document
    return FieldHistory(
        ref=subject.ref,
        place=place,
        manifest=_in_manifest(document, place, root) if has_file(subject) else None,
        last_applied=_in_last_applied(last_applied(Present(live)), place, root),
        managers=owners_at(live, place),
        default=_default(live, place, subject.kind, subject.schema.version),
        next=_next_apply(subject, live, place) if document.has_manifest else None,
    )


def owners_at(live: JsonObject, place: Address) -> tuple[Manager, ...]:
    """Return the owners of a place, ordered by time of their last write."""
    owners = (manager_of(each) for each in read(live).items() if each[1].fields.has(place.elements))
    return tuple(sorted(owners, key=lambda manager: (manager.time, manager.name)))


def _in_manifest(document: Document, place: Address, root: Node) -> WrittenValue:
    written = address(place.path, root, document.object)
    return WrittenValue(written.value, document.locate(written.positions))


def _in_last_applied(known: Knowledge, place: Address, root: Node) -> WrittenValue | None:
    """Return the value in the last-applied annotation, ``None`` without one."""
    return WrittenValue(address(place.path, root, known.object).value) if isinstance(known, Present) else None


def _default(live: JsonObject, place: Address, kind: Kind | None, version: str) -> ServerDefault | None:
    """Return the server's default for the field if it is removed from the live object."""
    if kind is None or not place.positions:
        return None
    try:
        filled = with_defaults(without(live, place.positions), kind, version)
    except DecodeError:
        return None
    value = get(filled.object, place.positions)
    found = [each for each in filled.defaults if each.path[: len(place.positions)] == place.positions]
    if value is MISSING or not found:
        return None
    sources = dict.fromkeys(source for each in found for source in each.sources)
    return ServerDefault(value, tuple(DefaultSource(source, get(live, source)) for source in sources))


def without(value: Json, path: Path) -> Json:
    """Return ``value`` without the value at ``path``, which consists of fields and positions."""
    step, rest = path[0], path[1:]
    inner = child(value, step)
    if inner is MISSING:
        return value
    match step:
        case Field(name):
            return {k: without(inner, rest) if k == name else v for k, v in value.items() if rest or k != name}
        case Index(at):
            return [without(inner, rest) if n == at else v for n, v in enumerate(value) if rest or n != at]
        case _:
            return value


def _next_apply(subject: Subject, live: JsonObject, place: Address) -> NextApply:
    mode = mode_of(live)
    outcome = apply_outcome(subject, mode)
    changes = [change for change in outcome.changes if all(map(_is_same_place, change.path, place.path))]
    return NextApply(mode, outcome, max(changes, key=lambda change: len(change.path), default=None))


def _is_same_place(left: PathStep, right: PathStep) -> bool:
    """Return whether two steps name one place; paths may name list elements by fewer keys."""
    if isinstance(left, ByKey) and isinstance(right, ByKey):
        known = dict(right.keys)
        return all(known.get(key, value) == value for key, value in left.keys)
    return left == right
