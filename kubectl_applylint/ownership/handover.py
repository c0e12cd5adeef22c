"""The next safe step of a handover of a field from one owner to another.

Mirrors the Kubernetes documentation on transferring ownership: with a manifest that is applied client-side the field
first leaves last-applied, then the file; with a server-side applier the new owner first shares it, then the old one
drops it. A command is offered only if the field keeps its value.
"""

from typing import Final

from kubectl_applylint.appliers.kubectl_server import LAST_APPLIED_MANAGER, migration_patch
from kubectl_applylint.appliers.last_applied import set_last_applied
from kubectl_applylint.core import gotext
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import Why
from kubectl_applylint.core.paths import Field, Index, Path, child, render
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.spelling import nearest
from kubectl_applylint.core.state import Present, last_applied
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, mapping
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.extract import extract
from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, of_paths, to_path
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import APPLY
from kubectl_applylint.merge.typed import DEDUCED, keys_of
from kubectl_applylint.ownership.address import Address, address
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode, appliers_of, mode_of
from kubectl_applylint.ownership.commands import (
    apply_command,
    diff_command,
    has_file,
    here_document,
    manifest_command,
    namespace_words,
)
from kubectl_applylint.ownership.effect import effect_of, root_of
from kubectl_applylint.ownership.field_history import owners_at
from kubectl_applylint.ownership.field_ownership import Manager, fields_of
from kubectl_applylint.ownership.object_state import state_of
from kubectl_applylint.ownership.step import Effect, Step, StepKind, StepPlan, object_after
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Node

_AUTOSCALER: Final = "kube-controller-manager"
"""The manager of a HorizontalPodAutoscaler; a scale may leave no entry in managedFields."""
_HARMLESS: Final = (Why.KEPT,)
_NO_ANNOTATIONS: Final = of_paths([("f:metadata", "f:annotations")])
"""The field that kubectl adds to last-applied."""


@dataclass(frozen=True, slots=True)
class _Transfer:
    """One field of one object on its way to the manager ``to``."""

    subject: Subject
    live: JsonObject
    place: Address
    to: str
    root: Node

    @property
    def name(self) -> str:
        """The field as text."""
        return render(self.place.path)

    @property
    def mode(self) -> ApplyMode:
        """The apply mode of the manifest."""
        return mode_of(self.live)

    @property
    def owners(self) -> tuple[Manager, ...]:
        """The owners of the field."""
        return owners_at(self.live, self.place)

    @property
    def takes(self) -> bool:
        """Whether the new owner already owns it."""
        return any(manager.name == self.to for manager in self.owners)

    @property
    def is_known(self) -> bool:
        """Whether the new owner is a manager of the object, or the autoscaler; true without any managers."""
        managers = read(self.live)
        return not managers or self.to == _AUTOSCALER or any(each.name == self.to for each in managers)

    @property
    def givers(self) -> tuple[str, ...]:
        """The other managers that apply it server-side."""
        own = (self.to, LAST_APPLIED_MANAGER)
        return tuple(manager.name for manager in self.owners if manager.applies and manager.name not in own)

    @property
    def is_server_side(self) -> bool:
        """Whether the field is applied server-side, or the new owner applies anything server-side."""
        return bool(self.givers) or self.to in appliers_of(self.live) or self.mode.is_server_side

    @property
    def has_file(self) -> bool:
        """Whether the manifest is in a file."""
        return has_file(self.subject)

    @property
    def written(self) -> Json | Missing:
        """The value in the manifest file, or ``MISSING``."""
        return address(self.place.path, self.root, self.subject.manifest).value if self.has_file else MISSING

    @property
    def in_last_applied(self) -> JsonObject | None:
        """The last-applied manifest, if it contains the field."""
        known = last_applied(Present(self.live))
        if not isinstance(known, Present) or address(self.place.path, self.root, known.object).value is MISSING:
            return None
        return known.object


