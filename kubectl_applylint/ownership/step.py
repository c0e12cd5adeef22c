"""The steps of a plan: a command or an edit, why it comes next, and what it does to owners and values.

``adopt``, ``migrate`` and ``handover`` plan in these, so that there is one renderer and one JSON schema for all three.
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
    """What is to be done."""

    RUN = "run"
    """A command."""
    EDIT = "edit"
    """A change of a manifest."""
    DONE = "done"
    """Nothing: the plan is finished."""
    BLOCKED = "blocked"
    """No safe step is known; ``why`` says what is in the way."""


@dataclass(frozen=True, slots=True)
class Reset:
    """A live value that a command changes, who wrote it, and the line of the manifest that would keep it."""

    change: Change
    writers: tuple[Manager, ...]
    place: Location
    handover: str
    """The command that leaves the field to its writer; empty where none of the writers writes by itself."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What an apply or a replace does to one object, as predicted."""

    mode: ApplyMode
    outcome: Outcome
    """With the causes and conflicts of a refusal."""
    owners: ObjectOwnership | None
    """Who owns what afterwards; ``None`` where the command is refused."""
    taken: tuple[OwnerChange, ...]
    """What managers other than the applier lose."""
    orphans: tuple[FieldOwnership, ...]
    """What is left without an owner: no later apply removes it by leaving it out. Defaults do not count."""
    defaults: int
    """How many defaults of the server are left without an owner, as they should be."""
    resets: tuple[Reset, ...]
    """Values that change although another manager wrote them, or although the manifest does not set them."""
    deletes: tuple[Change, ...]
    stays: tuple[FieldOwnership, ...]
    """What stays although neither the manifest nor a fresh install has it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``command`` is ready to type, empty where there is nothing to run."""

    kind: StepKind
    command: str
    why: str
    effect: Effect | None = None
    """``None`` where the step only reads, or writes nothing but the last-applied annotation."""
    place: Location | None = None
    """The line to edit."""
    has_values: bool = False
    """Whether ``command`` or ``why`` hold values of the object."""
    whole: str = ""
    """The command with all that is rendered together with the object, where ``command`` holds the object itself; empty
    where there is none."""
    place_in_object: Path = ()
    """Where ``value``, which ``why`` holds, stands in the object; empty where it holds none."""
    value: Json = None

    @property
    def is_blocked(self) -> bool:
        """Whether there is no safe step, or the command would be refused."""
        return self.kind is StepKind.BLOCKED or (self.effect is not None and self.effect.outcome.refused)


@dataclass(frozen=True, slots=True)
class Cleanup:
    """How the object is deleted later on."""

    delete: str
    """The recommended command."""
    also_deleted: tuple[str, ...]
    """What it deletes beside the object."""
    prune: str
    """The apply that deletes the object once its manifest is removed; empty where none does."""
    pruned: tuple[ObjectRef, ...]
    """The other known objects that the prune deletes."""
    no_prune: str
    """Why no apply prunes the object; empty where one does."""


@dataclass(frozen=True, slots=True)
class StepPlan:
    """The steps for one object, in order; a step after one that is blocked is not planned."""

    subject: Subject
    mode: ApplyMode
    """How the object is applied once all steps are done."""
    before: ObjectState
    after: ObjectState
    """What the steps lead to, as far as they can be predicted."""
    steps: tuple[Step, ...]
    alternative: Step | None = None
    """Another way to do the last step: by force, or by replacing the object."""
    leftovers: tuple[FieldOwnership, ...] = ()
    """Fields of the manifest that imperative commands still own: they stay when their lines are removed."""
    check: tuple[str, ...] = ()
    """Commands that print nothing once all steps are done."""
    back: tuple[str, ...] = ()
    """The commands back to the state before."""
    cleanup: Cleanup | None = None

    @property
    def is_blocked(self) -> bool:
        """Whether a step cannot be done."""
        return any(step.is_blocked for step in self.steps)


def object_after(steps: Iterable[Step], live: JsonObject | None) -> JsonObject | None:
    """Return the object after some steps; ``live`` where none of them changes it."""
    outcomes = (step.effect.outcome for step in steps if step.effect is not None)
    results = [outcome.result for outcome in outcomes if not outcome.refused and outcome.result is not None]
    return results[-1] if results else live
