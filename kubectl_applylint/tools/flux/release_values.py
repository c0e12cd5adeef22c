"""The values of a HelmRelease, as the controller merges them, and holes where a value is not known here.

Mirrors ``ChartValuesFromReferences`` of ``github.com/fluxcd/pkg/chartutil`` 1.30, and ``mergeChartValues`` of the
source-controller 1.10 for ``valuesFiles``. A reference is a hole if its value is not known, such as a Secret that is
encrypted or made in the cluster. With a ``targetPath``, a token stands for the value, the same one in each revision;
else the values are merged without the reference, and any value may be different.
"""

import copy
import hashlib
import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, objects_at, text_at
from kubectl_applylint.sources.text.manifests import decode
from kubectl_applylint.sources.text.stream import pieces
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.tools.flux.set_syntax import SetError, WholeNumber, set_values
from kubectl_applylint.tools.flux.substitution import Source
from kubectl_applylint.units.model import ValuesFiles
from kubectl_applylint.units.reading import is_too_deep

VALUES: Final = "values.yaml"
"""The default key of a reference, and the values file of a chart."""
_KINDS: Final = ("ConfigMap", "Secret")
_VALUES_FILES: Final = fields("spec", "chart", "spec", "valuesFiles")
_QUOTES: Final = "'\""
_LITERAL: Final = str.maketrans({character: f"\\{character}" for character in "\\,[]{}"})
SourceLookup: TypeAlias = Callable[[str, str, str], Source]
"""Returns the data of an object by its kind, namespace and name."""


