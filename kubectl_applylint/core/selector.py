"""Label selectors: those of kubectl's ``-l`` (``app=web,tier in (front,back),!canary``) and those in objects."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, Missing, dig, items, mapping, objects_at, text_at

# Compiled on first use: most runs have no selector in text form.
_REQUIREMENT: Final = r"""(?x)\s*(?:
      !\s*(?P<lacking>[^\s=!(),<>]+)
    | (?P<key>[^\s=!(),<>]+)\s*
      (?:(?P<operator>==?|!=|>|<)\s*(?P<value>[^\s=!(),<>]*)|\s(?P<set>in|notin)\s*\((?P<values>[^=!()<>]*)\))?
    )\s*\Z"""
_COMMA: Final = r",(?![^(]*\))"
_NAME: Final = r"[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?"
_KEY: Final = rf"(?:[a-z0-9](?:[a-z0-9.-]{{0,251}}[a-z0-9])?/)?{_NAME}\Z"
_VALUE: Final = rf"(?:{_NAME})?\Z"
_INTEGER: Final = r"[+-]?\d{1,18}\Z"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One term: a condition on the label ``key``.

    ``operator`` is in, notin, exists, !, > or <; empty for an operator that Kubernetes does not have.
    """

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def holds(self, labels: JsonObject) -> bool | Unknown:
        """Return whether labels satisfy the term; mirrors ``Requirement.Matches`` of apimachinery.

        ``Unknown`` if that depends on a value that only the server knows, or if the operator is not valid.
        """
        label = labels.get(self.key)
        if self.operator not in _TESTS:
            return _NO_OPERATOR
        unknown = next((value for value in (label, *self.values) if isinstance(value, Unknown)), None)
        if unknown is None or label is None or label in self.values or self.operator in ("exists", "!"):
            return _TESTS[self.operator](label, self.values)
        return unknown


Selector = tuple[Requirement, ...]
"""The terms of a selector. All must hold; an empty one selects everything."""

_TESTS: Final[Mapping[str, Callable[[object, tuple[str, ...]], bool]]] = {
    "in": lambda label, values: label in values,
    "notin": lambda label, values: label not in values,
    "exists": lambda label, values: label is not None,
    "!": lambda label, values: label is None,
    ">": lambda label, values: _is_integer(label) and int(str(label)) > int(values[0]),
    "<": lambda label, values: _is_integer(label) and int(str(label)) < int(values[0]),
}
_NO_OPERATOR: Final = Unknown("the label selector has an operator that Kubernetes does not have")
_OPERATORS: Final = {"=": "in", "==": "in", "!=": "notin"}


def _is_integer(label: object) -> bool:
    return isinstance(label, str) and re.match(_INTEGER, label) is not None


_WORDS: Final = {"In": "in", "NotIn": "notin", "Exists": "exists", "DoesNotExist": "!"}


def selects(selector: Selector, manifest: JsonObject) -> bool:
    """Return whether the labels of an object satisfy every term."""
    return fits(selector, dig(manifest, "metadata", "labels"))


def fits(selector: Selector, labels: Json | Missing) -> bool:
    """Return whether labels, which may be absent, are known to satisfy every term."""
    return evaluate(selector, labels) is True


def evaluate(selector: Selector, labels: Json | Missing) -> bool | Unknown:
    """Return whether labels, which may be absent, satisfy every term; ``Unknown`` if that is unknown of some term."""
    given = mapping(labels)
    answers = [requirement.holds(given) for requirement in selector]
    return False if False in answers else next((answer for answer in answers if answer is not True), True)


def read(selector: JsonObject) -> Selector:
    """Return the terms of a ``LabelSelector`` object."""
    exact = (Requirement(key, "in", (value,)) for key, value in mapping(selector.get("matchLabels")).items())
    asked = (
        Requirement(text_at(term, "key"), _WORDS.get(text_at(term, "operator"), ""), tuple(items(term.get("values"))))
        for term in objects_at(selector, "matchExpressions")
    )
    return (*exact, *asked)


def parse(text: str) -> Selector:
    """Return the terms of a selector; raise ``ValueError`` for a text that ``labels.Parse`` of apimachinery rejects."""
    if not text.strip():
        return ()
    return tuple(_requirement(part, text) for part in re.split(_COMMA, text))


def _requirement(part: str, text: str) -> Requirement:
    """Return the requirement of one part of a selector's text."""
    match = re.match(_REQUIREMENT, part)
    requirement = _read(match) if match else None
    fault = next(_faults(requirement), "") if requirement else f"cannot parse: {part.strip()!r}"
    if requirement is None or fault:
        raise ValueError(f"{text!r} is not a label selector: {fault}; write it like app=web,tier in (front,back)")
    return requirement


def _read(match: re.Match[str]) -> Requirement:
    if match["lacking"]:
        return Requirement(match["lacking"], "!")
    if match["set"]:
        values = tuple(value.strip() for value in match["values"].split(","))
        return Requirement(match["key"], match["set"], values)
    if match["operator"]:
        return Requirement(match["key"], _OPERATORS.get(match["operator"], match["operator"]), (match["value"],))
    return Requirement(match["key"], "exists")


def _faults(requirement: Requirement) -> Iterator[str]:
    if not re.match(_KEY, requirement.key):
        yield f"{requirement.key!r} is not a valid label key"
    if requirement.operator in "<>" and not _is_integer(requirement.values[0]):
        yield f"{requirement.values[0]!r} is not an integer"
    yield from (f"{value!r} is not a valid label value" for value in requirement.values if not re.match(_VALUE, value))
