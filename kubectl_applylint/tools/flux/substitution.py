"""``spec.postBuild`` of a Flux Kustomization: its variables, and holes where a value is not known.

Mirrors ``kustomize_varsub.go`` of ``github.com/fluxcd/pkg/kustomize`` 1.35 to 1.44. Flux substitutes in the YAML text
of each object that kustomize has built, and reads the result again: a value may become a number, or several fields.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown, annotations_of, labels_of
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, objects_at, text_at
from kubectl_applylint.tools.flux.envsubst import SubstitutionError, ValueHole, WorkMeter, substitute
from kubectl_applylint.tools.flux.kustomization import GROUP

_NAME: Final = regex(r"[_A-Za-z][_A-Za-z0-9]*")
_DISABLED: Final = (f"{GROUP}/substitute", "disabled")
_KINDS: Final = ("ConfigMap", "Secret")
_QUOTATION_MARK: Final = regex(r"\$\{\s*\w+\s*:?[-=]\s*(?P<mark>['\"])\}")
_TOKEN: Final = regex("\ue000([0-9]+)\ue001")
"""Stands for a hole until the text is parsed: characters for private use, which YAML has no meaning for."""


@dataclass(frozen=True, slots=True)
class SubstituteReference:
    """An entry of ``substituteFrom``: an object in the namespace of the Kustomization."""

    kind: str
    name: str
    is_optional: bool = False


Source: TypeAlias = Mapping[str, str | Unknown] | Unknown | None
"""The decoded data of a ConfigMap or Secret: ``Unknown`` if not even its keys are known, ``None`` if it is absent."""


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of a Kustomization."""

    values: Mapping[str, str | Unknown] = field(default_factory=dict, repr=False)
    others: Unknown | None = None
    """Why other variables than those in ``values`` may be set; ``None`` if none is."""
    fault: str = ""
    """Why Flux cannot substitute at all; it fails at the first object that would be changed."""

    def lookup(self, name: str) -> str | Unknown | None:
        """Return the value of a variable, ``None`` if it is not set."""
        return self.values.get(name, self.others)


def substitute_references(kustomization: JsonObject) -> tuple[SubstituteReference, ...]:
    """Return the objects that a Kustomization reads variables from, in their order."""
    entries = objects_at(kustomization, "spec", "postBuild", "substituteFrom")
    found = (
        SubstituteReference(text_at(one, "kind"), text_at(one, "name"), one.get("optional") is True) for one in entries
    )
    return tuple(reference for reference in found if reference.kind in _KINDS)


def variables_of(kustomization: JsonObject, source_of: Callable[[SubstituteReference], Source]) -> Variables:
    """Return the variables of a Kustomization: later objects win, ``substitute`` over all of them."""
    found = Variables()
    for reference in substitute_references(kustomization):
        found = _with_source(found, reference, source_of(reference))
    inline = mapping(dig(kustomization, "spec", "postBuild", "substitute"))
    texts = {name: _without_breaks(value) for name, value in inline.items() if isinstance(value, str)}
    values = {**found.values, **texts}
    invalid = next((name for name in values if not _NAME.fullmatch(name)), None)
    wrong = next((name for name in inline if name not in texts), None)
    faults = (
        found.fault,
        f"spec.postBuild.substitute.{wrong} is not a string; quote it" if wrong is not None else "",
        f"the variable name {invalid!r} is not valid: use letters, digits and _" if invalid is not None else "",
    )
    return Variables(values, found.others, next(filter(None, faults), ""))


def _with_source(before: Variables, reference: SubstituteReference, source: Source) -> Variables:
    """Return variables with those of an object added."""
    if source is None:
        fault = f"{reference.kind} {reference.name} in spec.postBuild.substituteFrom does not exist"
        return before if reference.is_optional or before.fault else replace(before, fault=fault)
    if isinstance(source, Unknown):
        # It may set any of the variables before it, too.
        return replace(before, values=dict.fromkeys(before.values, source), others=source)
    added = {name: _without_breaks(value) for name, value in source.items()}
    return replace(before, values={**before.values, **added})


def _without_breaks(value: str | Unknown) -> str | Unknown:
    """Return a value as Flux reads it, without line breaks."""
    return value.replace("\n", "") if isinstance(value, str) else value


def is_substituted(kustomization: JsonObject, variables: Variables) -> bool:
    """Return whether Flux substitutes at all: if there are variables, or the strategy is ``Always``."""
    post_build = dig(kustomization, "spec", "postBuild")
    if not isinstance(post_build, dict):
        return False
    has_variables = bool(variables.values or variables.fault) or variables.others is not None
    return has_variables or text_at(post_build, "substituteStrategy") == "Always"


