"""The children of a parent in Metacontroller: ownership, update methods, and deletion of unwanted children.

Mirrors the behaviour of Metacontroller's ``pkg/controller``: ``common/manage_children.go``, and ``claimChildren`` and
``getChildren`` of its composite and decorator controllers.
"""

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import Final

from kubectl_applylint.appliers.attempt import is_being_deleted
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.selector import read, selects
from kubectl_applylint.core.state import Identity, ObjectRef, Unknown, ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping, objects_at
from kubectl_applylint.schema.names import is_name_of_kind, names_of, parse_object
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.tools.metacontroller.revisions import ParentRevisions, is_revision, revisions_of

DECORATOR: Final = "metacontroller.k8s.io/decorator-controller"
"""The annotation on objects that a DecoratorController created."""
_SELECTED: Final = "controller-uid"
"""The label on children of a CompositeController with ``generateSelector``."""
_CHILDREN: Final = {"CompositeController": "childResources", "DecoratorController": "attachments"}


class UpdateMethod(StrEnum):
    """The update methods for children, as spelled in controllers."""

    ON_DELETE = "OnDelete"
    RECREATE = "Recreate"
    IN_PLACE = "InPlace"
    ROLLING_RECREATE = "RollingRecreate"
    ROLLING_IN_PLACE = "RollingInPlace"

    @property
    def is_rolling(self) -> bool:
        """Whether children are updated one after the other."""
        return self in (UpdateMethod.ROLLING_RECREATE, UpdateMethod.ROLLING_IN_PLACE)

    @property
    def is_in_place(self) -> bool:
        """Whether the child itself is updated."""
        return self in (UpdateMethod.IN_PLACE, UpdateMethod.ROLLING_IN_PLACE)


def update_method(text: str) -> UpdateMethod:
    """Return the method with a name; raise ``ValueError`` if there is none."""
    if text not in set(UpdateMethod):
        raise ValueError(f"{text!r} is not an update method; supported: {', '.join(UpdateMethod)}")
    return UpdateMethod(text)


