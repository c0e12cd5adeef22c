"""The standard library's ``dataclass``, in a tenth of the time for frozen classes with slots.

The standard one compiles five methods for each class when it is defined. A run never calls most of them, and there are
hundreds of classes: that took half the time of a small run. Here only ``__init__`` is compiled, when the first object
is created; comparing, hashing and ``repr`` need no code of their own. Everything else (``fields``, pickling, patterns)
works as with the standard one, which also makes all classes with other options, or with fields of a base class.
``replace`` takes a third of the time of the standard one.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import field
from functools import cache
from operator import attrgetter, ge, gt, le, lt
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """Return a class as a dataclass; ``options`` are those of ``dataclasses.dataclass``."""
        if cls is None:
            return lambda declared: dataclass(declared, **options)
        ordered = options.pop("order", False)
        if options == _PLAIN and _can_be_record(cls):
            return _record(cls, ordered=ordered)
        return dataclasses.dataclass(cls, order=ordered, **options)

    def replace(one: Any, /, **changes: Any) -> Any:
        """Return a dataclass object with other values of some fields."""
        make = getattr(type(one), "__replace__", None)
        return make(one, **changes) if make else dataclasses.replace(one, **changes)


__all__ = ["dataclass", "field", "replace"]
_PLAIN: Final = {"frozen": True, "slots": True}
_ORDER: Final = {"__lt__": lt, "__le__": le, "__gt__": gt, "__ge__": ge}
_UNUSED: Final = ("__dict__", "__weakref__")


def _can_be_record(cls: type) -> bool:
    """Return whether a class, with its bases, has no ``__init__``, no ``__hash__`` of its own, and no other fields."""
    own_init = cls.__init__  # type: ignore[misc]  # the class is not made yet
    return own_init is object.__init__ and "__hash__" not in cls.__dict__ and not hasattr(cls, "__dataclass_fields__")


def _record(declared: type, *, ordered: bool) -> type:
    """Return a frozen class with slots for the fields that a class declares."""
    content = dict(declared.__dict__)
    names = tuple(declared.__annotations__)
    given = {name: content.pop(name) for name in names if name in content}
    fields = {name: one if isinstance(one := given.get(name), dataclasses.Field) else None for name in names}
    for name in _UNUSED:
        content.pop(name, None)
    made: type = type(declared)(
        declared.__name__,
        declared.__bases__,
        {
            **content,
            "__slots__": names,
            "__match_args__": tuple(name for name, one in fields.items() if one is None or one.init),
            "__dataclass_fields__": _Fields(declared),
            "__init__": _first_init(names, given),
            "__setattr__": _reject_set,
            "__delattr__": _reject_delete,
            "__getstate__": _state,
            "__setstate__": _restore,
            "__replace__": _replace,
            "__qualname__": declared.__qualname__,
            **_comparing([name for name, one in fields.items() if one is None or one.compare], ordered=ordered),
            **(
                {}
                if "__repr__" in content
                else {"__repr__": _repr([n for n, one in fields.items() if one is None or one.repr])}
            ),
        },
    )
    return made


class _Fields:
    """Computes the standard library's description of the fields of a class on first access."""

    def __init__(self, declared: type) -> None:
        self.declared = declared

    def __get__(self, instance: object, owner: type) -> Any:
        """Return the description, and replace this descriptor by it."""
        plain: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(self.declared)
        type.__setattr__(owner, "__dataclass_fields__", plain.__dataclass_fields__)
        return plain.__dataclass_fields__


