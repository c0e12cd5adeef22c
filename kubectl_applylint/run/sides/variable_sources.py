"""The ConfigMaps and Secrets in the files of a side from which Kustomizations of Flux take variables."""

import json
from collections.abc import Collection, Iterator
from functools import partial
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.state import Unknown, namespaced_name, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.run.sides.installed_flux import InstalledFlux
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.system.cache_folder import key_of
from kubectl_applylint.tools.flux.substitution import (
    Source,
    SubstituteReference,
    substitute_references,
    variables_of,
)
from kubectl_applylint.units.model import Substitutes

SECRET: Final = "Secret"
_OF_SECRET: Final = Unknown("it is the value of a Secret")
_WITH_VARIABLES: Final = Unknown("it contains variables")


class VariableSources:
    """Finds the objects that variables come from, each once."""

    def __init__(self, side: Side) -> None:
        self._objects = NamedObjects(side)
        self._installed = InstalledFlux(side)
        self._secrets: dict[tuple[str, str, int], tuple[tuple[str, Hole], ...]] = {}

    def substitutes(self, kustomization: JsonObject, file: str, files: Collection[str]) -> Substitutes:
        """Return the variables of a Kustomization in a file; ``files`` are those that its cluster applies."""
        namespace = ref_of(kustomization).namespace
        references = substitute_references(kustomization)
        nearest = partial(self._objects.nearest, file=file, files=files)
        found = {one: nearest(("", one.kind), namespace, one.name) for one in references}
        made = variables_of(kustomization, lambda one: _variables(one, found[one]))
        every = (self._variables_of_secret(namespace, one.name, found[one]) for one in references if one.kind == SECRET)
        secrets = tuple(chain.from_iterable(every))
        is_strict = self._installed.is_strict(file, files)
        return Substitutes(tuple(sorted(made.values.items())), made.others, made.fault, secrets, is_strict)

    def _variables_of_secret(self, namespace: str, name: str, found: Document | None) -> tuple[tuple[str, Hole], ...]:
        """Return the variables of a Secret with their holes, computed once: most Kustomizations read the same one."""
        secret = namespaced_name(namespace, name)
        key = (secret, found.file, found.index) if found else (secret, "", 0)
        if key not in self._secrets:
            self._secrets[key] = tuple(_secret_variables(secret, found))
        return self._secrets[key]


def _secret_variables(secret: str, found: Document | None) -> Iterator[tuple[str, Hole]]:
    """Yield the variables of a Secret and their holes, without a place; one hole if it is not in the files."""
    if found is None:
        yield "", value_hole("variables", secret, "", "")
        return
    data, texts = (mapping(found.object.get(field)) for field in ("data", "stringData"))
    for name, value in {**data, **texts}.items():
        yield name, value_hole(f"variable {name}", secret, "", value)


def _variables(reference: SubstituteReference, found: Document | None) -> Source:
    data = data_of(reference.kind, reference.name, found, is_optional=reference.is_optional)
    if not isinstance(data, dict):
        return data
    return {name: _WITH_VARIABLES if isinstance(text, str) and "${" in text else text for name, text in data.items()}


def data_of(kind: str, name: str, found: Document | None, *, is_optional: bool) -> Source:
    """Return the data of a ConfigMap or Secret, whose values are never known.

    An optional ConfigMap that is not in the files is taken to be absent.
    """
    if found is None:
        return None if is_optional and kind != SECRET else Unknown(f"{kind} {name} is not in the files")
    data, texts = (mapping(found.object.get(field)) for field in ("data", "stringData"))
    if kind == SECRET:
        return dict.fromkeys((*data, *texts), _OF_SECRET)
    return {name: text for name, text in data.items() if isinstance(text, str)}


def value_hole(part: str, secret: str, file: str, content: Json) -> Hole:
    """Return the hole of a part of a Secret, with a digest of its content."""
    what, text = f"{part} of Secret {secret}", json.dumps(content, sort_keys=True, default=str)
    return Hole(file, what, key_of([what.encode()]), key_of([text.encode()]), values_of=f"Secret {secret}")
