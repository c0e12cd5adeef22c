"""The next safe step on the way of a field from one owner to another.

Mirrors what the documentation of Kubernetes says of transferring ownership: from a manifest that is applied
client-side the field first leaves last-applied, then the file; from a server-side applier the new owner first shares
it, then the old one drops it. A command is offered only if the field keeps its value by it.
"""

import shlex
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from kubectl_applylint.appliers.kubectl_server import LAST_APPLIED_MANAGER, migration_patch
from kubectl_applylint.appliers.last_applied import set_last_applied
from kubectl_applylint.core import gotext
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.outcome import Outcome, Why
from kubectl_applylint.core.paths import Field, Index, Path, child, render
from kubectl_applylint.core.paths import Step as PathStep
from kubectl_applylint.core.state import Present, last_applied
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, mapping
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.extract import extract
from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, of_paths, to_path
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import APPLY
from kubectl_applylint.merge.typed import DEDUCED, keys_of
from kubectl_applylint.ownership.address import Address, address
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode, applied, appliers_of, mode_of
from kubectl_applylint.ownership.commands import apply_command, file_words, here_document
from kubectl_applylint.ownership.field_history import owners_at
from kubectl_applylint.ownership.field_ownership import Manager, fields_of
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Node

_AUTOSCALER: Final = "kube-controller-manager"
"""What a HorizontalPodAutoscaler writes as; a scale may leave no entry in managedFields."""
_HARMLESS: Final = (Why.KEPT,)
_NO_ANNOTATIONS: Final = of_paths([("f:metadata", "f:annotations")])
"""What kubectl writes into last-applied although no manifest has it."""


class Deed(StrEnum):
    """What is to be done next."""

    RUN = "run"
    """A command."""
    EDIT = "edit"
    """A change of a manifest."""
    DONE = "done"
    STUCK = "stuck"
    """No safe step is known; the words say why."""


@dataclass(frozen=True, slots=True)
class Step:
    """The next step. ``command`` is ready to type, empty where there is nothing to run."""

    deed: Deed
    words: str
    command: str = ""
    place: Location | None = None
    """The line to edit."""
    has_values: bool = False
    """Whether command or words hold values of the object."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One field of one object on its way to ``to``."""

    subject: Subject
    live: JsonObject
    place: Address
    to: str
    root: Node = field(repr=False)

    @property
    def name(self) -> str:
        """The field as it is handed over: with the whole that it is a part of."""
        return render(self.place.path)

    @property
    def mode(self) -> ApplyMode:
        """How the manifest is applied."""
        return mode_of(self.live)

    @property
    def owners(self) -> tuple[Manager, ...]:
        """Who owns the field."""
        return owners_at(self.live, self.place)

    @property
    def takes(self) -> bool:
        """Whether the new owner owns it already."""
        return any(manager.name == self.to for manager in self.owners)

    @property
    def is_known(self) -> bool:
        """Whether the new owner has written to the object, as far as it says who did, or is the autoscaler."""
        managers = read(self.live)
        return not managers or self.to == _AUTOSCALER or any(each.name == self.to for each in managers)

    @property
    def givers(self) -> tuple[str, ...]:
        """The others who apply it server-side."""
        own = (self.to, LAST_APPLIED_MANAGER)
        return tuple(manager.name for manager in self.owners if manager.applies and manager.name not in own)

    @property
    def is_server_side(self) -> bool:
        """Whether somebody applies the field, or the new owner anything, server-side."""
        return bool(self.givers) or self.to in appliers_of(self.live) or self.mode.is_server_side

    @property
    def has_file(self) -> bool:
        """Whether a manifest in a file is at hand."""
        return self.subject.document.has_manifest and self.subject.document.locate(()).is_text

    @property
    def written(self) -> Json | Missing:
        """What the manifest in the file says of the field."""
        return address(self.place.path, self.root, self.subject.manifest).value if self.has_file else MISSING

    @property
    def remembered(self) -> JsonObject | None:
        """What last-applied keeps, if it has the field."""
        known = last_applied(Present(self.live))
        if not isinstance(known, Present) or address(self.place.path, self.root, known.object).value is MISSING:
            return None
        return known.object


def handover(subject: Subject, live: JsonObject, path: Path, to: str) -> Step:
    """Return the next step that brings the field at ``path`` of a live object to the manager ``to``."""
    root = subject.kind.root if subject.kind else DEDUCED
    found = address(path, root, live)
    if found.value is MISSING:
        return Step(Deed.STUCK, f"{found} has no value in the live object, so there is nothing to hand over")
    case = _Case(subject, live, address(found.owned, root, live), to, root)
    parts = [elements for elements in fields_of(root, live).paths() if _is_inside(elements, case)]
    if parts:
        named = ", ".join(render(to_path(elements)) for elements in parts[:3])
        return Step(Deed.STUCK, f"{case.name} is made of fields that change hands one by one, such as {named}")
    if to == case.mode.manager:
        return _to_manifest(case)
    return _from_appliers(case) if case.is_server_side else _from_client_side(case)


