"""The digest of what a run reads besides commits: uncommitted files, folders outside of git, snapshots."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.places import Place, place_of
from kubectl_applylint.sources.cluster.snapshot import MAX_BYTES
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.git import git, revision
from kubectl_applylint.sources.system import contents
from kubectl_applylint.units.model import Unit

_GONE: Final = b"gone"


def content_digest(request: Request, place: Place | None = None) -> str:
    """Return a digest of the inputs of a run by units that its commit does not determine.

    These are the files of units, in a repository only the uncommitted ones, and the snapshots and directories that are
    compared with. No cluster is read.
    """
    place = place or place_of(request.files or (os.curdir,), request.units, request.own)
    units = place.units(request.units)
    digest = hashlib.sha256()
    for name, content in chain(
        _unit_files(place, units), _compared_content(request.against), _snapshots_of_units(units)
    ):
        digest.update(b"%d %s %s\n" % (len(name), os.fsencode(name), hashlib.sha256(content).hexdigest().encode()))
    return digest.hexdigest()[:32]


def _unit_files(place: Place, units: Iterable[Unit]) -> Iterator[tuple[str, bytes]]:
    side, repo = place.side, place.repository
    read = frozenset(chain.from_iterable(unit.files for unit in units)).union(place.paths) & side.paths
    head = git.resolve(repo, "HEAD") if repo else None
    if repo is None or head is None:
        yield from sorted(side.contents(read).items())
        return
    changed = git.changed_paths(repo, head, None).keys()
    committed = git.tree(repo, head).entries.keys()
    yield from sorted(side.contents([path for path in read if path in changed or path not in committed]).items())
    yield from ((path, _GONE) for path in sorted(changed - side.paths) if path.endswith(EXTENSIONS))


def _compared_content(against: Against) -> Iterator[tuple[str, bytes]]:
    argument = against.argument
    if against.kind is AgainstKind.SNAPSHOT:
        found = contents.read_file(argument, MAX_BYTES)
        yield "", b"" if isinstance(found, Problem) else found
    elif against.kind is AgainstKind.DIR and os.path.isdir(argument):
        side = sides.of_folder(argument)
        yield from sorted(side.contents(side.paths).items())
    elif against.kind is AgainstKind.GIT:
        yield from _revision_contents(argument)


def _revision_contents(argument: str) -> Iterator[tuple[str, bytes]]:
    repo = git.repository(os.curdir)
    found = repo if isinstance(repo, Problem) else revision.revision_pair(repo, revision.parse(argument))
    if isinstance(repo, Problem) or isinstance(found, Problem):
        return
    for named in filter(None, (found.base, found.head)):
        staged = repr(sorted(git.tree(repo, named).entries.items())) if named.is_index else ""
        yield named.id, staged.encode()


def _snapshots_of_units(units: Iterable[Unit]) -> Iterator[tuple[str, bytes]]:
    """Yield the snapshots that the configuration names for units."""
    named = (dict(unit.applied.options).get("against") for unit in units)
    for against in sorted({one for one in named if isinstance(one, Against)}, key=str):
        yield from _compared_content(against)
