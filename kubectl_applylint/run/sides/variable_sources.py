"""The ConfigMaps and Secrets in the files of a side from which Kustomizations of Flux take variables."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.state import Unknown, ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.system.cache_folder import key_of
from kubectl_applylint.sources.text.encrypted import without_sops
from kubectl_applylint.tools.flux.substitution import (
    Source,
    SubstituteReference,
    substitute_references,
    variables_of,
)
from kubectl_applylint.units.model import Substitutes

_SECRET: Final = "Secret"
_OF_SECRET: Final = Unknown("it is the value of a Secret")
_WITH_VARIABLES: Final = Unknown("it contains variables")


class VariableSources:
    """Finds the objects that variables come from, each once. An object, because it remembers what it has read."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._known: dict[tuple[str, str], list[tuple[str, Document]]] = {}

    def substitutes(self, kustomization: JsonObject, file: str, files: Collection[str]) -> Substitutes:
        """Return the variables of a Kustomization in a file; ``files`` are those that its cluster applies."""
        namespace = ref_of(kustomization).namespace
        references = substitute_references(kustomization)
        found = {one: self._chosen(one, namespace, file, files) for one in references}
        made = variables_of(kustomization, lambda one: _source(one, found[one]))
        holes = tuple(_hole(one, namespace, file, found[one]) for one in references if one.kind == _SECRET)
        return Substitutes(tuple(sorted(made.values.items())), made.others, made.fault, holes)

    def _chosen(
        self, reference: SubstituteReference, namespace: str, file: str, files: Collection[str]
    ) -> Document | None:
        """Return the object that a reference names: one that the cluster applies, else the nearest one."""
        every = [
            (path, one)
            for path, one in self._documents(reference.kind, reference.name)
            if one.ref.namespace in ("", namespace) or not namespace
        ]
        own = [each for each in every if each[0] in files] or every
        return max(own, key=partial(_nearness, file))[1] if own else None

    def _documents(self, kind: str, name: str) -> Sequence[tuple[str, Document]]:
        if (kind, name) not in self._known:
            self._known[kind, name] = [*_read_documents(self._side, kind, name)]
        return self._known[kind, name]


def _read_documents(side: Side, kind: str, name: str) -> Iterator[tuple[str, Document]]:
    texts = side.contents([path for path in side.mentioning([name]) if path.endswith(EXTENSIONS)])
    is_of_kind = re.compile(rb"""kind["']?[ \t]*:[ \t]*["']?%s\b""" % kind.encode())
    paths = {side.label(path): path for path, text in sorted(texts.items()) if is_of_kind.search(text)}
    for document in side.read([*paths.values()]).documents if paths else ():
        if (document.ref.kind, document.ref.group, document.ref.name) == (kind, "", name):
            yield paths[document.file], document


def _nearness(file: str, found: tuple[str, Document]) -> int:
    """Return the number of leading folders that two files have in common."""
    pairs = zip(file.split("/")[:-1], found[0].split("/")[:-1], strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), file.count("/"))


def _source(reference: SubstituteReference, found: Document | None) -> Source:
    """Return the data of an object; an optional ConfigMap that is not in the files is taken to be absent."""
    if found is None:
        is_absent = reference.is_optional and reference.kind != _SECRET
        return None if is_absent else Unknown(f"{reference.kind} {reference.name} is not in the files")
    data, texts = (mapping(found.object.get(field)) for field in ("data", "stringData"))
    if reference.kind == _SECRET:
        return dict.fromkeys((*data, *texts), _OF_SECRET)
    return {name: _WITH_VARIABLES if "${" in text else text for name, text in data.items() if isinstance(text, str)}


def _hole(reference: SubstituteReference, namespace: str, file: str, found: Document | None) -> Hole:
    """Return the hole of the values of a Secret, with a digest of them that ignores the metadata of SOPS."""
    name = f"{reference.kind} {namespace}/{reference.name}"
    content = json.dumps(without_sops(found.object), sort_keys=True, default=str) if found else ""
    digest = key_of([content.encode()])
    return Hole(file, f"variables of {name}", key_of([name.encode()]), digest, is_value=True)
