"""Kustomizations with the stored copies of their remote bases and files, in place of the URLs."""

import hashlib
import json
import posixpath
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.paths import Field, Index
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import JsonObject, items
from kubectl_applylint.sources.render.kustomization import Folders, parts
from kubectl_applylint.sources.render.kustomize_charts import chart_files, missing_chart, own_chart
from kubectl_applylint.sources.render.locality import (
    BrokenReference,
    Inputs,
    UnrenderableReason,
    find_inputs,
    reference_of,
)
from kubectl_applylint.sources.render.missing_parts import only_document
from kubectl_applylint.sources.render.remote_bases import FOLDER, RemoteReference, base_folder, stored_files

_MOST_ROUNDS: Final = 20
"""The maximum depth of bases that name further bases."""
_MOST_USES: Final = 200
"""The maximum number of bases of one kustomization."""
_FILE: Final = "file.yaml"
_LISTED: Final = json.dumps({"resources": [_FILE]}).encode()
_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class BaseUse:
    """A remote base or file that a kustomization names, and the ``file:line`` that names it."""

    reference: RemoteReference
    place: str
    file: str


@dataclass(frozen=True, slots=True)
class StoredBases:
    """The files of a kustomization, with stored bases and with kustomizations that refer to these."""

    where: Folders
    inputs: Inputs
    texts: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The files that are added or changed, by path."""
    originals: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The changed files as they were."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The displayed names of the folders of bases."""
    uses: tuple[BaseUse, ...] = ()
    """The bases that are in the store."""

    def label(self, path: str, label: Callable[[str], str]) -> str:
        """Return the displayed name of a path, by a function for those of the repository."""
        start = base_folder(path)
        rest = path[len(start) :]
        return f"{self.names[start]}{rest if rest != f'/{_FILE}' else ''}" if start in self.names else label(path)

    def named_fault(self, fault: BrokenReference) -> BrokenReference:
        """Return a broken reference with the name of a stored base in place of its folder in the copy."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(fault.kustomization), fault.text))
        is_base = FOLDER in fault.text and base_folder(path) in self.names
        return replace(fault, text=self.label(path, str)) if is_base else fault

    def contents(
        self, paths: frozenset[str], contents_of: Callable[[Collection[str]], Mapping[str, bytes]]
    ) -> Mapping[str, bytes]:
        """Return the contents of files, by a function for the unchanged ones of the repository."""
        own = contents_of(paths - self.texts.keys())
        return {**own, **{path: self.texts[path] for path in paths & self.texts.keys()}}

    @property
    def is_complete(self) -> bool:
        """Whether no base and no chart is missing from the store."""
        return all(fault.reason is not UnrenderableReason.NOT_STORED for fault in self.inputs.faults)

    def missing(self) -> Iterator[BaseUse]:
        """Yield the bases that are not in the store."""
        return filter(None, map(_use, self.inputs.faults))


def with_stored_bases(folder: str, where: Folders, made: Inputs | None = None, *, has_helm: bool = True) -> StoredBases:
    """Return the kustomization in a folder with those of its remote bases and charts that are in the store.

    ``made`` are its inputs, if they are already known. Bases may name further bases. Charts are left out if the program
    that builds the kustomization has no Helm.
    """
    found = StoredBases(where, made or find_inputs(folder, where))
    for _ in range(_MOST_ROUNDS):
        added = _with_bases(found, where)
        if added is None:
            break
        found = replace(added, inputs=find_inputs(folder, added.where))
    found = _with_charts(found, folder) if has_helm else found
    faults = tuple(found.named_fault(_with_cycle(one)) for one in found.inputs.faults)
    return replace(found, inputs=replace(found.inputs, faults=faults))


def _with_charts(found: StoredBases, folder: str) -> StoredBases:
    """Return the files with the charts, stored or own, among the broken references of the kustomization in a folder."""
    if all(fault.reason is not UnrenderableReason.CHART for fault in found.inputs.faults):
        return found
    added: dict[str, bytes] = {}
    faults: list[BrokenReference] = []
    others = parts(folder, found.where) | found.inputs.files
    own: set[str] = set()
    for fault in found.inputs.faults:
        paths = own_chart(fault, found.where)
        if paths:
            own |= paths
            continue
        files = chart_files(fault, found.where, others)
        if files:
            added |= files
        else:
            faults.append(fault if files is None else missing_chart(fault, found.where))
    inputs = replace(found.inputs, faults=tuple(faults), files=found.inputs.files | added.keys() | own)
    return replace(found, inputs=inputs, texts={**found.texts, **added})


def _with_cycle(fault: BrokenReference) -> BrokenReference:
    """Return a broken reference; one that leads back to a base that includes it has that as the reason."""
    use = _use(fault)
    is_cycle = use is not None and not _mount(use.reference, base_folder(fault.kustomization))
    return replace(fault, reason=UnrenderableReason.CYCLE) if is_cycle else fault


def _with_bases(found: StoredBases, where: Folders) -> StoredBases | None:
    """Return the files with the stored bases among the broken references, ``None`` if there are none."""
    texts, originals, names = dict(found.texts), dict(found.originals), dict(found.names)
    uses = list(found.uses)
    for fault in found.inputs.faults:
        use, file = _use(fault), fault.kustomization
        start = _mount(use.reference, base_folder(file)) if use else ""
        files = stored_files(use.reference) if use and start and len(uses) < _MOST_USES else None
        if use is None or files is None:
            continue
        text = texts[file] if file in texts else where.read(file)
        changed = _with_path(text, fault, posixpath.join(start, use.reference.path))
        if changed is None:
            continue
        if start not in names:
            names[start] = str(use.reference)
            texts |= _mounted_files(start, use.reference, files)
        originals.setdefault(file, text)
        texts[file] = changed
        uses.append(use)
    if len(uses) == len(found.uses):
        return None
    return StoredBases(_folders(where, texts, names), found.inputs, texts, originals, names, tuple(uses))


def _use(fault: BrokenReference) -> BaseUse | None:
    if fault.reason is not UnrenderableReason.NOT_STORED or not fault.kustomization:
        return None
    reference = reference_of(fault.text, fault.use)
    return BaseUse(reference, f"{fault.file}:{fault.place[0]}", fault.file) if reference else None


def _name(reference: RemoteReference) -> str:
    key = json.dumps([reference.url, reference.revision, reference.is_file])
    return hashlib.sha256(key.encode()).hexdigest()[:_LENGTH]


def _mounted_files(start: str, reference: RemoteReference, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return the files of a base by their paths in the copy; a file gets a kustomization that lists it.

    Kustomize reads files only in or below the folder of a kustomization, but folders everywhere.
    """
    if reference.is_file:
        return {f"{start}/{_FILE}": b"".join(files.values()), f"{start}/kustomization.yaml": _LISTED}
    return {f"{start}/{path}": content for path, content in files.items()}


