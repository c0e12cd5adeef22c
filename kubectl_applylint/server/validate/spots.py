"""Walks an object along a table of constraints: each path is visited once, and each constraint there may object.

A table maps paths, written as Kubernetes people write them (``spec.ports[*].port``, ``data.*``), to constraints.
A constraint looks at one ``Spot`` and yields refusals in the server's words.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from kubectl_applylint import gotext
from kubectl_applylint.outcome import Refusal
from kubectl_applylint.values import MISSING, Json, Missing


@dataclass(frozen=True, slots=True)
class Spot:
    """One place in an object under validation; values are as the decode step leaves them: absent is zero or nil."""

    path: tuple[str, ...]
    """The path as the server spells it, cut at the joints: ``("spec", ".ports", "[0]", ".port")``."""
    value: Json | Missing
    old: Json | Missing
    """The same place in the stored object (list elements by position); ``MISSING`` on create."""
    up: "Spot | None" = None
    """The place around this one."""
    creating: bool = True

    def __str__(self) -> str:
        return "".join(self.path).removeprefix(".")

    def child(self, name: str) -> "Spot":
        """Return the field ``name`` of this object, there or not."""
        return Spot((*self.path, f".{name}"), _get(self.value, name), _get(self.old, name), self, self.creating)

    def entry(self, key: str) -> "Spot":
        """Return the entry ``key`` of this map, there or not."""
        return Spot((*self.path, f"[{key}]"), _get(self.value, key), _get(self.old, key), self, self.creating)

    def entries(self) -> Iterator["Spot"]:
        """Yield the entries of this map, sorted by key."""
        if isinstance(self.value, dict):
            yield from map(self.entry, sorted(self.value))

    def items(self) -> Iterator["Spot"]:
        """Yield the elements of this list."""
        olds = self.old if isinstance(self.old, list) else []
        for place, item in enumerate(self.value if isinstance(self.value, list) else ()):
            old = olds[place] if place < len(olds) else MISSING
            yield Spot((*self.path, f"[{place}]"), item, old, self, self.creating)

    def get(self, *names: str) -> Json | Missing:
        """Return what stands in the fields below, ``MISSING`` where nothing does."""
        value = self.value
        for name in names:
            value = _get(value, name)
        return value

    @property
    def empty(self) -> bool:
        """Whether nothing, or nothing but an empty value, stands here: what Go calls the length being zero."""
        return self.value is MISSING or self.value is None or (self.value != 0 and not self.value)

    @property
    def unchanged(self) -> bool:
        """Whether this is an update that leaves the place as it is stored."""
        return not self.creating and self.value == self.old and type(self.value) is type(self.old)

    @property
    def root(self) -> "Spot":
        """The whole object."""
        return self if self.up is None else self.up.root

    def _refuse(self, reason: str, message: str) -> Refusal:
        return Refusal(str(self), reason, message)

    def required(self, detail: str = "") -> Refusal:
        """Object that a value is missing."""
        return self._refuse("FieldValueRequired", "Required value" + (f": {detail}" if detail else ""))

    def invalid(self, detail: str, value: Json | Missing = MISSING) -> Refusal:
        """Object to the value."""
        shown = _quote(self.value if value is MISSING else value)
        return self._refuse("FieldValueInvalid", f"Invalid value: {shown}: {detail}")

    def forbidden(self, detail: str) -> Refusal:
        """Object that the field is there, or changed, at all."""
        return self._refuse("FieldValueForbidden", f"Forbidden: {detail}")

    def unsupported(self, values: Sequence[str]) -> Refusal:
        """Object that the value is none of ``values``."""
        words = f"supported values: {', '.join(map(_quote, values))}"
        return self._refuse("FieldValueNotSupported", f"Unsupported value: {_quote(self.value)}: {words}")

    def duplicate(self, value: Json | Missing = MISSING) -> Refusal:
        """Object that the value is there twice."""
        shown = _quote(self.value if value is MISSING else value)
        return self._refuse("FieldValueDuplicate", f"Duplicate value: {shown}")

    def not_found(self) -> Refusal:
        """Object that what the value names is nowhere in the object."""
        return self._refuse("FieldValueNotFound", f"Not found: {_quote(self.value)}")

    def too_long(self, limit: int, unit: str = "bytes") -> Refusal:
        """Object that the value is longer than ``limit``."""
        return self._refuse("FieldValueTooLong", f"Too long: may not be more than {limit} {unit}")

    def too_many(self, limit: int) -> Refusal:
        """Object that the list holds more than ``limit`` elements."""
        actual = len(self.value) if isinstance(self.value, list) else 0
        return self._refuse("FieldValueTooMany", f"Too many: {actual}: must have at most {limit} items")

    def immutable(self) -> Refusal:
        """Object that the field changed."""
        return self.invalid("field is immutable")


def _get(value: Json | Missing, key: str) -> Json | Missing:
    return value[key] if isinstance(value, dict) and key in value else MISSING


def _quote(value: Json | Missing) -> str:
    """Return a value as the server shows it: strings quoted, numbers and booleans plain, the rest as JSON."""
    if value is MISSING:
        return '""'
    return gotext.show(value) if isinstance(value, (int, float)) else gotext.encode(value)


Constraint: TypeAlias = Callable[[Spot], Iterator[Refusal]]
Table: TypeAlias = Mapping[str, "Sequence[Constraint] | Table"]
"""Paths to constraints, or to the table of what stands at the path."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A table made ready to walk: the constraints of one place, and the plans of the places inside."""

    constraints: tuple[Constraint, ...] = ()
    inner: Mapping[str, "Plan"] = field(default_factory=dict)
    """By field name, ``*`` for map entries, ``[*]`` for list elements."""


def plan(table: Table) -> Plan:
    """Return the plan of a table; of two entries for one path both hold."""
    whole = Plan()
    for path, content in table.items():
        below = plan(content) if isinstance(content, Mapping) else Plan(tuple(content))
        whole = _merged(whole, _at(_steps(path), below))
    return whole


def _steps(path: str) -> list[str]:
    return [step for part in path.replace("[*]", ".[*]").split(".") if (step := part)]


def _at(steps: Sequence[str], below: Plan) -> Plan:
    return Plan(inner={steps[0]: _at(steps[1:], below)}) if steps else below


def _merged(left: Plan, right: Plan) -> Plan:
    names = {**left.inner, **right.inner}
    inner = {name: _merged(left.inner.get(name, Plan()), right.inner.get(name, Plan())) for name in names}
    return replace(left, constraints=left.constraints + right.constraints, inner=inner)


def walk(spot: Spot, plan: Plan) -> Iterator[Refusal]:
    """Yield every refusal of a place and of the places inside it; what is not there is asked about, not entered."""
    for constraint in plan.constraints:
        yield from constraint(spot)
    if not isinstance(spot.value, (dict, list)):
        return
    for name, inner in plan.inner.items():
        for place in _places(spot, name):
            yield from walk(place, inner)


def _places(spot: Spot, name: str) -> Iterator[Spot]:
    if name == "[*]":
        return spot.items()
    if name == "*":
        return spot.entries()
    return iter((spot.child(name),))
