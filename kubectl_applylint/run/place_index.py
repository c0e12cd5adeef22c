"""What each shard of a run finds out of all files, found out once: which of them name paths, definitions or Secrets,
and which files of a folder are applies of their own.

An index says what it was made of, so that one of other files is not used; with it a run finds what it finds without.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from kubectl_applylint import __version__
from kubectl_applylint.core.record_json import NoRecord, decoded, encoded
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.engine.cluster_model import CRD_KIND
from kubectl_applylint.run.files_apart import files_apart
from kubectl_applylint.run.kept_results import canonical
from kubectl_applylint.run.mutating_webhooks import WEBHOOK_KIND
from kubectl_applylint.run.places import Place
from kubectl_applylint.run.unit_shards import SECRETS
from kubectl_applylint.run.units_of import DECLARING
from kubectl_applylint.sources import git
from kubectl_applylint.sources.part_files import INDEX_VERSION, object_of
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Form, Unit

_WORDS: Final = (DECLARING, (CRD_KIND,), (WEBHOOK_KIND,), SECRETS)
"""What is looked for in all files."""


class NoIndex(ValueError):
    """A text that is no index; says why."""


@dataclass(frozen=True, slots=True)
class PlaceIndex:
    """What was found out of the files around those that were named."""

    made_of: str
    """A digest of the program, the configuration and the files."""
    mentions: Mapping[str, tuple[str, ...]]
    """The files that have one of some words in them, by these."""
    apart: Mapping[str, tuple[str, ...]]
    """The files of folders that are applies of their own, by what names the unit."""


def index_of(place: Place, entries: Sequence[Configured]) -> PlaceIndex:
    """Return the index of a place; ``entries`` are the units of the configuration."""
    side = place.side
    folders = [unit for unit in place.units(entries) if unit.form is Form.FOLDER]
    found = ((unit, files_apart([(side, unit)])[0]) for unit in folders)
    return PlaceIndex(
        made_of(place, entries),
        {_key(words): tuple(sorted(side.mentioning(words))) for words in _WORDS},
        {_key(unit.key): tuple(sorted(apart)) for unit, apart in found if apart},
    )


def made_of(place: Place, entries: Sequence[Configured]) -> str:
    """Return what is another text for another program or configuration, or other files."""
    digest = hashlib.sha256(canonical((__version__, entries, sorted(place.checkout.remotes), sorted(place.side.paths))))
    for path, content in _contents(place):
        digest.update(canonical((path, hashlib.sha256(content).hexdigest())))
    return digest.hexdigest()[:32]


def _contents(place: Place) -> Iterator[tuple[str, bytes]]:
    """Yield the contents that decide about an index: of a repository the commit, and what differs from it."""
    side, repo = place.side, place.repository
    head = git.resolve(repo, "HEAD") if repo else None
    if repo is None or head is None:
        yield from sorted(side.contents(side.paths).items())
        return
    yield head.id, b""
    known = git.tree(repo, head).entries.keys() - git.changed(repo, head, None).keys()
    yield from sorted(side.contents(side.paths - known).items())


def indexed(place: Place, index: PlaceIndex) -> Place:
    """Return a place of which nothing is found out that its index has."""
    side = place.side
    mentions = {words: frozenset(paths) for words, paths in index.mentions.items()}
    apart = {key: frozenset(paths) for key, paths in index.apart.items()}

    def mentioning(words: Collection[str]) -> frozenset[str]:
        found = mentions.get(_key(words))
        return side.mentioning(words) if found is None else found

    def of_unit(unit: Unit) -> frozenset[str]:
        return apart.get(_key(unit.key), frozenset())

    return replace(place, side=replace(side, mentioning=mentioning, apart=of_unit))


def found_once(place: Place, entries: Sequence[Configured] = ()) -> Place:
    """Return a place of which each of these things is found out when it is asked for, and then remembered."""
    side = place.side
    mentioning: Callable[[tuple[str, ...]], frozenset[str]] = cache(side.mentioning)
    of_unit = cache(lambda unit: side.apart(unit) if side.apart else files_apart([(side, unit)])[0])
    known = replace(side, mentioning=lambda words: mentioning(tuple(words)), apart=of_unit)
    return replace(place, side=known, known=place.found(entries))


def _key(words: Collection[str]) -> str:
    return "\0".join(words)


def index_text(index: PlaceIndex) -> str:
    """Return the text of an index."""
    told = {"version": INDEX_VERSION, "index": encoded(index, PlaceIndex)}
    return json.dumps(told, separators=(",", ":"), ensure_ascii=True) + "\n"


def read_index(content: bytes) -> PlaceIndex:
    """Return the index that a text is; raise ``NoIndex`` for any other text."""
    try:
        return decoded(object_of(content, INDEX_VERSION).get("index"), PlaceIndex)
    except NoRecord as fault:
        raise NoIndex(f"not written by applylint: {fault}") from None
    except ValueError as fault:
        raise NoIndex(str(fault)) from None