def _is_inside(elements: tuple[str, ...], case: _Case) -> bool:
    own = case.place.elements
    return len(elements) > len(own) and elements[: len(own)] == own


def _from_client_side(case: _Case) -> Step:
    """Hand a field of a client-side manifest over to whoever writes it without applying."""
    kept = case.remembered
    if kept is not None:
        return _forget(case, kept)
    return _done(case) if case.written is MISSING else _take_out(case)


def _forget(case: _Case, kept: JsonObject) -> Step:
    """Take the field out of last-applied, so that no apply deletes it when its line goes."""
    rest = pruned(kept, case)
    manifest = pruned(case.subject.manifest, case) if case.has_file else rest
    after = applied(case.subject, CLIENT_SIDE, set_last_applied(case.live, rest), manifest)
    if not _keeps(case, after):
        return Step(Deed.STUCK, f"even without {case.name} in last-applied the next apply would change it")
    words = (
        f"last-applied still has {case.name}, so that an apply without its line would delete it: this takes it out of"
        " last-applied and changes nothing else"
    )
    if _says_all(case, rest):
        return Step(Deed.RUN, words, f"kubectl apply set-last-applied{file_words([case.subject.document])}")
    command = f"kubectl apply set-last-applied{_namespace(case)} -f -"
    return Step(Deed.RUN, words, here_document(command, gotext.encode(rest)), has_values=True)


def _says_all(case: _Case, rest: JsonObject) -> bool:
    """Tell whether the file holds this object alone, without the field, and all that last-applied has beside it."""
    file = case.subject.document.file
    if not case.has_file or case.written is not MISSING or any(peer.file == file for peer in case.subject.peers):
        return False
    return not fields_of(case.root, rest) - _NO_ANNOTATIONS - fields_of(case.root, case.subject.manifest)


def _keeps(case: _Case, outcome: Outcome) -> bool:
    """Tell whether an apply goes through and leaves the field with its value."""
    if outcome.refused or outcome.result is None:
        return False
    return equal(address(case.place.path, case.root, outcome.result).value, case.place.value)


def _from_appliers(case: _Case) -> Step:
    """Hand a field over that is applied server-side: first the new owner shares it, then the old ones drop it."""
    if migration_patch(case.live, case.to) is not None:
        return _migrate_first(case)
    if not case.takes and (case.givers or case.to in appliers_of(case.live)):
        return _share(case)
    if case.written is not MISSING:
        return _take_out(case)
    own = [giver for giver in case.givers if giver == case.mode.manager]
    if case.has_file and (own or (case.remembered is not None and case.mode.is_server_side)):
        return _drop(case)
    if case.givers:
        names = " and ".join(case.givers)
        words = f"{names} still applies {case.name}: take its line out of the manifest of {names}, and apply that"
        return Step(Deed.EDIT, words)
    return _done(case)


def _migrate_first(case: _Case) -> Step:
    words = "client-side apply still owns fields, which the next server-side apply of anybody would take over and prune"
    if not case.has_file:
        return Step(Deed.STUCK, f"{words}: finish that first, see the command migrate")
    after = applied(case.subject, SERVER_SIDE)
    if not _keeps(case, after):
        return Step(Deed.STUCK, f"{words}; finishing that would change {case.name}, see the command migrate")
    return Step(Deed.RUN, f"{words}: finish that first", apply_command(SERVER_SIDE, [case.subject.document]))


def _share(case: _Case) -> Step:
    """Let the new owner apply what it applies already, and the field with its live value: no conflict, no change."""
    applies = [
        owned.fields for each, owned in read(case.live).items() if (each.name, each.operation) == (case.to, APPLY)
    ]
    fields = of_paths([case.place.elements]) | (applies[0] if applies else EMPTY)
    body = _configuration(case, fields)
    mode = replace(SERVER_SIDE, manager=case.to)
    after = applied(case.subject, mode, case.live, body)
    if not _keeps(case, after) or any(change.cause.why not in _HARMLESS for change in after.changes):
        return Step(Deed.STUCK, f"{case.to} cannot share {case.name}: that would change the object or be refused")
    command = f"kubectl apply{mode.flags} --validate=false{_namespace(case)} -f -"
    if applies:
        later = f"what {case.to} applies from now on has to hold the field"
    else:
        later = "the entry stands for it until it writes the field itself"
    words = f"{case.to} does not own {case.name} yet: this makes it share the live value and changes nothing; {later}"
    return Step(Deed.RUN, words, here_document(command, gotext.encode(body)), has_values=True)


def _configuration(case: _Case, fields: FieldSet) -> JsonObject:
    ref = case.subject.ref
    found = mapping(extract(case.root, case.live, fields))
    names = {"name": ref.name, **({"namespace": ref.namespace} if ref.namespace else {})}
    metadata = {**names, **mapping(found.get("metadata"))}
    return {"apiVersion": ref.api_version, "kind": ref.kind, **found, "metadata": metadata}


