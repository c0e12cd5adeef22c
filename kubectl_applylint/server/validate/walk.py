"""Walks an object along a table of constraints, and visits each path once.

A table maps paths, as Kubernetes users write them (``spec.ports[*].port``, ``data.*``), to constraints. A constraint
checks one ``FieldContext`` and yields errors in the server's words.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, mapping
from kubectl_applylint.server.validate.field_context import (
    Always,
    Constraint,
    Content,
    FieldContext,
    StepSpelling,
    UndecidedError,
    is_known,
    struct,
)

_ENTRIES = "*"
_ITEMS = "[*]"
_AS_IS = "as it is"
"""The spelling of list elements and map entries by position and key."""
_Part: TypeAlias = tuple[tuple[str, ...], Constraint]


class Plan(NamedTuple):
    """A compiled table: the constraints of one place, and the plans of the places inside.

    A tuple because the table of a pod makes a thousand, and a frozen dataclass takes three times as long to create.
    """

    constraints: tuple[Constraint, ...] = ()
    """Checked if the value is present."""
    absent: tuple[Constraint, ...] = ()
    """Those of them that are checked if the value is absent."""
    entered: bool = False
    """Whether an absent value is an empty struct that the walk enters."""
    step: str = _AS_IS
    """The server's spelling of the last step to the place."""
    fields: Mapping[str, "Plan"] = MappingProxyType({})
    asked: tuple[tuple[str, "Plan"], ...] = ()
    """The fields that are checked or entered although they are absent."""
    entries: "Plan | None" = None
    items: "Plan | None" = None


def plan(content: Content) -> Plan:
    """Return the plan of a table; of two entries for one path, both apply."""
    return _plan(_flat((), content))


def _plan(parts: Iterable[_Part]) -> Plan:
    """Return the plan of one place, given the constraints at it and inside it with their remaining steps."""
    constraints: list[Constraint] = []
    inner: dict[str, list[_Part]] = {}
    for steps, constraint in parts:
        if steps:
            inner.setdefault(steps[0], []).append((steps[1:], constraint))
        else:
            constraints.append(constraint)
    return _build_plan(constraints, {name: _plan(below) for name, below in inner.items()})


def _flat(steps: tuple[str, ...], content: "Constraint | Content") -> Iterable[_Part]:
    if callable(content):  # checked first: most are, and the others are abstract types, which take longer to test
        yield steps, content
    elif isinstance(content, Mapping):
        for path, below in content.items():
            yield from _flat(steps + _path_steps(path), below)
    else:
        for part in content:
            yield from _flat(steps, part)


@cache
def _path_steps(path: str) -> tuple[str, ...]:
    return tuple(step for step in path.replace(_ITEMS, f".{_ITEMS}").split(".") if step)


def _build_plan(constraints: Sequence[Constraint], inner: Mapping[str, Plan]) -> Plan:
    """Return the plan of one place from its constraints and the plans inside."""
    fields = {name: _with_field_step(below, name) for name, below in inner.items() if name not in (_ENTRIES, _ITEMS)}
    spellings = [constraint.step for constraint in constraints if isinstance(constraint, StepSpelling)]
    return Plan(
        constraints=tuple(map(_unwrap_always, filter(_checks, constraints))),
        absent=tuple(each.check for each in constraints if isinstance(each, Always)),
        entered=struct in constraints,
        step=spellings[0] if spellings else _AS_IS,
        fields=fields,
        asked=tuple((name, below) for name, below in fields.items() if below.absent or below.entered),
        entries=inner.get(_ENTRIES),
        items=inner.get(_ITEMS),
    )


def _with_field_step(plan: Plan, name: str) -> Plan:
    """Return the plan with the field's name as its last step, unless it has another spelling."""
    return plan._replace(step=f".{name}") if plan.step == _AS_IS else plan


def _checks(constraint: Constraint) -> bool:
    """Return whether a constraint is more than a mark."""
    return constraint is not struct and not isinstance(constraint, StepSpelling)


def _unwrap_always(constraint: Constraint) -> Constraint:
    """Return the check of an ``Always`` constraint, or the constraint itself."""
    return constraint.check if isinstance(constraint, Always) else constraint


def walk(fld: FieldContext, plan: Plan) -> list[FieldError]:
    """Return every error of a place and of the places inside it, without those that depend on placeholders."""
    refusals: list[FieldError] = []
    _visit(fld, plan, refusals)
    return [one for one in refusals if not isinstance(one, UndecidedError)]


def inside(content: Content) -> Constraint:
    """Return a table as a constraint, for conditional use; compiled on first use."""

    @cache
    def cached_plan() -> Plan:
        return plan(content)

    return lambda fld: walk(fld, cached_plan())


def _visit(fld: FieldContext, plan: Plan, refusals: list[FieldError]) -> None:
    """Collect the errors of a place and of the places inside it."""
    for constraint in plan.constraints:
        refusals.extend(constraint(fld))
    if isinstance(fld.value, dict):
        _visit_fields(fld, plan, refusals)
        if plan.entries is not None:
            _visit_all(fld.entries(), plan.entries, refusals)
    elif plan.items is not None:
        _visit_all(fld.items(), plan.items, refusals)


def _visit_fields(fld: FieldContext, plan: Plan, refusals: list[FieldError]) -> None:
    """Collect the errors of the fields of a place."""
    value, stored, fields, occasion = mapping(fld.value), mapping(fld.old), plan.fields, fld.occasion
    for name, item in value.items():
        below = fields.get(name)
        if below is not None and item is not None and type(item) is not Unknown:
            before = stored.get(name)
            place = FieldContext(item, MISSING if before is None else before, below.step, fld, occasion)
            _visit(place, below, refusals)
    for name, below in plan.asked:
        if value.get(name) is None:
            before = stored.get(name)
            _visit_absent(
                FieldContext(MISSING, MISSING if before is None else before, below.step, fld, occasion), below, refusals
            )


def _visit_all(places: Sequence[FieldContext], plan: Plan, refusals: list[FieldError]) -> None:
    """Collect the errors of several places with one plan."""
    for place in places:
        if is_known(place.value):
            _visit(place.with_step(plan.step) if plan.step != _AS_IS else place, plan, refusals)


def _visit_absent(fld: FieldContext, plan: Plan, refusals: list[FieldError]) -> None:
    """Collect the errors of an absent value."""
    if plan.entered:
        old = {} if fld.old is MISSING and not fld.creating else fld.old
        _visit(fld._replace(value={}, old=old), plan, refusals)
        return
    for constraint in plan.absent:
        refusals.extend(constraint(fld))