@dataclass(frozen=True, slots=True)
class Sync:
    """How a controller manages the children of a parent.

    ``methods`` has pairs of a kind as users spell it (the empty word matches any) and its method; the last match
    counts. ``parent`` is ``KIND/NAME``, or empty to derive it from the observed children.
    """

    methods: tuple[tuple[str, UpdateMethod], ...] = ()
    parent: str = ""
    decorator: str = ""
    """The name of a DecoratorController, empty for a CompositeController."""
    generates_selector: bool = False
    selects: bool | None = None
    """Whether the parent's selector decides which children it has; ``None`` if the controller is not known."""
    owner: JsonObject | None = field(default=None, repr=False)
    """The owner reference to the parent, if the parent is known."""
    selector: JsonObject | None = field(default=None, repr=False)
    """The selector of the known parent; ``None`` matches all labels."""
    revisions: ParentRevisions | None = field(default=None, repr=False)
    """The revisions of the known parent, if it can have any."""
    revision_fields: tuple[str, ...] = ("spec",)
    """The fields of the parent that form a revision."""
    is_stopped: bool = False
    """Whether a sync stops after the parent has claimed its children, before it writes them."""

    def of_parent(self, parent: JsonObject) -> "Sync":
        """Return how the controller manages the children of this parent."""
        ref = ref_of(parent)
        named = {"apiVersion": ref.api_version, "kind": ref.kind, "name": ref.name}
        owner = {**named, "uid": dig(parent, "metadata", "uid"), "controller": True}
        labels = {_SELECTED: owner["uid"]} if self.generates_selector else {}
        selector = mapping(dig(parent, "spec", "selector")) if self.selects else {"matchLabels": labels}
        if not self.selects and not labels:
            return replace(self, owner=owner, selector=None)
        revisions = revisions_of(parent, self.revision_fields, selector, generated=labels)
        return replace(self, owner=owner, selector=selector, revisions=revisions if self.rolls else None)

    @property
    def rolls(self) -> bool:
        """Whether children of any kind are updated one after the other, so that the parent has revisions."""
        return any(method.is_rolling for _, method in self.methods)

    def complaint(self, wanted: Iterable[JsonObject]) -> str:
        """Return Metacontroller's error for what a hook wants, or ``""``.

        A parent without a selector does not even claim its children.
        """
        if self.decorator or not (self.selector is not None or self.selects or self.generates_selector):
            return ""
        if self.has_empty_selector:
            return ".spec.selector must have either matchLabels, matchExpressions, or both"
        return next(filter(None, map(self._label_fault, wanted)), "")

    @property
    def has_empty_selector(self) -> bool:
        """Whether the known parent's selector is empty, so that a sync stops before it claims children."""
        return self.selector is not None and not read(self.selector)

    def _label_fault(self, wanted: JsonObject) -> str:
        """Return the error for the labels of a wanted child, or ``""``."""
        ref, labels = ref_of(wanted), dig(wanted, "metadata", "labels")
        if labels is not MISSING and not _are_labels(labels):
            return f"invalid labels on desired child {_description(ref)}"
        is_child = self.selector is None or selects(read(self.selector), self.with_controller_marks(wanted, None))
        return "" if is_child else f"labels on desired child {_description(ref)} don't match parent selector"

    def adopts(self, live: JsonObject) -> bool:
        """Return whether the known parent adopts an object without a controller."""
        if self.selector is None or self.has_empty_selector or not self._manages(ref_of(live)):
            return False
        if is_being_deleted(live):
            return False
        return controller_of(live) is None and selects(read(self.selector), live)

    def _manages(self, ref: ObjectRef) -> bool:
        """Return whether the controller watches objects of a kind.

        In a custom group of its children, any kind counts.
        """
        if is_revision(ref) or self.selects is None or not self.methods:
            return not is_revision(ref)
        lower, group = ref.kind.lower(), ref.group
        names = (f"{lower}s", f"{lower}es", f"{lower[:-1]}ies")
        is_custom = "." in group and not group.endswith(".k8s.io")
        words = [word for word, _ in self.methods]
        own = is_custom and group in [word.partition(".")[2] for word in words]
        return own or any(_fits(word, ref.api_version, ref.kind, names) for word in words)

    def releases(self, live: JsonObject) -> bool:
        """Return whether the known parent releases its own object because its selector no longer matches."""
        owner = controller_of(live)
        is_own = self.owner is not None and owner is not None and self._is_parent(owner)
        is_left = self.selector is not None and not selects(read(self.selector), live)
        return is_own and is_left and not is_revision(ref_of(live))

    def method(self, ref: ObjectRef, kind: Kind | None) -> UpdateMethod:
        """Return the update method for a kind, by default ``ON_DELETE``."""
        names = names_of(kind) if kind else (f"{ref.kind.lower()}s",)
        found = (method for word, method in reversed(self.methods) if _fits(word, ref.api_version, ref.kind, names))
        return next(found, UpdateMethod.ON_DELETE)

    def with_controller_marks(self, wanted: JsonObject, live: JsonObject | None) -> JsonObject:
        """Return the wanted child with the annotation or label that the controller adds."""
        if self.decorator:
            wanted = _with_mark(wanted, "annotations", DECORATOR, self.decorator)
        uid = mapping(self.owner or controller_of(live)).get("uid")
        if self.generates_selector and isinstance(uid, str) and dig(wanted, "metadata", "labels", _SELECTED) is MISSING:
            wanted = _with_mark(wanted, "labels", _SELECTED, uid)
        return wanted

    def disowns(self, live: JsonObject) -> str:
        """Return why the controller does not count a live object among its children, or ``""``.

        An object without an owner counts as adopted by a CompositeController if the parent's selector is not known.
        """
        owner = controller_of(live)
        if self.parent and owner is not None and not self._is_parent(owner):
            return f"it belongs to {str(owner.get('kind')).lower()}/{owner.get('name')}"
        is_known = self.owner is not None and self.selects is not None
        if is_known and owner is None and not self.adopts(live):
            return "it has no owner"
        if self.selector is not None and not selects(read(self.selector), live):
            return "its labels do not match the selector of the parent"
        if self.decorator and dig(live, "metadata", "annotations", DECORATOR) != self.decorator:
            return f"the DecoratorController {self.decorator} did not create it"
        return ""

    def targets(
        self, objects: Iterable[JsonObject], wanted: Collection[ObjectRef], *, simulated: bool = False
    ) -> Iterator[ObjectRef]:
        """Yield the children that are deleted because no hook wants them.

        Without ``parent``, it is the owner of the wanted children; with several owners nothing is deleted. All
        ``simulated`` objects count as children, since they have no owners.
        """
        listed = [item for item in objects if not is_revision(ref_of(item))]
        own = {ref.identity for ref in wanted}
        parents = self.parents(listed, wanted)
        for item in listed:
            is_owned = bool(self.parent and controller_of(item)) or self.adopts(item)
            is_child = simulated or is_owned or parents == {_uid(item)}
            if is_child and own.isdisjoint(_names(item)) and not is_being_deleted(item) and not self.disowns(item):
                yield ref_of(item)

    def parents(self, objects: Iterable[JsonObject], wanted: Collection[ObjectRef]) -> frozenset[str]:
        """Return the uids of the owners of observed wanted children."""
        own = {ref.identity for ref in wanted}
        owners = (_uid(item) for item in objects if ref_of(item).identity in own and not self.disowns(item))
        return frozenset(filter(None, owners))

    def _is_parent(self, owner: JsonObject) -> bool:
        """Return whether an owner reference refers to the parent."""
        if self.owner is not None:
            return bool(owner.get("uid") == self.owner["uid"])
        wanted, kind = parse_object(self.parent), str(owner.get("kind"))
        is_kind = is_name_of_kind(wanted.word, str(owner.get("apiVersion")), kind, (f"{kind.lower()}s",))
        return is_kind and owner.get("name") == wanted.name


