"""Revisions of a parent in Metacontroller, and the children they claim during rolling updates.

Mirrors the behaviour of ``syncRevisions`` in Metacontroller's ``pkg/controller/composite/controller_revision.go``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.selector import read, selects
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, equal, items, mapping, objects_at

WORD: Final = "ControllerRevision.metacontroller.k8s.io"
"""The kind of a revision as users spell it."""
Claim: TypeAlias = tuple[str, str, str]
"""Group, kind and name of a child."""


@dataclass(frozen=True, slots=True)
class ParentRevisions:
    """The revision settings of a parent: its revision fields, and the labels of a new revision."""

    patch: JsonObject = field(repr=False)
    """The fields of the parent that form a revision."""
    labels: JsonObject
    selector: JsonObject
    """The selector of the parent. It releases revisions that do not match, and cannot create them again."""

    @property
    def are_kept(self) -> bool:
        """Whether the parent's selector matches its revisions, so that the next sync finds them."""
        return self._finds({"metadata": {"labels": self.labels}})

    def earlier(self, objects: Iterable[JsonObject], uid: str) -> frozenset[Claim] | None:
        """Return the children that earlier revisions claim, or ``None`` if no revision is visible."""
        own = [item for item in objects if is_revision(ref_of(item)) and _is_owned(item, uid) and self._finds(item)]
        if not own:
            return None
        return frozenset(claim for item in own if not self.is_latest(item) for claim in _claims(item))

    def is_known(self, objects: Iterable[JsonObject]) -> bool | None:
        """Return whether a revision of the current parent exists, or ``None`` if no revision is visible."""
        seen = [item for item in objects if is_revision(ref_of(item))]
        return any(map(self.is_latest, seen)) if seen else None

    def is_latest(self, revision: JsonObject) -> bool:
        """Return whether a revision matches the current parent."""
        return equal(revision.get("parentPatch"), self.patch)

    def _finds(self, item: JsonObject) -> bool:
        """Return whether the parent's selector matches an object."""
        return selects(read(self.selector), item)


def revisions_of(
    parent: JsonObject, paths: Iterable[str], selector: JsonObject, *, generated: JsonObject
) -> ParentRevisions:
    """Return the revision settings of a parent; ``paths`` are the revision fields of its controller.

    ``generated`` has the labels of revisions if the controller generates the selector, else nothing.
    """
    labels = mapping(dig(parent, "spec", "template", "metadata", "labels"))
    patch: dict[str, Json] = {}
    for path in paths:
        steps = path.split(".")
        value = dig(parent, *steps)
        patch = patch if value is MISSING else _with(patch, steps, value)
    return ParentRevisions(patch, generated or labels, selector)


def is_revision(ref: ObjectRef) -> bool:
    """Return whether an object is a revision, which belongs to a parent but is not a child."""
    return f"{ref.kind}.{ref.group}" == WORD


def claim_of(ref: ObjectRef) -> Claim:
    """Return the claim that a revision has for a child, in any version."""
    return (ref.group, ref.kind, ref.name)


def _claims(revision: JsonObject) -> Iterator[Claim]:
    for kind in objects_at(revision, "children"):
        for name in items(kind.get("names")):
            yield (str(kind.get("apiGroup") or ""), str(kind.get("kind")), str(name))


def _is_owned(item: JsonObject, uid: str) -> bool:
    return any(owner.get("uid") == uid for owner in objects_at(item, "metadata", "ownerReferences"))


def _with(patch: Mapping[str, Json], steps: list[str], value: Json) -> dict[str, Json]:
    """Return a patch with a value set at a path."""
    first, *rest = steps
    return {**patch, first: _with(mapping(patch.get(first)), rest, value) if rest else value}
