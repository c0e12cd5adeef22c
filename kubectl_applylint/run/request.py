"""The request of a run: files, flags, and the state to compare with."""

import os
from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import Final

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.lint.hiding.suppress import Extent
from kubectl_applylint.run.compare.against import NOTHING, Against, AgainstKind
from kubectl_applylint.sources.system.contents import CHART, STDIN
from kubectl_applylint.units.accepted import AcceptedGap
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.remotes import NO_OWN, OwnSources

UNIT_STATES: Final = (AgainstKind.GIT, AgainstKind.DIR)
"""The kinds of earlier state that have units of their own; of any other kind, one state is compared with all units."""
_EMPTY_STDIN: Final = bytes


def _no_gaps(content: bytes, file: str) -> Iterable[AcceptedGap]:
    return ()


class RequestScope(Enum):
    """The scope of a request: one apply, all units, or the changed units."""

    ONE_APPLY = auto()
    """One apply of the named files, as with kubectl."""
    UNITS = auto()
    """The units of a repository, in one state of its files."""
    CHANGE = auto()
    """The units that differ between two revisions or directories."""


@dataclass(frozen=True, slots=True)
class Request:
    """The request of a run."""

    files: tuple[str, ...] = ()
    """Files, directories, patterns and URLs, ``-`` for standard input; without any, the objects of the source."""
    named: tuple[str, ...] | None = None
    """The files that are never skipped as non-manifests; ``None`` for all."""
    recursive: bool = False
    flags: Flags = NO_FLAGS
    """How the manifests are applied, with the namespace of ``-n``."""
    against: Against = NOTHING
    kubernetes_version: str = ""
    api_versions: tuple[str, ...] = ()
    """The API versions that the cluster serves besides the built-in ones, for charts that ask for them."""
    """The version to predict for; empty for that of the cluster, or else the newest recorded one."""
    all_namespaces: bool = False
    """Whether live objects of all namespaces are examined if no files are named."""
    stdin: Callable[[], bytes] = _EMPTY_STDIN
    is_one_apply: bool = False
    """Whether all files are one apply, even if they belong to several units."""
    units: tuple[Configured, ...] = ()
    """The units of the configuration."""
    own: OwnSources = NO_OWN
    """The revisions and sources that count as the examined files."""
    roots: tuple[str, ...] = ()
    """Patterns of the roots of the units that are examined; without any, all are."""
    is_listed: bool = False
    """Whether a program such as pre-commit listed the files; then files that are not manifests are skipped."""
    accepted: tuple[AcceptedGap, ...] = ()
    """The units that are accepted as incomplete."""
    accepted_in: Callable[[bytes, str], Iterable[AcceptedGap]] = _no_gaps
    """Returns the accepted gaps of a configuration file of another revision, from its content and name."""
    renders: bool = False
    """Whether units are only rendered: those of a change with their unchanged objects, and each hole is a problem."""
    sets_aside: bool = False
    """Whether dependencies, test data and unused patches are skipped unless they are named."""


def scope_of(request: Request) -> RequestScope:
    """Return the scope of a request.

    It is one apply with ``-f`` or ``-k``, with flags that only fit one apply, and for standard input, charts, patterns
    and URLs.
    """
    if request.is_one_apply or request.named or request.flags.policy or request.flags.selector or request.flags.sync:
        return RequestScope.ONE_APPLY
    match request.against.kind:
        case AgainstKind.DIR:
            is_change = len(request.files) == 1 and os.path.isdir(request.files[0])
            return RequestScope.CHANGE if is_change else RequestScope.ONE_APPLY
        case AgainstKind.GIT:
            is_change = ":" not in request.against.argument and all(map(_is_path, request.files))
            return RequestScope.CHANGE if is_change else RequestScope.ONE_APPLY
        case AgainstKind.FILE | AgainstKind.LAST_APPLIED:
            return RequestScope.ONE_APPLY
        case _:
            exist = bool(request.files) and all(map(_is_existing_path, request.files))
            return RequestScope.UNITS if exist else RequestScope.ONE_APPLY


def is_by_units(request: Request) -> bool:
    """Return whether a request is about units of a repository instead of one apply."""
    return scope_of(request) is not RequestScope.ONE_APPLY


def _is_path(name: str) -> bool:
    return name != STDIN and not name.startswith(CHART) and "://" not in name


def _is_existing_path(name: str) -> bool:
    return _is_path(name) and os.path.lexists(name)


def extent_of(request: Request) -> Extent:
    """Return the extent of a request: whole directories, or a part of them."""
    folders = bool(request.files) and all(map(os.path.isdir, request.files))
    is_whole = folders and not request.flags.selector and request.against.kind is not AgainstKind.GIT
    return Extent.WHOLE if is_whole else Extent.PART
