"""Wanted children during the syncs of Metacontroller, until nothing more changes.

Mirrors the behaviour of ``syncRollingUpdate`` in Metacontroller's ``pkg/controller/composite/rolling_update.go``: it
moves one child at a time to the latest revision of the parent, once all moved children look as wanted. Until then a
child stays as an earlier revision wants it, which is stored in the annotation of the child.
"""

from collections.abc import Collection, Sequence
from typing import Final

from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Absent, ObjectRef, Present, State, ref_of
from kubectl_applylint.core.values import JsonObject, equal, mapping
from kubectl_applylint.engine.predictions import attempt
from kubectl_applylint.engine.process import SetParts
from kubectl_applylint.engine.set_refusals import state_left_by
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.tools.metacontroller.children import Sync
from kubectl_applylint.tools.metacontroller.revisions import Claim, ParentRevisions, claim_of
from kubectl_applylint.tools.metacontroller.write import last_applied_of, merge_child

LOST_REVISION: Final = (
    "can't reconcile ControllerRevisions: that of the parent already exists, and the parent has released it: its"
    " selector does not match spec.template.metadata.labels"
)
"""Why every sync fails if the parent cannot find its revision again."""
_ROUNDS: Final = 4
"""The number of predicted syncs per child; children that still change count as changing forever."""


@dataclass(frozen=True, slots=True)
class Member:
    """One wanted child during the syncs."""

    wanted: JsonObject
    earlier: JsonObject | None
    """The child that an earlier revision wants; ``None`` if unknown or not claimed."""
    state: State
    is_rolling: bool
    is_latest: bool
    """Whether the latest revision of the parent has claimed it."""
    found: tuple[Outcome | PredictionError, ...] = ()
    """The outcome of each sync."""
    deleted: Outcome | None = None
    """The outcome of a child that the last sync deleted; the next sync creates it."""
    looked: tuple[JsonObject | None, bool] | None = None
    """The object compared last, and whether it looks as wanted."""
    settled_for: JsonObject | None = None
    """The manifest for which the last sync changed nothing, if any."""

    @property
    def live(self) -> JsonObject | None:
        """The current object."""
        return self.state.live.object if isinstance(self.state.live, Present) else None

    @property
    def desired(self) -> JsonObject | None:
        """The child that its revision wants; ``None`` if unknown."""
        return self.wanted if self.is_latest else self.earlier

    @property
    def is_in_front(self) -> bool:
        """Whether other children wait for it."""
        return self.is_rolling and self.is_latest

    def is_done(self, policy: Sync) -> bool:
        """Return whether it was written as wanted, so that a later stop does not affect it."""
        is_written = any(isinstance(found, Outcome) and found.requests for found in self.found)
        return is_written and self.is_latest and looks_as_wanted(policy, self)


@dataclass(frozen=True, slots=True)
class Siblings:
    """All wanted children after some syncs; ``stop`` is why the last one stopped, or ``""``."""

    members: tuple[Member, ...]
    stop: str = ""
    is_managed: bool = False
    """Whether any sync reached the deletion of children."""
    obscure: tuple[ObjectRef, ...] = ()
    """Children claimed by an earlier revision whose manifest is not known."""
    are_all_absent: bool = False
    """Whether an earlier revision has claimed several children and none of them exists."""


def final_children(policy: Sync, parts: SetParts) -> Siblings:
    """Return the children after the syncs, when nothing more changes."""
    if policy.revisions and not policy.revisions.are_kept:
        return _sync_without_revisions(policy, parts, policy.revisions)
    uid = str(mapping(policy.owner).get("uid"))
    claims = policy.revisions.earlier(parts.cluster.objects, uid) if policy.revisions else None
    members = [_member(policy, parts, place, claims) for place in range(len(parts.documents))]
    obscure = tuple(ref_of(each.wanted) for each in members if each.desired is None)
    claimed = [each.live for each in members if not each.is_latest]
    absent = len(claimed) > 1 and not any(claimed)
    family = Siblings(tuple(members), obscure=obscure, are_all_absent=absent)
    for _ in range(_ROUNDS * (len(family.members) + 1)):
        after = _sync_once(policy, parts, family)
        if after.stop or _is_same(family, after):
            return after
        family = after
    return family


def _sync_without_revisions(policy: Sync, parts: SetParts, revisions: ParentRevisions) -> Siblings:
    """Return the children of a parent that loses its revisions: the first sync updates all, later ones fail.

    The first sync of a revision creates it. If no revision is visible, one that wants nothing new counts as old.
    """
    members = [_member(policy, parts, place, frozenset()) for place in range(len(parts.documents))]
    family, known = Siblings(tuple(members)), revisions.is_known(parts.cluster.objects)
    is_old = all(map(_is_recorded, members)) if known is None else known
    if not is_old and (family := _sync_once(policy, parts, family)).stop:
        return family
    return replace(family, members=tuple(_claim_child(parts, each) for each in family.members), stop=LOST_REVISION)


