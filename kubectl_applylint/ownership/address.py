"""Addresses of fields in an object: as displayed, and as in managedFields."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import assert_never

from kubectl_applylint.core.gotext import bare
from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, PathStep, child, render
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.merge.fieldset import Element, field_element, key_element, to_path, value_element
from kubectl_applylint.merge.typed import DEDUCED, MergeForm, TypedError, element_of, form_of, item_of, member_of
from kubectl_applylint.schema.types import Node


@dataclass(frozen=True, slots=True)
class Address:
    """One place of an object. ``value`` is the value there, or ``MISSING``."""

    path: Path
    """The path with the merge keys of list elements."""
    positions: Path
    """The path with the positions of existing list elements."""
    elements: tuple[Element, ...]
    """The path in managedFields; inside an atomic map or list that of the whole."""
    value: Json | Missing

    @property
    def is_part(self) -> bool:
        """Whether the place is inside an atomic map or list."""
        return len(self.elements) < len(self.path)

    @property
    def owned(self) -> Path:
        """The path of the owned value: the place itself, or the atomic one around it."""
        return self.path[: len(self.elements)]

    def __str__(self) -> str:
        return render(self.path)


def address(path: Path, root: Node, value: Json) -> Address:
    """Return the address of ``path`` in ``value``, an object with the schema ``root``.

    A list element may be named by its position, by any of its keys, or by its value. Keys match by their text, since a
    command line does not distinguish ``80`` from ``"80"``, and by their default if the element does not have them.
    """
    found = Address((), (), (), value)
    node, is_whole = root, False
    for step in path:
        form = form_of(node, found.value)
        is_whole = is_whole or form in (MergeForm.ATOMIC, MergeForm.SCALAR)
        found = _step(found, step, node, form, is_whole=is_whole)
        node = (member_of(node, step.name) or DEDUCED) if isinstance(step, Field) else item_of(node)
    return found


def _step(found: Address, step: PathStep, node: Node, form: MergeForm, *, is_whole: bool) -> Address:
    """Return the address one step further."""
    position = _position(step, found.value, node)
    exact: PathStep = step if position is None else Index(position)
    inner = child(found.value, exact) if found.value is not MISSING else MISSING
    element = _element(step, inner, node, form)
    shown = step if is_whole or isinstance(step, Field) else to_path([element])[0]
    return Address(
        path=(*found.path, shown),
        positions=(*found.positions, exact),
        elements=found.elements if is_whole else (*found.elements, element),
        value=inner,
    )


def _position(step: PathStep, value: Json | Missing, node: Node) -> int | None:
    """Return the position of the list element in a step, ``None`` for fields and missing elements."""
    items = value if isinstance(value, list) else []
    match step:
        case Index(position):
            return position
        case ByKey(keys):
            known = item_of(node).fields
            defaults = {name: known[name].default for name, _ in keys if name in known}
            return next((number for number, item in enumerate(items) if _has_keys(item, keys, defaults)), None)
        case ByValue(wanted):
            return next((number for number, item in enumerate(items) if _have_same_text(item, wanted)), None)
        case Field():
            return None
        case _:
            assert_never(step)


def _has_keys(item: Json, keys: Iterable[tuple[str, Json]], defaults: Mapping[str, Json | Missing]) -> bool:
    """Return whether a list element has these keys."""
    if not isinstance(item, dict):
        return False
    found = ((item.get(key, defaults.get(key, MISSING)), value) for key, value in keys)
    return all(own is not MISSING and _have_same_text(own, value) for own, value in found)


def _have_same_text(left: Json, right: Json) -> bool:
    """Return whether two scalars have the same text."""
    return not isinstance(left, (dict, list)) and bare(left) == bare(right)


def _element(step: PathStep, item: Json | Missing, node: Node, form: MergeForm) -> Element:
    """Return a step as a path element of managedFields."""
    if item is not MISSING and form in (MergeForm.KEYED, MergeForm.SET):
        with suppress(TypedError):
            return element_of(node, item)
    match step:
        case ByKey(keys):
            return key_element(dict(keys))
        case ByValue(value):
            return value_element(value)
        case Index(position):
            return f"i:{position}"
        case Field(name):
            return field_element(name)
        case _:
            assert_never(step)