def handover(subject: Subject, live: JsonObject, path: Path, to: str) -> StepPlan:
    """Return the plan with the next step of the handover of the field at ``path`` to the manager ``to``.

    The step after it is planned after it is done: the object shows the progress.
    """
    steps = (_next_step(subject, live, path, to),)
    before, mode = state_of(subject, live), mode_of(live)
    check = (diff_command(mode, [subject]),) if has_file(subject) else ()
    return StepPlan(subject, mode, before, state_of(subject, object_after(steps, live)), steps, check=check)


def _next_step(subject: Subject, live: JsonObject, path: Path, to: str) -> Step:
    root = root_of(subject)
    found = address(path, root, live)
    if found.value is MISSING:
        return _blocked_step(f"{found} has no value in the live object, so there is nothing to hand over")
    field = _Transfer(subject, live, address(found.owned, root, live), to, root)
    parts = [elements for elements in fields_of(root, live).paths() if _is_inside(elements, field)]
    if parts:
        named = ", ".join(render(to_path(elements)) for elements in parts[:3])
        return _blocked_step(f"{field.name} consists of fields that are owned one by one, such as {named}")
    if to == field.mode.manager:
        return _to_manifest(field)
    return _from_appliers(field) if field.is_server_side else _from_client_side(field)


def _blocked_step(why: str) -> Step:
    """Return a step that blocks the plan for a reason."""
    return Step(StepKind.BLOCKED, "", why)


def _apply(field: _Transfer, mode: ApplyMode, why: str) -> Step | None:
    """Return the apply of the manifest, ``None`` if it would be rejected or change the field."""
    effect = effect_of(field.subject, mode, field.live)
    if not _keeps(field, effect):
        return None
    return Step(StepKind.RUN, apply_command(mode, [field.subject]), why, effect)


def _is_inside(elements: tuple[str, ...], field: _Transfer) -> bool:
    own = field.place.elements
    return len(elements) > len(own) and elements[: len(own)] == own


def _from_client_side(field: _Transfer) -> Step:
    """Hand a field of a client-side manifest over to a manager that writes it without applying."""
    if not field.is_known:
        return _unknown_manager(field)
    last = field.in_last_applied
    if last is not None:
        return _forget(field, last)
    return _done(field) if field.written is MISSING else _take_out(field)


def _forget(field: _Transfer, last: JsonObject) -> Step:
    """Remove the field from last-applied, so that no apply deletes it after its line is removed."""
    rest = without_field(last, field)
    manifest = without_field(field.subject.manifest, field) if field.has_file else rest
    if not _keeps(field, effect_of(field.subject, CLIENT_SIDE, set_last_applied(field.live, rest), manifest)):
        return _blocked_step(f"even without {field.name} in last-applied the next apply would change it")
    why = (
        f"last-applied has {field.name}, so an apply without its line would delete it: this removes it from"
        " last-applied and changes nothing else"
    )
    if _covers_last_applied(field, rest):
        return Step(StepKind.RUN, manifest_command("kubectl apply set-last-applied", [field.subject]), why)
    command = f"kubectl apply set-last-applied{namespace_words(field.subject.ref.namespace)} -f -"
    return Step(StepKind.RUN, here_document(command, gotext.encode(rest)), why, has_values=True)


def _covers_last_applied(field: _Transfer, rest: JsonObject) -> bool:
    """Return whether the file has only this object, without the field, and with all else of last-applied."""
    subject = field.subject
    is_shared = any(peer.file == subject.document.file for peer in subject.peers)
    is_shared = is_shared or subject.document.rendering is not None
    if not field.has_file or field.written is not MISSING or is_shared:
        return False
    return not fields_of(field.root, rest) - _NO_ANNOTATIONS - fields_of(field.root, subject.manifest)


def _keeps(field: _Transfer, effect: Effect) -> bool:
    """Return whether an apply succeeds and keeps the value of the field."""
    outcome = effect.outcome
    if outcome.refused or outcome.result is None:
        return False
    return equal(address(field.place.path, field.root, outcome.result).value, field.place.value)


