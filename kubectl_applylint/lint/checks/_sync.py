"""Values in a sync by Metacontroller: each desired value with the observed and the last applied one."""

from collections.abc import Iterator
from contextlib import suppress

from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import MISSING, Json, Missing, mapping
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.dynamic import by_key, merge, merge_key
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Node
from kubectl_applylint.tools.metacontroller.children import UpdateMethod
from kubectl_applylint.tools.metacontroller.write import last_applied_of


@dataclass(frozen=True, slots=True)
class SyncedValue:
    """A value that a hook returns, at ``path`` of the manifest. ``observed`` is the desired value if none exists."""

    path: Path
    observed: Json
    last: Json | Missing
    desired: Json

    @property
    def lists(self) -> tuple[list[Json], list[Json], list[Json]] | None:
        """The observed, last applied and desired lists, if the value is a list."""
        if not isinstance(self.observed, list) or not isinstance(self.desired, list):
            return None
        return self.observed, self.last if isinstance(self.last, list) else [], self.desired

    @property
    def key(self) -> str | None:
        """The field that Metacontroller uses as the key of items in these lists."""
        return merge_key(*self.lists) if self.lists else None

    @property
    def stored(self) -> Json:
        """The result of the merge."""
        last = {} if self.last is MISSING else {"it": self.last}
        return merge({"it": self.observed}, last, {"it": self.desired})["it"]

    @property
    def foreign(self) -> list[Json]:
        """The observed keys of items that no hook returns or returned; none if the list has no keys."""
        if not self.lists or not self.key:
            return []
        observed, last, desired = (by_key(items, self.key) for items in self.lists)
        return [name for name in observed if name not in last and name not in desired]


def synced_values(subject: Subject) -> Iterator[SyncedValue]:
    """Yield every value of the manifest, outer ones first, if Metacontroller would update or replace the child."""
    sync, live = subject.flags.sync, subject.state.live
    if sync is None or sync.method(subject.ref, subject.kind) is UpdateMethod.ON_DELETE:
        return
    if not isinstance(live, Present):
        yield from _inner_values(SyncedValue((), subject.manifest, subject.manifest, subject.manifest))
    elif not sync.disowns(live.object):
        with suppress(MergeError):
            yield from _inner_values(SyncedValue((), live.object, last_applied_of(live.object), subject.manifest))


def _inner_values(meeting: SyncedValue) -> Iterator[SyncedValue]:
    yield meeting
    observed, desired = meeting.observed, meeting.desired
    if isinstance(observed, dict) and isinstance(desired, dict):
        last = mapping(meeting.last)
        for name, value in desired.items():
            path = (*meeting.path, Field(name))
            yield from _inner_values(SyncedValue(path, observed.get(name, value), last.get(name, MISSING), value))
    elif meeting.lists and meeting.key:
        there, wanted, _ = (by_key(items, meeting.key) for items in meeting.lists)
        for position, item in enumerate(meeting.lists[2]):
            name = next(iter(by_key([item], meeting.key)))
            path = (*meeting.path, Index(position))
            yield from _inner_values(SyncedValue(path, there.get(name, item), wanted.get(name, MISSING), item))


def node_of(subject: Subject, path: Path) -> Node | None:
    """Return the schema of a place, ``None`` if it has none."""
    return at(subject.kind.root, path) if subject.kind else None


def merges(node: Node | None) -> bool:
    """Return whether a list is declared to merge item by item."""
    return node is not None and (node.merges or node.list_type in ("map", "set"))