def _first_init(names: tuple[str, ...], given: dict[str, Any]) -> Callable[..., None]:
    """Return an ``__init__`` that replaces itself by a compiled one on the first call."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        cls = type(self)
        init = _compile_init(cls, names, given)
        type.__setattr__(cls, "__init__", init)
        init(self, *values, **named)

    return __init__


def _compile_init(cls: type, names: tuple[str, ...], given: dict[str, Any]) -> Callable[..., None]:
    """Return a compiled ``__init__`` that sets the fields of a class."""
    scope: dict[str, Any] = {}
    parameters, defaults, values = ["self"], [], []
    for number, name in enumerate(names):
        default, factory, is_given = _defaults(given, name)
        setter = getattr(cls, name).__set__
        if factory is not dataclasses.MISSING:
            setter, default = _making_setter(setter, factory), dataclasses.MISSING
        scope |= {f"_set{number}": setter, f"_default{number}": default}
        values.append("p{0}" if is_given else "_default{0}")
        if is_given:
            parameters.append(name)
            is_needed = default is dataclasses.MISSING and factory is dataclasses.MISSING
            defaults += [] if is_needed else [default]
    code = _code(tuple(values), ends=hasattr(cls, "__post_init__"))
    named = code.replace(co_varnames=tuple(parameters), co_qualname=f"{cls.__qualname__}.__init__")
    return FunctionType(named, scope, "__init__", tuple(defaults))


def _making_setter(setter: Callable[[Any, Any], None], factory: Callable[[], Any]) -> Callable[[Any, Any], None]:
    """Return a function that sets a field to a value, or to a new one if none is given."""

    def set_or_make(one: Any, value: Any) -> None:
        setter(one, factory() if value is dataclasses.MISSING else value)

    return set_or_make


@cache
def _code(values: tuple[str, ...], *, ends: bool) -> CodeType:
    """Return the code of an ``__init__`` that sets fields to the values, whatever the names of the fields.

    Compiling one takes as long as creating a hundred functions from it.
    """
    parameters = "".join(f", p{number}" for number, value in enumerate(values) if "p{0}" in value)
    lines = [f"    _set{number}(self, {value.format(number)})" for number, value in enumerate(values)]
    lines += ["    self.__post_init__()"] if ends else []
    scope: dict[str, Any] = {}
    exec(f"def __init__(self{parameters}):\n" + "\n".join(lines or ["    pass"]), scope)
    code: CodeType = scope["__init__"].__code__
    return code


def _defaults(given: dict[str, Any], name: str) -> tuple[Any, Any, bool]:
    """Return the default of a field, its default factory, and whether ``__init__`` has a parameter for it."""
    one = given.get(name, dataclasses.MISSING)
    if isinstance(one, dataclasses.Field):
        return one.default, one.default_factory, one.init
    return one, dataclasses.MISSING, True


def _values(names: list[str]) -> Callable[[Any], Any]:
    """Return a function that returns the field values of an object, comparable and hashable."""
    return attrgetter(*names) if names else lambda one: ()


def _comparing(names: list[str], *, ordered: bool) -> dict[str, Any]:
    """Return ``__eq__`` and ``__hash__`` of a class with these fields, with the order of their values if wanted."""
    values = _values(names)

    def __eq__(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    order = {name: _ordering(compare, values) for name, compare in _ORDER.items()} if ordered else {}
    return {"__eq__": __eq__, "__hash__": __hash__, **order}


def _ordering(compare: Callable[[Any, Any], bool], values: Callable[[Any], Any]) -> Callable[[Any, object], Any]:
    def __compare__(self: Any, other: object) -> Any:
        return compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    return __compare__


def _repr(names: list[str]) -> Callable[[Any], str]:
    """Return ``__repr__`` of a class with these fields."""

    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _reject_set(self: Any, name: str, value: Any) -> None:
    """Raise ``FrozenInstanceError``, as ``__setattr__`` of frozen classes."""
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _reject_delete(self: Any, name: str) -> None:
    """Raise ``FrozenInstanceError``, as ``__delattr__`` of frozen classes."""
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _replace(self: Any, /, **changes: Any) -> Any:
    """Return an object with other values of some fields."""
    cls = type(self)
    return cls(**{**{name: getattr(self, name) for name in cls.__match_args__}, **changes})


def _state(self: Any) -> list[Any]:
    """Return the field values for pickling."""
    return [getattr(self, name) for name in self.__slots__]


def _restore(self: Any, state: list[Any]) -> None:
    """Set the field values from a pickle."""
    for name, value in zip(self.__slots__, state, strict=True):
        object.__setattr__(self, name, value)