def _from_appliers(field: _Transfer) -> Step:
    """Hand over a field that is applied server-side: first the new owner shares it, then the old ones drop it."""
    if migration_patch(field.live, field.to) is not None:
        return _migrate_first(field)
    if not field.takes and (field.givers or field.to in appliers_of(field.live)):
        return _share(field)
    if field.written is not MISSING:
        return _take_out(field)
    own = [giver for giver in field.givers if giver == field.mode.manager]
    if field.has_file and (own or (field.in_last_applied is not None and field.mode.is_server_side)):
        why = f"the manifest no longer has {field.name}: this apply gives up its ownership, and the value stays"
        step = _apply(field, field.mode, why)
        return step or _blocked_step(f"the next apply would change {field.name} or be rejected: see the command plan")
    return _out_of_other_manifests(field) if field.givers else _done(field)


def _out_of_other_manifests(field: _Transfer) -> Step:
    """Return the edit that removes the field from the manifests of other appliers."""
    names = " and ".join(field.givers)
    why = f"{names} still applies {field.name}: remove its line from the manifest of {names}, and apply that"
    return Step(StepKind.EDIT, "", why)


def _migrate_first(field: _Transfer) -> Step:
    """Return the step that finishes the migration to server-side apply."""
    why = (
        "client-side apply still owns fields, which the next server-side apply by any manager would take over and prune"
    )
    if not field.has_file:
        return _blocked_step(f"{why}: finish the migration first, see the command migrate")
    step = _apply(field, SERVER_SIDE, f"{why}: this finishes the migration first")
    return step or _blocked_step(f"{why}; finishing the migration would change {field.name}, see the command migrate")


def _share(field: _Transfer) -> Step:
    """Let the new owner apply its current fields, and the field with its live value: no conflict, no change."""
    to = field.to
    applies = [owned.fields for each, owned in read(field.live).items() if (each.name, each.operation) == (to, APPLY)]
    body = _configuration(field, of_paths([field.place.elements]) | (applies[0] if applies else EMPTY))
    mode = replace(SERVER_SIDE, manager=to)
    effect = effect_of(field.subject, mode, field.live, body)
    if not _keeps(field, effect) or any(change.provenance.why not in _HARMLESS for change in effect.outcome.changes):
        return _blocked_step(f"{to} cannot share {field.name}: that would change the object or be rejected")
    command = f"kubectl apply{mode.flags} --validate=false{namespace_words(field.subject.ref.namespace)} -f -"
    if applies:
        later = f"from now on whatever {to} applies must contain the field"
    else:
        later = "the entry represents it until it writes the field itself"
    why = f"{to} does not own {field.name} yet: this makes it share the live value and changes nothing; {later}"
    if not field.is_known:
        why += f"; {to} is a new manager of the object: check the name"
    return Step(StepKind.RUN, here_document(command, gotext.encode(body)), why, effect, has_values=True)


def _configuration(field: _Transfer, fields: FieldSet) -> JsonObject:
    """Return the manifest of some live fields."""
    ref = field.subject.ref
    found = mapping(extract(field.root, field.live, fields))
    names = {"name": ref.name, **({"namespace": ref.namespace} if ref.namespace else {})}
    metadata = {**names, **mapping(found.get("metadata"))}
    return {"apiVersion": ref.api_version, "kind": ref.kind, **found, "metadata": metadata}


def _take_out(field: _Transfer) -> Step:
    """Return the edit that removes the field from the manifest."""
    place = _line(field)
    why = f"remove {field.name} from {_file_name(field, place)}; the live value stays"
    return Step(StepKind.EDIT, "", why, place=place)


def _line(field: _Transfer) -> Location:
    """Return the line of the field in the manifest."""
    positions = address(field.place.path, field.root, field.subject.manifest).positions
    return field.subject.document.origin(positions)


def _file_name(field: _Transfer, place: Location) -> str:
    """Return what to edit: the file, called a template if it is one, or the chart or values that it declares."""
    document = field.subject.document
    if document.is_of_chart:
        return f"the chart or the values of {place.file}"
    return f"the template {place.file}" if document.is_templated else place.file


