"""The steps of a plan: a command or an edit, the reason, and the effect on owners and values.

``adopt``, ``migrate`` and ``handover`` share these, so that one renderer and one JSON schema serve all three.
"""

from collections.abc import Iterable
from enum import StrEnum

from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import Change, Outcome, OwnerChange
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import ApplyMode
from kubectl_applylint.ownership.field_ownership import FieldOwnership, Manager, ObjectOwnership
from kubectl_applylint.ownership.object_state import ObjectState


class StepKind(StrEnum):
    """The kind of a step."""

    RUN = "run"
    """A command."""
    EDIT = "edit"
    """A change of a manifest."""
    DONE = "done"
    """Nothing: the plan is finished."""
    BLOCKED = "blocked"
    """No safe step is known; ``why`` contains the obstacle."""


@dataclass(frozen=True, slots=True)
class Reset:
    """A live value that a command changes, its writers, and the line of the manifest that would keep it."""

    change: Change
    writers: tuple[Manager, ...]
    place: Location
    handover: str
    """The command that leaves the field to its writer; empty if none of them writes by itself."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The predicted effect of an apply or a replace on one object."""

    mode: ApplyMode
    outcome: Outcome
    """The outcome, with the errors and conflicts of a rejection."""
    owners: ObjectOwnership | None
    """The owners afterwards; ``None`` if the command is rejected."""
    taken: tuple[OwnerChange, ...]
    """Fields that managers other than the applier lose."""
    orphans: tuple[FieldOwnership, ...]
    """Fields left without an owner, which no later apply removes. Defaults do not count."""
    defaults: int
    """The number of server defaults without an owner, which is normal."""
    resets: tuple[Reset, ...]
    """Values that change although another manager wrote them, or although the manifest does not set them."""
    deletes: tuple[Change, ...]
    stays: tuple[FieldOwnership, ...]
    """Fields that stay although neither the manifest nor a fresh install has them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``command`` is ready to type, empty if there is nothing to run."""

    kind: StepKind
    command: str
    why: str
    effect: Effect | None = None
    """``None`` if the step only reads, or only writes the last-applied annotation."""
    place: Location | None = None
    """The line to edit."""
    has_values: bool = False
    """Whether ``command`` or ``why`` contain values of the object."""
    whole: str = ""
    """The command for the whole rendering if ``command`` contains the object itself, else empty."""
    place_in_object: Path = ()
    """The path of ``value``, which ``why`` contains, in the object; empty without one."""
    value: Json = None

    @property
    def is_blocked(self) -> bool:
        """Whether there is no safe step, or the command would be rejected."""
        return self.kind is StepKind.BLOCKED or (self.effect is not None and self.effect.outcome.refused)


@dataclass(frozen=True, slots=True)
class Cleanup:
    """The later deletion of the object."""

    delete: str
    """The recommended command."""
    also_deleted: tuple[str, ...]
    """The other objects that it deletes."""
    prune: str
    """The apply that deletes the object after its manifest is removed; empty if none does."""
    pruned: tuple[ObjectRef, ...]
    """The other known objects that the prune deletes."""
    no_prune: str
    """Why no apply prunes the object; empty if one does."""


@dataclass(frozen=True, slots=True)
class StepPlan:
    """The steps for one object, in order; steps after a blocked one are not planned."""

    subject: Subject
    mode: ApplyMode
    """The apply mode after all steps."""
    before: ObjectState
    after: ObjectState
    """The predicted state after the steps."""
    steps: tuple[Step, ...]
    alternative: Step | None = None
    """An alternative to the last step: by force, or by replacing the object."""
    leftovers: tuple[FieldOwnership, ...] = ()
    """Fields of the manifest that imperative commands still own: they stay after their lines are removed."""
    check: tuple[str, ...] = ()
    """Commands that print nothing after all steps."""
    back: tuple[str, ...] = ()
    """The commands back to the state before."""
    cleanup: Cleanup | None = None

    @property
    def is_blocked(self) -> bool:
        """Whether a step cannot be done."""
        return any(step.is_blocked for step in self.steps)


def object_after(steps: Iterable[Step], live: JsonObject | None) -> JsonObject | None:
    """Return the object after some steps; ``live`` if none of them changes it."""
    outcomes = (step.effect.outcome for step in steps if step.effect is not None)
    results = [outcome.result for outcome in outcomes if not outcome.refused and outcome.result is not None]
    return results[-1] if results else live