def _is_recorded(member: Member) -> bool:
    """Return whether the child's annotation has the wanted manifest."""
    return member.earlier is not None and equal(member.earlier, member.wanted)


def looks_as_wanted(policy: Sync, member: Member) -> bool:
    """Return whether a sync of the latest revision would change nothing about a child."""
    live = member.live
    if member.looked is not None and member.looked[0] is live:
        return member.looked[1]
    if live is None or policy.disowns(live):
        return False
    try:
        return equal(merge_child(live, policy.with_controller_marks(member.wanted, live)), live)
    except MergeError:
        return False


def _member(policy: Sync, parts: SetParts, place: int, claims: Collection[Claim] | None) -> Member:
    # Nothing is around the objects yet: those of the set that decide about others come through the same syncs.
    """Return a child before the first sync."""
    document, state = parts.documents[place], parts.state_at(place, 0)
    is_rolling = policy.method(document.ref, parts.schema.kind(document.ref.api_version, document.ref.kind)).is_rolling
    earlier = _earlier(document.object, state) if is_rolling else None
    is_claimed = earlier is not None if claims is None else claim_of(document.ref) in claims
    return Member(document.object, earlier, state, is_rolling, is_latest=not (is_rolling and is_claimed))


def _earlier(wanted: JsonObject, state: State) -> JsonObject | None:
    """Return the manifest recorded for a child, with the namespace that older versions do not record."""
    try:
        last = last_applied_of(state.live.object) if isinstance(state.live, Present) else {}
    except MergeError:
        return None
    place = {key: value for key, value in mapping(wanted.get("metadata")).items() if key == "namespace"}
    return {**last, "metadata": {**mapping(last.get("metadata")), **place}} if last else None


def _is_same(before: Siblings, after: Siblings) -> bool:
    """Return whether a sync changed nothing."""
    pairs = zip(before.members, after.members, strict=True)
    return before.is_managed and all(old.is_latest == new.is_latest and equal(old.live, new.live) for old, new in pairs)


def _sync_once(policy: Sync, parts: SetParts, family: Siblings) -> Siblings:
    """Return the children after one more sync."""
    moved = _claim_children(policy, family.members)
    stop = policy.complaint(member.desired for member in moved if member.desired is not None)
    if stop:
        claimed = (member if policy.has_empty_selector else _claim_child(parts, member) for member in moved)
        return replace(family, members=tuple(claimed), stop=stop)
    return replace(family, members=tuple(_apply_child(parts, member) for member in moved), is_managed=True)


def _claim_children(policy: Sync, members: Sequence[Member]) -> tuple[Member, ...]:
    """Return the children after the latest revision claims those that look as wanted, and one more.

    It claims one more only if all claimed children look as wanted.
    """
    looked = [replace(each, looked=(each.live, looks_as_wanted(policy, each))) for each in members]
    alike = [replace(each, is_latest=each.is_latest or looks_as_wanted(policy, each)) for each in looked]
    turn = next((place for place, each in enumerate(alike) if not each.is_latest), None)
    if turn is None or not all(looks_as_wanted(policy, each) for each in alike if each.is_in_front):
        return tuple(alike)
    return (*alike[:turn], replace(alike[turn], is_latest=True), *alike[turn + 1 :])


def _apply_child(parts: SetParts, member: Member) -> Member:
    """Return a child after a sync; a child deleted for an update is recreated by the next sync."""
    desired, deleted = member.desired, member.deleted
    if desired is None or member.settled_for is desired:
        return member
    if deleted is not None:
        return _with_outcome(replace(member, deleted=None), deleted)
    found = attempt(lambda: parts.predict(desired, member.state))
    if isinstance(found, Outcome) and found.requests and "DELETE" in [write.method for write in found.requests]:
        return replace(member, state=replace(member.state, live=Absent()), deleted=found)
    is_quiet = isinstance(found, Outcome) and found.verdict is Verdict.UNCHANGED
    return replace(_with_outcome(member, found), settled_for=desired if is_quiet else None)


def _claim_child(parts: SetParts, member: Member) -> Member:
    """Return a child after a sync that stops; a child deleted before is not recreated."""
    if member.deleted is not None:
        place = [write.method for write in member.deleted.requests].index("DELETE")
        lost = replace(member.deleted, requests=member.deleted.requests[: place + 1], result=None)
        return replace(member, found=(*member.found, replace(lost, verdict=Verdict.REJECTED)))
    return _with_outcome(member, attempt(lambda: parts.check(member.wanted, member.state)))


def _with_outcome(member: Member, found: Outcome | PredictionError) -> Member:
    """Return a child with one more outcome."""
    live = state_left_by(found, member.state.live)
    return replace(member, state=replace(member.state, live=live), found=(*member.found, found))
