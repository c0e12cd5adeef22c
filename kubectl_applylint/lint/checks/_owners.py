"""Field owners of live objects, according to their managedFields."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.appliers.kubectl_server import is_migrated
from kubectl_applylint.appliers.last_applied import annotation_of
from kubectl_applylint.appliers.request import ARGOCD_AGENT, Applier
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.outcome import Owner
from kubectl_applylint.core.paths import ByKey, Path, PathStep, fields, render
from kubectl_applylint.core.state import LAST_APPLIED, Present, live_object
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, to_path
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import Managers
from kubectl_applylint.merge.typed import TypedError
from kubectl_applylint.merge.typed_walk import field_set
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Node
from kubectl_applylint.server.apply import BEFORE_FIRST_APPLY

ANNOTATION_PATH: Final = fields("metadata", "annotations", LAST_APPLIED)
"""The annotation in which kubectl stores the last manifest."""


def live_managers(subject: Subject) -> Managers:
    """Return the managers of the live object, none without one; read once for all rules."""
    return subject.once(_live_managers)


def _live_managers(subject: Subject) -> Managers:
    return read(mapping(live_object(subject.state.live)))


def other_appliers(subject: Subject) -> Iterator[tuple[str, FieldSet]]:
    """Yield each manager that applied the object server-side, with the fields of the manifest that it owns.

    None if the manifest does not match its schema: the apply then fails.
    """
    live, kind = subject.state.live, subject.kind
    if not isinstance(live, Present) or kind is None:
        return
    known = live_managers(subject).items()
    appliers = [(each, owned) for each, owned in known if each.operation == "Apply" and not each.subresource]
    try:
        written = field_set(kind.root, subject.manifest) if appliers else EMPTY
    except TypedError:
        return
    for identity, owned in appliers:
        if shared := owned.fields & written:
            yield identity.name, shared


def writers(subject: Subject, path: Path) -> list[str]:
    """Return the managers that own a field of the live object, or the atomic map around it, sorted."""
    live, kind = subject.state.live, subject.kind
    if not isinstance(live, Present) or kind is None:
        return []
    atomic = [path[:length] for length in range(1, len(path)) if _is_atomic(at(kind.root, path[:length]))]
    owners = ((identity.name, _paths(owned.fields)) for identity, owned in live_managers(subject).items())
    return sorted(
        {name for name, owned in owners if any(_is_same_path(own, one) for own in owned for one in (path, *atomic))}
    )


def own_managers(subject: Subject) -> frozenset[Owner]:
    """Return the managers of the apply, including those that kubectl migrates to it in a server-side apply.

    Other programs than kubectl write as one manager, Argo CD as two, in their way of writing the object.
    """
    live, flags = subject.state.live, subject.flags
    if flags.unit_applier is not None:
        names = (flags.manager, ARGOCD_AGENT) if flags.program is Applier.ARGOCD else (flags.manager,)
        return frozenset(Owner(name, operation) for name in names for operation in ("Apply", "Update"))
    own = {Owner(flags.manager, "Apply" if flags.server_side else "Update")}
    if isinstance(live, Present) and flags.server_side:
        known = live_managers(subject)
        handed = [each for each, owned in known.items() if is_migrated(each, owned)]
        own |= {Owner(each.name, each.operation, each.subresource) for each in handed}
        if not known and annotation_of(live.object) is not None:
            own.add(Owner(BEFORE_FIRST_APPLY, "Update"))
    return frozenset(own)


def field_list(paths: Sequence[Path]) -> str:
    """Return the first three fields and the number of the others as text."""
    return first_names([*map(render, paths)], 3)


def _is_atomic(node: Node | None) -> bool:
    """Return whether a map has one owner as a whole."""
    return node is not None and node.map_type == "atomic"


def _paths(owned: FieldSet) -> Iterator[Path]:
    return (to_path(elements) for elements in owned.paths())


def _is_same_path(owned: Path, path: Path) -> bool:
    """Return whether two paths name the same field; managedFields may have more keys of an element than the merge
    key.
    """
    return len(owned) == len(path) and all(map(_is_same, owned, path))


def _is_same(owned: PathStep, step: PathStep) -> bool:
    """Return whether two steps name the same field or element."""
    match owned, step:
        case ByKey(every), ByKey(some):
            return set(map(repr, some)) <= set(map(repr, every))
        case _:
            return owned == step
