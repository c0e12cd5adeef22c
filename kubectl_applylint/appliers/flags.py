"""The flags of kubectl apply: valid combinations, and the settings that they select."""

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from shlex import quote
from typing import Final, Protocol, TypeAlias

from kubectl_applylint.appliers import applyset, prune
from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier, Validation
from kubectl_applylint.appliers.unit_applier import AskedApplier, UnitApplier
from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.selector import parse
from kubectl_applylint.core.state import Knowledge, ObjectRef, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.configured_definitions import NOT_CONFIGURED, ConfiguredDefinitions
from kubectl_applylint.server.validate.formats import path_segment
from kubectl_applylint.tools.metacontroller.children import Sync


class ProgramPolicy(Protocol):
    """How Helm, Flux, Argo CD or kapp applies a whole set."""

    @property
    def applier(self) -> Applier:
        """The program."""

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield the live objects that are pruned when ``applied`` are the objects of the set."""


Policy: TypeAlias = prune.ByLabels | applyset.ApplySet | Sync | ProgramPolicy
"""What ``--prune`` deletes, or how a tool other than kubectl applies a whole set."""


class DryRun(StrEnum):
    """The values of ``--dry-run``."""

    NONE = "none"
    CLIENT = "client"
    SERVER = "server"


class NamespaceUse(StrEnum):
    """How a tool uses its namespace for an object that names another one."""

    REQUIRED = "required"
    """It rejects the object, as ``kubectl apply -n`` does."""
    DEFAULT = "default"
    """It keeps the namespace of the object."""
    REPLACED = "replaced"
    """It moves the object, as ``spec.targetNamespace`` of a Kustomization of Flux does."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of ``kubectl apply`` that affect what is written, as the user typed them."""

    server_side: bool = False
    force_conflicts: bool = False
    field_manager: str = ""
    """Empty for kubectl's default."""
    selector: str = ""
    namespace: str = ""
    """The value of ``-n``; empty if absent."""
    namespace_use: NamespaceUse = NamespaceUse.REQUIRED
    """How the namespace is used for objects that name another one."""
    prune: bool = False
    all: bool = False
    prune_allowlist: tuple[str, ...] = ()
    applyset: str = ""
    overwrite: bool = True
    """Whether it reverts changes by others, or fails because of them."""
    force: bool = False
    """Whether it deletes an immutable object and creates it again."""
    grace_period: int = -1
    """Seconds until deleted objects are killed; below 0 for their own period."""
    dry_run: DryRun = DryRun.NONE
    validation: Validation = Validation.STRICT
    subresource: str = ""
    """What server-side apply writes to; empty for the object itself."""
    is_unit: bool = False
    """Whether it is a unit of a repository, whose objects are predicted one by one, in order."""
    unit_tool: str = ""
    """The tool that applies the unit, as declared by the repository or the configuration; empty for no unit."""
    is_new_unit: bool = False
    """Whether the change adds the whole unit: none of its objects was applied before."""
    is_tool_assumed: bool = False
    """Whether the tool is only inferred from the layout of the files."""
    may_be_patched: bool = False
    """Whether the objects of the unit may get fields from a Kustomization that is not known."""
    has_own_values_only: bool = False
    """Whether the unit is a chart that is rendered with its default values only."""
    has_missing_changes: bool = False
    """Whether a part of the unit that was not rendered may change its objects."""
    mutated_groups: frozenset[str] = frozenset()
    """The API groups of custom resources of the unit that a mutating webhook of the repository may change."""
    unit_command: str = ""
    """What applies the whole unit if not kubectl: a command, or a comment; empty for kubectl."""
    unit_prunes: bool = False
    """Whether the tool deletes objects that leave the unit, or no declaration denies it."""
    unit_arguments: str = ""
    """The arguments of kubectl apply for the whole unit, such as ``-k app``.

    Empty if another tool applies the unit, and for files that the caller named.
    """
    given: str = ""
    """The arguments of kubectl apply for the input that the caller named: ``-f a.yaml -n shop``; empty for none."""
    sync: Sync | None = None
    """How Metacontroller manages the objects as children; ``None`` for kubectl."""
    asked: AskedApplier | None = None
    """The tool that the caller selected for units that it can apply; ``None`` for kubectl."""
    unit_applier: UnitApplier | None = None
    """The tool that then applies the unit, with its record of the unit; ``None`` for kubectl."""
    definitions: ConfiguredDefinitions = field(default=NOT_CONFIGURED, repr=False, compare=False)
    """The definitions that the configuration names."""
    tracks_first_owners: bool = field(default=True, compare=False)
    """Whether owners of fields are predicted also for objects without known live state."""

    @property
    def applier(self) -> Applier:
        """The kind of apply."""
        if self.sync is not None:
            return Applier.METACONTROLLER
        return Applier.KUBECTL_SERVER if self.server_side else Applier.KUBECTL_CLIENT

    @property
    def is_client_side(self) -> bool:
        """Whether it is a client-side apply by kubectl."""
        return self.applier is Applier.KUBECTL_CLIENT and self.unit_applier is None

    @property
    def program(self) -> Applier:
        """The applier, or the tool other than kubectl that applies the unit."""
        return self.unit_applier.applier if self.unit_applier else self.applier

    def tracks_owners(self, live: Knowledge) -> bool:
        """Return whether owners of fields are predicted, for server-side apply and for outcomes."""
        return self.tracks_first_owners or not self.is_client_side or not isinstance(live, Unknown)

    @property
    def manager(self) -> str:
        """The field manager."""
        named = "" if self.unit_applier else self.field_manager
        return named or DEFAULT_MANAGERS[self.program]

    def __str__(self) -> str:
        """Return the flags that affect ownership as they are typed, each with a space before it."""
        words = [
            " --server-side" * self.server_side,
            " --force-conflicts" * self.force_conflicts,
            f" --field-manager={self.field_manager}" * bool(self.field_manager),
            f" --subresource={self.subresource}" * bool(self.subresource),
        ]
        return "".join(words)

    @property
    def pruning(self) -> str:
        """The flags that affect pruning as they are typed, each with a space before it."""
        words = [
            " --prune" * self.prune,
            " --all" * self.all,
            f" --selector={quote(self.selector)}" * bool(self.selector),
            *(f" --prune-allowlist={quote(kind)}" for kind in self.prune_allowlist),
            f" --applyset={quote(self.applyset)}" * bool(self.applyset),
        ]
        return "".join(words)

    @property
    def policy(self) -> Policy | None:
        """What is pruned, ``None`` for nothing; raises ``ValueError`` for invalid flags."""
        if self.sync is not None:
            return self.sync
        if self.applyset:
            return applyset.read(self.applyset, self.namespace)
        if not self.prune:
            return None
        return prune.ByLabels(parse(self.selector), prune.read_kinds(self.prune_allowlist), self.namespace)