def _to_manifest(field: _Transfer) -> Step:
    """Hand a field over to the manifest: it is written there with its live value, and applied."""
    if not field.has_file:
        return _blocked_step(f"name with -f the manifest that {field.to} applies: {field.name} has to be added to it")
    if field.written is MISSING or not equal(field.written, field.place.value):
        return _write(field)
    is_server_side, names = field.mode.is_server_side, " and ".join(field.givers)
    if not is_server_side and field.givers:
        return _blocked_step(f"{names} applies {field.name} server-side, and client-side apply cannot share a field")
    if (not field.takes) if is_server_side else field.in_last_applied is None:
        why = f"the manifest has {field.name} with its live value: this apply makes the manifest its owner"
        step = _apply(field, field.mode, why)
        return step or _blocked_step(f"the apply would change {field.name} or be rejected: see the command plan")
    return _out_of_other_manifests(field) if field.givers else _done(field)


def _write(field: _Transfer) -> Step:
    """Return the edit that writes the live value into the manifest."""
    verb = "add" if field.written is MISSING else "change"
    live = gotext.encode(field.place.value)
    place = _line(field)
    why = f"{verb} {field.name} in {_file_name(field, place)} to its live value {live}, so that nothing changes"
    path, value = field.place.path, field.place.value
    return Step(StepKind.EDIT, "", why, place=place, has_values=True, place_in_object=path, value=value)


def _done(field: _Transfer) -> Step:
    """Return the last step: the handover is finished."""
    if not (field.takes or field.to == field.mode.manager or field.is_known):
        return _unknown_manager(field)
    others = sorted({manager.title for manager in field.owners if manager.name != field.to and not manager.applies})
    if field.takes or field.to == field.mode.manager:
        why = f"done: {field.to} owns {field.name}, and no other manager applies it"
    else:
        why = f"done: no manager applies {field.name}; {field.to} owns it from its first write on"
    if not field.owners and read(field.live):
        why += "; it has no owner now, so a server-side apply of a manifest that has it takes it without a conflict"
    if others:
        why += f"; {', '.join(others)} wrote it before and takes nothing back unless it writes again"
    if not field.has_file:
        why += "; remove its line from the manifest before the next apply (-f FILE checks that)"
    return Step(StepKind.DONE, "", why)


def _unknown_manager(field: _Transfer) -> Step:
    """Return a block because of an unknown new owner, whose name may be wrong."""
    names = sorted({each.name for each in read(field.live)})
    close = nearest(field.to, (*names, _AUTOSCALER))
    return _blocked_step(
        f"the object has no manager {field.to}: check the name, or let {field.to} write the field first; its managers"
        f" are {', '.join(names)}" + (f"; did you mean {close}?" if close else "")
    )


def without_field(manifest: JsonObject, field: _Transfer) -> JsonObject:
    """Return a manifest without the field, and without parents that would be empty or only a key."""
    found = address(field.place.path, field.root, manifest)
    return manifest if found.value is MISSING else mapping(_without_path(manifest, found.positions, field.root))


def _without_path(value: Json, path: Path, node: Node) -> Json | Missing:
    """Return ``value`` without the value at ``path``, ``MISSING`` if nothing is left."""
    step, rest = path[0], path[1:]
    inner = _without_path(child(value, step), rest, at(node, (step,)) or DEDUCED) if rest else MISSING
    if isinstance(step, Field):
        pairs = ((name, inner if name == step.name else item) for name, item in value.items())
        return {name: item for name, item in pairs if item is not MISSING} or MISSING
    kept = MISSING if inner is not MISSING and _is_only_a_key(inner, node) else inner
    left = (kept if Index(number) == step else item for number, item in enumerate(value))
    return [item for item in left if item is not MISSING] or MISSING


def _is_only_a_key(item: Json, node: Node) -> bool:
    """Return whether a list item has nothing but its keys."""
    return isinstance(item, dict) and item.keys() <= {*keys_of(node)}