class ValuesError(Exception):
    """Why the controller does not merge the values; ``path`` is the field of the HelmRelease."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class ValuesReference:
    """An entry of ``valuesFrom``: a key of an object in the namespace of the HelmRelease."""

    path: Path
    kind: str
    name: str
    key: str
    target_path: str = ""
    is_literal: bool = False
    is_optional: bool = False

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class ReferenceHole:
    """A reference whose value is not known; ``token`` stands for the value, empty if the values are without it."""

    reference: ValuesReference
    unknown: Unknown
    token: str = ""


@dataclass(frozen=True, slots=True)
class ReleaseValues:
    """The merged values; ``secrets`` has the texts that Secrets hold, which no message may quote."""

    values: JsonObject = field(default_factory=dict, repr=False)
    holes: tuple[ReferenceHole, ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)


def values_references(release: JsonObject) -> tuple[ValuesReference, ...]:
    """Return the objects that a HelmRelease reads values from, in their order."""
    return tuple(
        ValuesReference(
            (*fields("spec", "valuesFrom"), Index(number)),
            text_at(one, "kind"),
            text_at(one, "name"),
            text_at(one, "valuesKey") or VALUES,
            text_at(one, "targetPath"),
            one.get("literal") is True,
            one.get("optional") is True,
        )
        for number, one in enumerate(objects_at(release, "spec", "valuesFrom"))
    )


def merge_maps(below: JsonObject, above: JsonObject) -> dict[str, Json]:
    """Return values merged over others: maps are merged, other values replaced, also by null."""
    found = dict(below)
    for key, value in above.items():
        before = found.get(key)
        found[key] = merge_maps(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return found


def release_values(release: JsonObject, source_of: SourceLookup) -> ReleaseValues:
    """Return the values of a HelmRelease: later references win, ``spec.values`` over all of them.

    A reference with ``targetPath`` wins over ``spec.values`` inside of a map that only these set. Raises
    ``ValuesError``.
    """
    own = _copy(mapping(dig(release, "spec", "values")), fields("spec", "values"))
    namespace = text_at(release, "metadata", "namespace")
    found = ReleaseValues()
    for reference in values_references(release):
        if reference.kind not in _KINDS:
            raise ValuesError(reference.path, f"spec.valuesFrom cannot refer to the kind {reference.kind!r}")
        text = _text(reference, source_of(reference.kind, namespace, reference.name))
        if text is not None:
            found = _merge_reference(found, reference, text, own)
    return replace(found, values=merge_maps(found.values, own))


def _copy(values: JsonObject, path: Path) -> dict[str, Json]:
    return copy.deepcopy(dict(_require_shallow(values, path)))


def _require_shallow(values: JsonObject, path: Path) -> JsonObject:
    """Return values that recursion can walk through."""
    if is_too_deep(values):
        raise ValuesError(path, "the values have too many levels")
    return values


def _text(reference: ValuesReference, source: Source) -> str | Unknown | None:
    """Return the text of a reference, ``None`` if it is absent and optional."""
    if isinstance(source, Unknown):
        return source
    if source is not None and reference.key in source:
        return source[reference.key]
    if reference.is_optional:
        return None
    lack = f"has no key {reference.key!r}" if source is not None else "does not exist"
    raise ValuesError(reference.path, f"{reference} in spec.valuesFrom {lack}")


def _merge_reference(
    before: ReleaseValues, reference: ValuesReference, text: str | Unknown, own: dict[str, Json]
) -> ReleaseValues:
    """Return the values with those of a reference; a ``targetPath`` may be set in ``own`` as well."""
    found = before
    if isinstance(text, Unknown):
        token = _token(reference) if reference.target_path else ""
        found = replace(found, holes=(*found.holes, ReferenceHole(reference, text, token)))
        if not token:
            return found
    else:
        token = text
        found = replace(found, secrets=(*found.secrets, text)) if reference.kind == "Secret" else found
    if not reference.target_path:
        return replace(found, values=merge_maps(found.values, _parse(reference, token)))
    values = merge_maps(found.values, own)
    try:
        _set(values, reference, token)
    except (SetError, RecursionError) as error:
        raise ValuesError(reference.path, f"{reference} in spec.valuesFrom cannot be set: {error}") from None
    return replace(found, values=_require_shallow(values, reference.path))


def _token(reference: ValuesReference) -> str:
    """Return a text for an unknown value that is valid as a name, a host and a label."""
    identity = "/".join((reference.kind, reference.name, reference.key))
    return f"unknown-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


def _parse(reference: ValuesReference, text: str) -> JsonObject:
    found = values_of_text(text)
    if found is None:
        raise ValuesError(reference.path, f"{reference} in spec.valuesFrom: {reference.key!r} is not a map in YAML")
    return found


def values_of_text(text: str) -> JsonObject | None:
    """Return the values in a text, none for an empty one, ``None`` if it is not a map."""
    try:
        found: Json = next((piece.value for piece in pieces(text)), {})
    except YamlError:
        return None
    return found if isinstance(found, dict) and not is_too_deep(found) else None


def _set(values: dict[str, Json], reference: ValuesReference, text: str) -> None:
    """Set the value at a target path; a quoted text stays a string, a literal one stays as it is."""
    path = reference.target_path
    if reference.is_literal:
        set_values(values, f"{path}={text.translate(_LITERAL)}", is_string=True)
    elif any(text.startswith(quote) and text.endswith(quote) for quote in _QUOTES):
        set_values(values, f"{path}={text.strip(_QUOTES)}", is_string=True)
    else:
        # Arguments, which whole numbers become, are seen by other users of the machine.
        set_values(values, f"{path}={text}", number=int if reference.kind == "Secret" else WholeNumber)


def chart_with_values_files(
    named: ValuesFiles, chart: Mapping[str, bytes], files: Mapping[str, bytes] | None = None
) -> Mapping[str, bytes]:
    """Return the files of a chart with its values replaced by those of values files, merged in order.

    ``files`` are those of the source, if it is no Helm repository: paths are then relative to its root. Raises
    ``ValuesError``, whose path is that of ``chart.spec.valuesFiles``.
    """
    if not named.names:
        return chart
    merged: JsonObject = {}
    for values in _files_values(named, chart if files is None else files):
        merged = merge_maps(merged, values)
    if VALUES not in chart:
        raise ValuesError(_VALUES_FILES, f"the chart has no {VALUES}")
    return {**chart, VALUES: format_yaml(merged).encode() if merged else b""}


def _files_values(named: ValuesFiles, files: Mapping[str, bytes]) -> Iterator[JsonObject]:
    for number, name in enumerate(named.names):
        content = files.get(posixpath.normpath(name.lstrip("/")))
        if content is None and named.ignores_missing:
            continue
        found = values_of_text(decode(content)[0]) if content is not None else None
        if found is None:
            lack = "does not exist" if content is None else "is not a map in YAML"
            raise ValuesError((*_VALUES_FILES, Index(number)), f"the values file {name} {lack}")
        yield found


def places_of_tokens(value: Json, holes: Mapping[str, Unknown], path: Path = ()) -> Iterator[tuple[Path, Unknown]]:
    """Yield the paths of the texts of an object that contain a token, with the hole of the first one."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places_of_tokens(item, holes, (*path, Field(key)))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from places_of_tokens(item, holes, (*path, Index(number)))
    elif isinstance(value, str):
        found = next((hole for token, hole in holes.items() if token in value), None)
        if found is not None:
            yield path, replace(found, written=value)
