"""The cache of unit results, with keys of all that they depend on: files, options, rules and program.

Only results of runs without an earlier state are cached, since live state changes by itself. The result of a unit whose
findings contain the value of a Secret, or another credential, is not cached.
"""

import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property, partial
from typing import Final, TypeAlias

from kubectl_applylint.core.deferred import Deferred
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.engine.cluster_model import CRD_KIND
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.cache.cached_result import CachedResult
from kubectl_applylint.run.cache.identities import program_identity, tool_identities
from kubectl_applylint.run.cache.pickled_records import canonical, is_declared_with_credentials, unpickle
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.sides.mutating_webhooks import WEBHOOK_KIND
from kubectl_applylint.run.sides.renders import is_rendered
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.secrets.literals import spellings_of
from kubectl_applylint.secrets.masking import has_masked_text
from kubectl_applylint.secrets.names_and_credentials import names_and_credentials
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.render.kustomize_fields import names_charts
from kubectl_applylint.sources.render.render_cache import takes_from_environment
from kubectl_applylint.sources.store.store_place import content_digest
from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import decode
from kubectl_applylint.tools.argocd.special_files import JSONNET
from kubectl_applylint.units.model import Form, Substitutes, Unit

CATEGORY: Final = "results"
_FORMAT: Final = b"1"
_EVICT_BELOW: Final = "05"
"""Keys below this, about one of fifty, trigger an eviction: listing the cache takes longer than checking a file."""
_VERSION: Final = regex(rb"apiVersion[\"']?[ \t]*:[ \t]*[\"']?([\w.-]*/)?\w+\b")
_REMOTE: Final = regex(
    rb"^[ \t]*(?:-|resources:|components:|bases:)[^#\n]*(?:://|github\.com[/:]|@[\w.-]+:)", re.MULTILINE
)
"""A remote base in a kustomization, whose content depends on the store."""
_RELEASE: Final = b"HelmRelease"
_RELEASE_INPUTS: Final = ("source.toolkit.fluxcd.io", "ConfigMap", "Secret")
"""The groups and kinds of what a HelmRelease is rendered from, which other units may apply."""
_COMPARE_OPTIONS: Final = frozenset({"against", "context"})
"""The options of a unit with which it is compared with a state of its own."""

UnitGroup: TypeAlias = Sequence[tuple[Unit, bool]]
"""Units whose objects are compared with each other; each with whether the run examines it."""


def _no_groups(unit: Unit) -> Iterator[UnitGroup]:
    return iter(())


