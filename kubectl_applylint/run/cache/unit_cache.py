"""The cache of the units of a commit or of a work tree: to find them, all that declares others is rendered.

They are not cached if a file could not be read, as in a partial clone, if something that was rendered has a problem, is
random or may read the environment, or if an object that declares a unit has credentials.
"""

import os
import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.cache.identities import program_identity, tool_identities
from kubectl_applylint.run.cache.pickled_records import canonical, is_declared_with_credentials, unpickle
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.secrets.names_and_credentials import has_credentials
from kubectl_applylint.sources.render.render_cache import takes_from_environment
from kubectl_applylint.sources.store.store_place import content_digest
from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Unit

CATEGORY: Final = "units"
_ATTRIBUTES: Final = ".gitattributes"
_FILTER: Final = b"filter="


def cached_units(
    side: Side, content: Iterable[object], depends_on: Iterable[object], find: Callable[[Side], FoundUnits]
) -> FoundUnits:
    """Return the units of a side from the cache, or those that ``find`` returns, which are cached.

    ``content`` identifies all files of the side; it is empty if they are not known. The units also depend on the values
    of ``depends_on``.
    """
    identity = tuple(content) if cache_folder.is_kept() else ()
    if not identity:
        return find(side)
    key = _key(side, (identity, *depends_on))
    cached = unpickle(cache_folder.read(CATEGORY, key) or b"")
    if isinstance(cached, FoundUnits):
        return cached
    doubts: list[bool] = []
    found = find(_side_with_doubts(side, doubts))
    if not any(doubts) and not _has_credentials(found):
        cache_folder.write(CATEGORY, key, pickle.dumps(found))
        cache_folder.make_room(CATEGORY)
    return found


def content_of_change(base: str, before: Side, after: Side, differ: Iterable[str]) -> Iterator[object]:
    """Yield what identifies the files of a side: the commit ``base``, whose side is ``before``, and what differs.

    Nothing is yielded if git may change the contents of files, such as decrypt them, without a difference.
    """
    paths = sorted(differ)
    attributes = after.contents([path for path in after.paths if path.rpartition("/")[2] == _ATTRIBUTES])
    if base and not any(_FILTER in text for text in attributes.values()):
        texts = after.contents([path for path in paths if path in after.paths])
        yield from (base, sorted(before.paths ^ after.paths), sorted(after.submodules), sorted(after.link_ends.items()))
        yield from ((path, cache_folder.key_of([texts[path]]) if path in texts else "") for path in paths)


def _key(side: Side, values: Iterable[object]) -> str:
    """Return the key of the units of a side, which have labels of its files."""
    directories = [os.fsencode(os.getcwd()), os.fsencode(side.label("file"))]
    programs = [program_identity(), *tool_identities()]
    return cache_folder.key_of([*programs, *directories, content_digest(), *map(canonical, values)])


def _side_with_doubts(side: Side, doubts: list[bool]) -> Side:
    """Return a side that adds to ``doubts`` whether what it reads or renders may be something else next time."""

    def with_doubts(render: Callable[[Any], Input], files_of: Callable[[Any], Iterable[str]]) -> Callable[[Any], Input]:
        def call(rendered: Any) -> Input:
            found = render(rendered)
            texts = side.contents([*filter(is_kustomization, files_of(rendered))])
            doubts.append(bool(found.problems) or found.is_random or takes_from_environment([*texts.values()]))
            return found

        return call

    def contents_of(paths: Collection[str]) -> Mapping[str, bytes]:
        found = side.contents(paths)
        doubts.append(any(path not in found for path in paths if path in side.paths))
        return found

    def files_of_unit(unit: Unit) -> Iterable[str]:
        return unit.files

    def files_below(folder: str) -> Iterable[str]:
        return [path for path in side.paths if path.startswith(f"{folder}/" if folder else "")]

    return replace(
        side,
        contents=contents_of,
        render=with_doubts(side.render, files_below),
        charts=with_doubts(side.charts, files_of_unit),
        releases=with_doubts(side.releases, files_of_unit),
        builds=with_doubts(side.builds, files_of_unit),
    )


def _has_credentials(found: FoundUnits) -> bool:
    """Return whether an object that declares a unit, or what the unit is rendered from, has credentials."""
    missing = (one.applied.tool_object for one in found.missing)
    objects = chain(missing, (declared for _, declared in found.generated))
    return any(map(is_declared_with_credentials, found.units)) or any(has_credentials(one or {}) for one in objects)