IN_PLACE: Final = Sync((("", UpdateMethod.IN_PLACE),))
"""Updates all differing children in place."""


def read_controller(controller: JsonObject) -> Sync:
    """Return how a controller manages children.

    Raises ``ValueError`` for objects other than a CompositeController or DecoratorController.
    """
    field = _CHILDREN.get(str(controller.get("kind")))
    if field is None or not str(controller.get("apiVersion")).startswith("metacontroller.k8s.io/"):
        raise ValueError(f"neither a CompositeController nor a DecoratorController: {ref_of(controller)}")
    spec = mapping(controller.get("spec"))
    generates_selector = spec.get("generateSelector") is True
    listed, fields = spec.get(field), dig(spec, "parentResource", "revisionHistory", "fieldPaths")
    return Sync(
        methods=tuple(_method(mapping(rule)) for rule in items(listed)),
        decorator=ref_of(controller).name if field == "attachments" else "",
        generates_selector=generates_selector,
        selects=field == "childResources" and not generates_selector,
        revision_fields=tuple(map(str, items(fields))) or ("spec",),
    )


def _method(rule: JsonObject) -> tuple[str, UpdateMethod]:
    """Return the kind and update method in one rule of a controller."""
    group = str(rule.get("apiVersion")).rpartition("/")[0]
    named = dig(rule, "updateStrategy", "method")
    method = update_method(str(named)) if named not in (MISSING, None, "") else UpdateMethod.ON_DELETE
    return f"{rule.get('resource')}.{group}".rstrip("."), method


def _description(ref: ObjectRef) -> str:
    """Return Metacontroller's name for a child."""
    return f"{ref.kind} {ref.namespace}/{ref.name}"


def _are_labels(value: Json) -> bool:
    """Return whether Metacontroller can read labels: null is not allowed, neither as map nor as value."""
    return isinstance(value, dict) and all(isinstance(text, str | Unknown) for text in value.values())


def _fits(word: str, api_version: str, kind: str, names: Iterable[str]) -> bool:
    """Return whether a word, or the empty word, names a kind."""
    return not word or is_name_of_kind(word, api_version, kind, names)


def controller_of(live: JsonObject | None) -> JsonObject | None:
    """Return the owner reference of an object's controller, or ``None``."""
    owners = objects_at(live, "metadata", "ownerReferences")
    return next((owner for owner in owners if owner.get("controller") is True), None)


def _names(item: JsonObject) -> Iterator[Identity]:
    """Yield the identities under which an object may be wanted; without namespace if its kind is not known."""
    ref = ref_of(item)
    yield from (ref.identity, replace(ref, namespace="").identity)


def _uid(item: JsonObject) -> str:
    """Return the uid of the controller that owns an object, or ``""``."""
    return str(mapping(controller_of(item)).get("uid", ""))


def _with_mark(wanted: JsonObject, field: str, name: str, value: Json) -> JsonObject:
    """Return an object with a label or annotation added."""
    metadata = mapping(wanted.get("metadata"))
    return {**wanted, "metadata": {**metadata, field: {**mapping(metadata.get(field)), name: value}}}