class LazyTexts(Mapping[str, str]):
    """Texts by the labels of their files, each decoded when it is read."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents

    def __getitem__(self, file: str) -> str:
        return decode(self._contents[file])[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def of(self, files: Iterable[str]) -> "LazyTexts":
        """Return the texts of these files."""
        return LazyTexts({file: self._contents[file] for file in files if file in self._contents})


@dataclass(frozen=True, slots=True)
class CachedResults:
    """The cached results of units, the texts and credentials that a report needs, and the cache keys of all units."""

    found: frozenset[Unit] = frozenset()
    results: tuple[CachedResult, ...] = ()
    texts: LazyTexts = field(default_factory=lambda: LazyTexts({}), repr=False)
    """The texts that findings point to, by the labels of their files."""
    documents: Sequence[Document] = field(default=(), repr=False)
    """The objects of the units with Secrets and credentials, read on first use."""
    keys: Mapping[Unit, str] = field(default_factory=dict)

    @property
    def content_key(self) -> str:
        """A digest of the units and of all that their results depend on; empty without units."""
        return cache_folder.key_of(sorted(key.encode() for key in self.keys.values())) if self.keys else ""

    def key(self, unit: Unit) -> str:
        """Return the cache key of a unit, empty if its result is not cached; parts of a folder share its key."""
        if unit in self.keys or unit.form not in (Form.FILE, Form.FOLDER):
            return self.keys.get(unit, "")
        whole = [key for one, key in self.keys.items() if one.form is Form.FOLDER and unit.files <= one.files]
        return whole[0] if len(whole) == 1 else ""


NOTHING_CACHED: Final = CachedResults()


def read_results(
    side: Side,
    units: Iterable[Unit],
    named: Sequence[str],
    depends_on: Sequence[object],
    groups_of: Callable[[Unit], Iterable[UnitGroup]] = _no_groups,
) -> CachedResults:
    """Return the cached results of units of a side; they also depend on the ``named`` files and these values.

    ``groups_of`` returns the groups that a unit is in; a result depends on all units of them.
    """
    if not cache_folder.is_kept():
        return NOTHING_CACHED
    # Labels of the same path depend on the folder that was named.
    directories = [os.fsencode(os.getcwd()), os.fsencode(side.label("file"))]
    common = cache_folder.key_of([_FORMAT, program_identity(), *directories, *map(canonical, depends_on)])
    own_key = cache(partial(_cache_key, _Digests(side), named=named, common=common))
    group_key = partial(_group_key, own_key, {})
    keys = {unit: _with_groups(own_key(unit), groups_of(unit), group_key) for unit in units}
    read = {unit: _unpickle_results(cache_folder.read(CATEGORY, key)) for unit, key in keys.items() if key}
    found = {unit: results for unit, results in read.items() if results}
    cached = tuple(one for results in found.values() for one in results)
    shown = with_sources(side, cached)
    return replace(shown, found=frozenset(found), keys={unit: key for unit, key in keys.items() if key})


def with_sources(side: Side, results: Sequence[CachedResult]) -> CachedResults:
    """Return results with the texts and credentials of their units, all of one side."""
    shown = (one for one in results if one.report.findings or one.masking)
    labels = {side.label(path): path for one in shown for path in one.unit.files}
    files = {finding.location.file for one in results for finding in one.report.findings}
    texts = side.contents([labels[file] for file in files if file in labels])
    masking = {file for one in results for file in one.masking}
    documents = Deferred(lambda: side.read(sorted(labels[file] for file in masking)).documents if masking else ())
    return CachedResults(
        results=tuple(results),
        texts=LazyTexts({side.label(path): text for path, text in texts.items()}),
        documents=documents,
    )


def write_results(evaluated: Iterable[tuple[LoadedUnit, Report]]) -> None:
    """Cache the reports of the units that have a key and whose report contains no masked value.

    The parts of a folder have one key; they are cached together or not at all.
    """
    each: dict[str, list[CachedResult | None]] = {}
    for run, report in evaluated:
        if run.key:
            each.setdefault(run.key, []).append(run.cached or cacheable_result(run, report))
    for key, results in each.items():
        if all(results):
            cache_folder.write(CATEGORY, key, pickle.dumps(tuple(results)))
    if any(key < _EVICT_BELOW and all(results) for key, results in each.items()):
        cache_folder.make_room(CATEGORY)


def cacheable_result(run: LoadedUnit, report: Report) -> CachedResult | None:
    """Return the cacheable result of a unit; ``None`` if its report contains masked values, or cannot be repeated."""
    found = run.input
    objects = list(found.objects)
    known = names_and_credentials(objects)
    if run.unit is None or found.is_unreachable or has_masked_text(report, objects if known.credentials else ()):
        return None
    with_credentials = [one for one in found.documents if id(one.object) in known.credentials]
    if is_rendered(run.unit) and not all(map(_is_in_source, with_credentials)):
        return None
    if any(map(is_declared_with_credentials, (run.unit, *run.declares))):
        return None
    masking = frozenset(one.file for one in with_credentials)
    # A wanted edit may contain the value of a Secret. The proven edit is masked as all texts are.
    findings = tuple(replace(finding, wanted=()) for finding in report.findings)
    kept = replace(report, findings=findings)
    # Variables may have credentials, and the cache key depends on them.
    unit = replace(run.unit, applied=replace(run.unit.applied, variables=Substitutes()))
    return CachedResult(unit, kept, found.notes, found.gaps, found.problems, known.names, run.declares, masking)


def _is_in_source(rendered: Document) -> bool:
    """Return whether the file that an object was rendered from contains all of its credentials."""
    return rendered.source is not None and spellings_of([rendered.object]) <= spellings_of([rendered.source])


def _cache_key(digests: "_Digests", unit: Unit, named: Sequence[str], common: str) -> str:
    """Return the cache key of a unit, empty if its result depends on something unknown."""
    if unit.applied.is_known_target or not _COMPARE_OPTIONS.isdisjoint(dict(unit.applied.options)):
        return ""
    # A file in Jsonnet may import any other file.
    applied = unit.applied
    is_elsewhere = applied.fetched_source or applied.includes or applied.other_revisions
    if is_elsewhere or any(path.endswith(JSONNET) for path in unit.files):
        return ""
    texts = digests.side.contents(unit.files)
    kustomizations = [text for path, text in texts.items() if is_kustomization(path)]
    if (
        len(texts) < len(unit.files)
        or takes_from_environment(kustomizations)
        or any(map(_REMOTE.search, kustomizations))
    ):
        return ""
    parts = [common.encode(), canonical(unit), canonical(sorted(unit.files.intersection(named)))]
    parts += [digests.definitions.encode()] if any(map(_may_be_custom, texts.values())) else []
    parts += [digests.release_inputs.encode()] if any(_RELEASE in text for text in texts.values()) else []
    has_charts = unit.form in (Form.CHART, Form.RELEASE) or any(map(names_charts, texts.values()))
    # A chart may ask which APIs the cluster serves, which are also those of the definitions.
    parts += [digests.store, digests.definitions.encode()] if has_charts else []
    parts += tool_identities() if is_rendered(unit) else ()
    return cache_folder.key_of([*parts, *digests.paths_and_digests(texts)])


def _with_groups(own: str, groups: Iterable[UnitGroup], group_key: Callable[[UnitGroup], str]) -> str:
    """Return the cache key of a unit that also depends on groups; empty if one of them is not cached."""
    keys = [group_key(one) for one in groups] if own else []
    if not keys:
        return own
    return cache_folder.key_of([own.encode(), *(key.encode() for key in keys)]) if all(keys) else ""


def _group_key(own_key: Callable[[Unit], str], known: dict[int, str], group: UnitGroup) -> str:
    """Return the key of a group, empty if a unit of it has none; ``known`` are those of groups in use."""
    if id(group) not in known:
        keys = [(own_key(unit), is_examined) for unit, is_examined in group]
        parts = sorted(f"{key} {is_examined}".encode() for key, is_examined in keys)
        known[id(group)] = cache_folder.key_of(parts) if all(key for key, _ in keys) else ""
    return known[id(group)]


class _Digests:
    """Digests of the files of a side, each computed once: files of definitions are in many keys."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self._known: dict[str, bytes] = {}

    def paths_and_digests(self, texts: Mapping[str, bytes]) -> Iterator[bytes]:
        """Yield the path and the digest of each file."""
        for path in sorted(texts):
            if path not in self._known:
                self._known[path] = cache_folder.key_of([texts[path]]).encode()
            yield from (os.fsencode(path), self._known[path])

    @cached_property
    def store(self) -> bytes:
        """The digest of the store, which has charts, and dependencies of charts of the repository."""
        return content_digest()

    @cached_property
    def release_inputs(self) -> str:
        """The digest of all files that may contain sources and values of HelmReleases."""
        paths = [path for path in self.side.mentioning(_RELEASE_INPUTS) if path.endswith(EXTENSIONS)]
        return cache_folder.key_of(self.paths_and_digests(self.side.contents(paths)))

    @cached_property
    def definitions(self) -> str:
        """The digest of all files that may contain CustomResourceDefinitions or mutating webhooks."""
        found = self.side.mentioning([CRD_KIND]) | self.side.mentioning([WEBHOOK_KIND])
        paths = [path for path in found if path.endswith(EXTENSIONS)]
        return cache_folder.key_of(self.paths_and_digests(self.side.contents(paths)))


def _may_be_custom(text: bytes) -> bool:
    """Return whether a text may contain custom resources, without parsing it."""
    groups = _VERSION.findall(text)
    return len(groups) < text.count(b"apiVersion") or any(
        b"." in one and not one.endswith(b".k8s.io/") for one in groups
    )


def _unpickle_results(text: bytes | None) -> tuple[CachedResult, ...]:
    found = unpickle(text or b"")
    return found if isinstance(found, tuple) and all(isinstance(one, CachedResult) for one in found) else ()