def is_excluded(manifest: JsonObject) -> bool:
    """Return whether a label or annotation of an object switches substitution off."""
    key, value = _DISABLED
    return value in (labels_of(manifest).get(key), annotations_of(manifest).get(key))


def has_expressions(value: Json) -> bool:
    """Return whether substitution may change a value: whether there is a ``$`` in it."""
    if isinstance(value, dict):
        return any("$" in key or has_expressions(item) for key, item in value.items())
    if isinstance(value, list):
        return any(map(has_expressions, value))
    return isinstance(value, str) and "$" in value


def substitute_text(
    text: str, variables: Variables, *, is_strict: bool = True, meter: WorkMeter | None = None
) -> tuple[str, tuple[ValueHole, ...]]:
    """Return YAML text after substitution, with a token for each hole, and the holes.

    ``with_holes`` replaces the tokens after the text is parsed. Raises ``SubstitutionError``.
    """
    holes: dict[ValueHole, str] = {}
    parts = substitute(text, variables.lookup, is_strict=is_strict, meter=meter)
    made = "".join(part if isinstance(part, str) else holes.setdefault(part, _token(len(holes))) for part in parts)
    if not made.isascii() and _is_cut(made):
        raise SubstitutionError("the result is not valid UTF-8: an expression cuts a character")
    return made, tuple(holes)


def with_quotation_marks(text: str, holes: Sequence[ValueHole]) -> str:
    """Return a text of ``substitute_text`` with the defaults of holes that are quotation marks."""
    for number, hole in enumerate(holes):
        default = _QUOTATION_MARK.fullmatch(hole.expression)
        text = text.replace(_token(number), default["mark"]) if default else text
    return text


def _token(number: int) -> str:
    return f"\ue000{number}\ue001"


def _is_cut(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


ValueHoles: TypeAlias = Mapping[Path, tuple[ValueHole, ...]]
"""The holes of an object: the paths of the values, or of the keys, that contain them."""


def with_holes(value: Json, holes: Sequence[ValueHole]) -> tuple[Json, ValueHoles]:
    """Return a parsed value with the expressions of the holes in place of their tokens, and where they are."""
    if not holes:
        return value, {}
    found: dict[Path, tuple[ValueHole, ...]] = {}
    return _with_holes(value, (), partial(_fill, holes), found), found


def _fill(holes: Sequence[ValueHole], text: str) -> tuple[str, tuple[ValueHole, ...]]:
    """Return a text with expressions in place of tokens, and their holes."""
    pieces = _TOKEN.split(text)
    numbers = [int(piece) for piece in pieces[1::2]]
    if not numbers or max(numbers) >= len(holes):
        return text, ()
    pieces[1::2] = [holes[number].expression for number in numbers]
    return "".join(pieces), tuple(holes[number] for number in dict.fromkeys(numbers))


def _with_holes(
    value: Json,
    path: Path,
    fill: Callable[[str], tuple[str, tuple[ValueHole, ...]]],
    found: dict[Path, tuple[ValueHole, ...]],
) -> Json:
    if isinstance(value, dict):
        return dict(_entries(value, path, fill, found))
    if isinstance(value, list):
        return [_with_holes(item, (*path, Index(number)), fill, found) for number, item in enumerate(value)]
    if not isinstance(value, str):
        return value
    text, holes = fill(value)
    if holes:
        found[path] = (*found.get(path, ()), *holes)
    return text


def _entries(
    value: Mapping[str, Json],
    path: Path,
    fill: Callable[[str], tuple[str, tuple[ValueHole, ...]]],
    found: dict[Path, tuple[ValueHole, ...]],
) -> Iterator[tuple[str, Json]]:
    for key, item in value.items():
        name, holes = fill(key)
        inner = (*path, Field(name))
        if holes:
            found[inner] = holes
        yield name, _with_holes(item, inner, fill, found)


def with_unknown_values(value: Json, holes: ValueHoles, path: Path = ()) -> Json | Unknown:
    """Return a value with ``Unknown`` at the paths that contain holes."""
    if path in holes:
        return Unknown(holes[path][0].reason, written=str(value))
    if isinstance(value, dict):
        return {key: with_unknown_values(item, holes, (*path, Field(key))) for key, item in value.items()}
    if isinstance(value, list):
        return [with_unknown_values(item, holes, (*path, Index(number))) for number, item in enumerate(value)]
    return value