def _take_out(case: _Case) -> Step:
    place = _line(case)
    words = f"nothing is lost by it any more: take {case.name} out of {place.file}"
    return Step(Deed.EDIT, words, place=place)


def _line(case: _Case) -> Location:
    positions = address(case.place.path, case.root, case.subject.manifest).positions
    return case.subject.document.locate(positions)


def _drop(case: _Case) -> Step:
    after = applied(case.subject, case.mode)
    if not _keeps(case, after):
        return Step(Deed.STUCK, f"the next apply would change {case.name} or be refused: see the command plan")
    words = f"the manifest does not have {case.name} any more: this apply lets go of it, and its value stays"
    return Step(Deed.RUN, words, apply_command(case.mode, [case.subject.document]))


def _to_manifest(case: _Case) -> Step:
    """Hand a field over to the manifest: it goes in with its live value, and is applied."""
    if not case.has_file:
        return Step(Deed.STUCK, f"name with -f the manifest that {case.to} applies: {case.name} goes into it")
    value = gotext.encode(case.place.value)
    if case.written is MISSING or not equal(case.written, case.place.value):
        verb = "write" if case.written is MISSING else "change"
        words = f"{verb} {case.name} in {case.subject.document.file} to its live value {value}, so that nothing changes"
        return Step(Deed.EDIT, words, place=_line(case), has_values=True)
    if not case.mode.is_server_side and case.givers:
        names = " and ".join(case.givers)
        return Step(Deed.STUCK, f"{names} applies {case.name} server-side, and client-side apply cannot share a field")
    if (not case.takes) if case.mode.is_server_side else case.remembered is None:
        after = applied(case.subject, case.mode)
        if not _keeps(case, after):
            return Step(Deed.STUCK, f"the apply would change {case.name} or be refused: see the command plan")
        words = f"the manifest has {case.name} with its live value: this apply makes it the manifest's"
        return Step(Deed.RUN, words, apply_command(case.mode, [case.subject.document]))
    if case.givers:
        names = " and ".join(case.givers)
        return Step(
            Deed.EDIT, f"{names} applies {case.name} too: take its line out of the manifest of {names}, and apply that"
        )
    return _done(case)


def _done(case: _Case) -> Step:
    others = sorted({manager.title for manager in case.owners if manager.name != case.to and not manager.applies})
    if case.takes or case.to == case.mode.manager:
        words = f"done: {case.name} belongs to {case.to}, and nobody else applies it"
    elif not case.is_known:
        return _stranger(case)
    else:
        words = f"done: nobody applies {case.name} any more; it is {case.to}'s from its first write on"
    if not case.owners and read(case.live):
        words += (
            "; it has no owner in managedFields now, so that a server-side apply of a manifest that has it takes it"
            " without a conflict"
        )
    if others:
        words += f"; {', '.join(others)} wrote it before and takes nothing back unless it writes again"
    if not case.has_file:
        words += "; its line has to be out of the manifest before the next apply, which -f FILE has checked"
    return Step(Deed.DONE, words)


def _stranger(case: _Case) -> Step:
    """Stop where the new owner may be misspelled: the object has never seen it."""
    known = ", ".join(sorted({each.name for each in read(case.live)}))
    words = (
        f"nobody applies {case.name} any more, but no manager of the object is called {case.to}: it has"
        f" {known}; check the name, or let {case.to} write the field first"
    )
    return Step(Deed.STUCK, words)


def pruned(manifest: JsonObject, case: _Case) -> JsonObject:
    """Return a manifest without the field, and without what around it would be empty or only a key."""
    found = address(case.place.path, case.root, manifest)
    return manifest if found.value is MISSING else mapping(_pruned(manifest, found.positions, case.root))


def _pruned(value: Json, path: Path, node: Node) -> Json | Missing:
    """Return ``value`` without what stands at ``path``, ``MISSING`` where nothing of it is left."""
    step, rest = path[0], path[1:]
    inner = _pruned(child(value, step), rest, _below(node, step)) if rest else MISSING
    if isinstance(step, Field):
        pairs = ((name, inner if name == step.name else item) for name, item in value.items())
        return {name: item for name, item in pairs if item is not MISSING} or MISSING
    kept = MISSING if inner is not MISSING and _is_only_a_key(inner, node) else inner
    left = (kept if Index(number) == step else item for number, item in enumerate(value))
    return [item for item in left if item is not MISSING] or MISSING


def _is_only_a_key(item: Json, node: Node) -> bool:
    return isinstance(item, dict) and item.keys() <= {*keys_of(node)}


def _below(node: Node, step: PathStep) -> Node:
    return at(node, (step,)) or DEDUCED


def _namespace(case: _Case) -> str:
    namespace = case.subject.ref.namespace
    return f" -n {shlex.quote(namespace)}" if namespace else ""