NO_FLAGS: Final = Flags()
"""A plain ``kubectl apply``."""


def faults(flags: Flags) -> Iterator[str]:
    """Yield kubectl's errors about the flags (``Validate`` of its ``apply``)."""
    yield from (words for is_wrong, words in _clashes(flags) if is_wrong)
    try:
        parse(flags.selector)
    except ValueError as fault:
        yield f"--selector: {fault}"
        return
    try:
        _ = flags.policy
    except ValueError as fault:
        yield f"{'--applyset' if flags.applyset else '--prune-allowlist'}: {fault}"


_NOT_KUBECTL: Final = (
    "the flags of kubectl apply have no effect with --applier metacontroller; remove them or --applier"
)


def _clashes(flags: Flags) -> Iterator[tuple[bool, str]]:
    """Yield each invalid combination of flags: whether it is present, and kubectl's message."""
    is_by_labels = flags.prune and not flags.applyset
    yield flags.sync is not None and flags != Flags(sync=flags.sync, namespace=flags.namespace), _NOT_KUBECTL
    yield flags.force_conflicts and not flags.server_side, "--force-conflicts only works with --server-side"
    yield (
        flags.dry_run is DryRun.CLIENT and flags.server_side,
        "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
    )
    yield flags.force and flags.server_side, "--force cannot be used with --server-side"
    yield flags.force and flags.dry_run is DryRun.SERVER, "--dry-run=server cannot be used with --force"
    yield flags.force and flags.prune, "--force cannot be used with --prune"
    yield flags.all and bool(flags.selector), "cannot set --all and --selector at the same time"
    yield bool(flags.applyset) and not flags.prune, "--applyset requires --prune"
    yield bool(flags.applyset) and flags.all, "--all is incompatible with --applyset"
    yield bool(flags.applyset and flags.selector), "--selector is incompatible with --applyset"
    yield bool(flags.applyset and flags.prune_allowlist), "--prune-allowlist is incompatible with --applyset"
    yield (
        is_by_labels and not flags.all and not flags.selector,
        "all resources selected for prune without explicitly passing --all; to prune all resources, pass the --all"
        " flag; if you did not mean to prune all resources, specify a label selector",
    )
    yield (
        is_by_labels and flags.server_side,
        "--prune is in alpha and doesn't currently work on objects created by server-side apply",
    )
    yield bool(flags.subresource) and not flags.server_side, "--subresource can only be specified for --server-side"
    wrong = path_segment(flags.subresource)
    yield bool(wrong), f"invalid subresource {encode(flags.subresource)}: [{' '.join(wrong)}]"