def _mount(reference: RemoteReference, base: str) -> str:
    """Return the folder of the copy for a base that is named in another one, empty for a cycle of several bases."""
    name = _name(reference)
    if base.endswith(f"/{name}"):
        return base
    return "" if f"/{name}/" in base else posixpath.join(base, FOLDER, name)


def _with_path(text: bytes, fault: BrokenReference, path: str) -> bytes | None:
    """Return a kustomization with a path in place of a URL, its other lines unchanged where this is possible."""
    document, (name, position) = only_document(text), fault.entry[:2]
    if document is None or not isinstance(name, Field) or not isinstance(position, Index):
        return None
    relative = posixpath.relpath(path, posixpath.dirname(fault.kustomization) or ".")
    listed = [*items(document.get(name.name))]
    listed[position.position] = relative
    expected: JsonObject = {**document, name.name: listed}
    lines = text.split(b"\n")
    number = fault.place[0] - 1
    if 0 <= number < len(lines):
        lines[number] = lines[number].replace(fault.text.encode(), relative.encode(), 1)
        changed = b"\n".join(lines)
        if only_document(changed) == expected:
            return changed
    return json.dumps(expected).encode()


def _folders(where: Folders, texts: Mapping[str, bytes], names: Mapping[str, str]) -> Folders:
    def has(path: str) -> bool:
        return path in texts if base_folder(path) in names else where.has(path)

    def real(path: str) -> str | None:
        return path if base_folder(path) in names else where.real(path)

    return Folders(has, lambda path: texts[path] if path in texts else where.read(path), real, where.below)
