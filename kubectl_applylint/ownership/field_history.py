"""Why a field of a live object has its value and its owner, and what the next apply does to it."""

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
    """What the manifest or last-applied has at the place; ``place`` is the line, where a text holds it."""

    value: Json | Missing
    place: Location | None = None


@dataclass(frozen=True, slots=True)
class DefaultSource:
    """A field that a default follows from, and its value."""

    path: Path
    value: Json | Missing


@dataclass(frozen=True, slots=True)
class ServerDefault:
    """The server's default, and what it follows from."""

    value: Json
    sources: tuple[DefaultSource, ...]


@dataclass(frozen=True, slots=True)
class NextApply:
    """What the next apply does: its mode, the outcome, and the change of the field, if it changes."""

    mode: ApplyMode
    outcome: Outcome
    change: Change | None


@dataclass(frozen=True, slots=True)
class FieldHistory:
    """Where the value and the owner of one field come from."""

    ref: ObjectRef
    place: Address
    manifest: WrittenValue | None
    """``None`` where no manifest is at hand."""
    last_applied: WrittenValue | None
    """``None`` where the object has no such annotation, or an unreadable one."""
    managers: tuple[Manager, ...]
    """Who owns it, those first who wrote first."""
    default: ServerDefault | None
    """``None`` where the server has none."""
    next: NextApply | None
    """``None`` where no manifest is known."""

    @property
    def is_nowhere(self) -> bool:
        """Whether neither the object, its managers, its manifests nor the server's defaults have such a field."""
        values = [self.place.value, *(told.value for told in (self.manifest, self.last_applied) if told)]
        return not self.managers and self.default is None and all(value is MISSING for value in values)

    @property
    def is_default(self) -> bool:
        """Whether the value is the one that the server fills in."""
        return self.default is not None and equal(self.default.value, self.place.value)


def field_history(subject: Subject, live: JsonObject, path: Path) -> FieldHistory:
    """Return where the field at ``path`` of the live object of a subject comes from."""
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
        next=_next(subject, live, place) if document.has_manifest else None,
    )


def owners_at(live: JsonObject, place: Address) -> tuple[Manager, ...]:
    """Return who owns a place, those first who wrote first."""
    owners = (manager_of(each) for each in read(live).items() if each[1].fields.has(place.elements))
    return tuple(sorted(owners, key=lambda manager: (manager.time, manager.name)))


def _in_manifest(document: Document, place: Address, root: Node) -> WrittenValue:
    written = address(place.path, root, document.object)
    return WrittenValue(written.value, document.locate(written.positions))


def _in_last_applied(known: Knowledge, place: Address, root: Node) -> WrittenValue | None:
    return WrittenValue(address(place.path, root, known.object).value) if isinstance(known, Present) else None


def _default(live: JsonObject, place: Address, kind: Kind | None, version: str) -> ServerDefault | None:
    """Return what the server fills in where the field is taken out of the live object."""
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
    """Return ``value`` without what stands at ``path``, which goes through fields and positions."""
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


def _next(subject: Subject, live: JsonObject, place: Address) -> NextApply:
    mode = mode_of(live)
    outcome = apply_outcome(subject, mode)
    changes = [change for change in outcome.changes if _touches(change.path, place.path)]
    return NextApply(mode, outcome, max(changes, key=lambda change: len(change.path), default=None))


def _touches(changed: Path, path: Path) -> bool:
    """Tell whether a change is one of the place, of something in it or of something around it."""
    return all(map(_same, changed, path))


def _same(left: PathStep, right: PathStep) -> bool:
    """Tell whether two steps lead to one place; of list elements not every path names all keys."""
    if isinstance(left, ByKey) and isinstance(right, ByKey):
        known = dict(right.keys)
        return all(known.get(key, value) == value for key, value in left.keys)
    return left == right
