"""One place in an object under validation, and the server's errors about it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import NamedTuple, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import FieldError, plain
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing, equal


@dataclass(frozen=True, slots=True)
class Occasion:
    """The occasion of a validation: create or update, in a namespace or not, by a server of version 1.``minor``."""

    creating: bool = True
    minor: int = 36
    namespaced: bool = True


class FieldContext(NamedTuple):
    """One place in an object under validation.

    It is a tuple because validation makes some two hundred of them for an object, and a frozen dataclass takes three
    times as long to create (0.9 against 0.3 microseconds).

    Values are in the state after decoding and defaulting: an absent or null value is Go's nil or zero value, and an
    empty text, list or map is present only where Go distinguishes it from that.
    """

    value: Json | Missing
    old: Json | Missing = MISSING
    """The same place in the stored object (list elements by position); ``MISSING`` on create."""
    step: str = ""
    """The last step to this place as the server spells it: ``.ports``, ``[0]``, ``[some-key]``."""
    up: "FieldContext | None" = None
    """The place around this one."""
    occasion: Occasion = Occasion()

    def __str__(self) -> str:
        return self._path().removeprefix(".")

    def _path(self) -> str:
        """Return the path from the whole object to this place, as the server spells it."""
        return (self.up._path() if self.up else "") + self.step

    @property
    def parent(self) -> "FieldContext":
        """The place around this one; around the whole object an empty one."""
        return FieldContext(MISSING) if self.up is None else self.up

    @property
    def creating(self) -> bool:
        """Whether the object is created, not updated."""
        return self.occasion.creating

    def child(self, name: str) -> "FieldContext":
        """Return the field ``name`` of this object, which may be absent."""
        return FieldContext(_get(self.value, name), _get(self.old, name), f".{name}", self, self.occasion)

    def at(self, *names: str) -> "FieldContext":
        """Return the place under the fields ``names``, which may be absent."""
        return self.child(names[0]).at(*names[1:]) if names else self

    def entry(self, key: str) -> "FieldContext":
        """Return the entry ``key`` of this map, which may be absent."""
        return FieldContext(_get(self.value, key), _get(self.old, key), f"[{key}]", self, self.occasion)

    def entries(self) -> Sequence["FieldContext"]:
        """Return the entries of this map, sorted by key."""
        return [self.entry(key) for key in sorted(self.value)] if isinstance(self.value, dict) else ()

    def items(self) -> Sequence["FieldContext"]:
        """Return the elements of this list."""
        if not isinstance(self.value, list):
            return ()
        olds = chain(self.old if isinstance(self.old, list) else (), repeat(MISSING))
        pairs = enumerate(zip(self.value, olds, strict=False))
        return [FieldContext(item, old, f"[{place}]", self, self.occasion) for place, (item, old) in pairs]

    def get(self, *names: str) -> Json | Missing:
        """Return the value of the fields below, or ``MISSING``."""
        value = self.value
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        return MISSING if value is None else value

    def has(self, *names: str) -> bool:
        """Return whether the field below is present and not empty."""
        return not is_empty(self.get(*names))

    def given(self, names: Sequence[str]) -> list[str]:
        """Return those of the fields ``names`` that are present, even if they are empty."""
        value = self.value
        return [name for name in names if value.get(name) is not None] if isinstance(value, dict) else []

    def sets(self, *names: str) -> bool:
        """Return whether the field below is present, even if it is empty (Go: a pointer that is not nil)."""
        return self.get(*names) is not MISSING

    def text(self, *names: str) -> str:
        """Return the text in the fields below, the empty one if there is none."""
        value = self.get(*names)
        return value if isinstance(value, str) else ""

    def number(self, *names: str) -> int:
        """Return the integer in the fields below, 0 if there is none."""
        value = self.get(*names)
        return value if isinstance(value, int) else 0

    def flag(self, *names: str) -> bool:
        """Return whether the value of the fields below is ``true``."""
        return self.get(*names) is True

    def size(self, *names: str) -> int:
        """Return the number of elements or entries of the list or map in the fields below, 0 if there is none."""
        value = self.get(*names)
        return len(value) if isinstance(value, (list, dict)) else 0

    @property
    def empty(self) -> bool:
        """Whether the value is absent or empty: what Go calls a length of zero."""
        return is_empty(self.value)

    @property
    def there(self) -> bool:
        """Whether a value is present, even if it is empty."""
        return not is_absent(self.value)

    @property
    def unchanged(self) -> bool:
        """Whether this is an update that does not change the place."""
        if self.creating:
            return False
        return (is_absent(self.value) and is_absent(self.old)) or equal(self.value, self.old)

    def nearest(self, step: str) -> "FieldContext":
        """Return the innermost place around this one with the step ``step`` (``.spec``), else the whole object."""
        if self.up is None or self.step == step:
            return self
        return self.up.nearest(step)

    def before(self) -> "FieldContext":
        """Return the place with its stored value as the value."""
        return self._replace(value=self.old)

    def with_step(self, step: str) -> "FieldContext":
        """Return the place with another spelling of its last step."""
        return self._replace(step=step)

    def with_value(self, value: Json | Missing) -> "FieldContext":
        """Return the place with ``value`` as its value: errors have the path of this place."""
        return self._replace(value=value)

    @property
    def root(self) -> "FieldContext":
        """The whole object."""
        return self if self.up is None else self.up.root

    def _error(self, reason: str, message: str) -> FieldError:
        """Return an error about this place, an ``UndecidedError`` if a placeholder in or beside it may be the cause."""
        is_undecided = _contains_placeholder(self.value) or _is_beside_placeholder(self)
        return (UndecidedError if is_undecided else FieldError)(str(self), reason, message)

    def required(self, detail: str = "") -> FieldError:
        """Return the error for a missing value."""
        return self._error("FieldValueRequired", "Required value" + (f": {detail}" if detail else ""))

    def invalid(self, detail: str, value: Json | Missing = MISSING) -> FieldError:
        """Return the error for an invalid value."""
        shown = _quote(self.value if value is MISSING else value)
        return self._error("FieldValueInvalid", f"Invalid value: {shown}" + (f": {detail}" if detail else ""))

    def forbidden(self, detail: str) -> FieldError:
        """Return the error for a field that may not be set, or not changed."""
        error = UndecidedError if _is_beside_placeholder(self) else FieldError
        return error(str(self), "FieldValueForbidden", f"Forbidden: {detail}")

    def not_supported(self, values: Sequence[str], value: Json | Missing = MISSING) -> FieldError:
        """Return the error for a value that is not one of ``values``."""
        shown = _quote(self.value if value is MISSING else value)
        words = f"supported values: {', '.join(map(_quote, values))}"
        reason, message = "FieldValueNotSupported", f"Unsupported value: {shown}: {words}"
        # Placeholders beside it do not matter to a value that is written.
        is_written = isinstance(self.value, str) and bool(self.value)
        return FieldError(str(self), reason, message) if is_written else self._error(reason, message)

    def duplicate(self, value: Json | Missing = MISSING) -> FieldError:
        """Return the error for a duplicate value."""
        shown = _quote(self.value if value is MISSING else value)
        return self._error("FieldValueDuplicate", f"Duplicate value: {shown}")

    def not_found(self, detail: str = "") -> FieldError:
        """Return the error for a reference to something that the object does not contain."""
        return self._error("FieldValueNotFound", f"Not found: {_quote(self.value)}" + (f": {detail}" if detail else ""))

    def too_long(self, limit: int, unit: str = "bytes") -> FieldError:
        """Return the error for a value longer than ``limit``."""
        return self._error("FieldValueTooLong", f"Too long: may not be more than {limit} {unit}")

    def too_many(self, limit: int) -> FieldError:
        """Return the error for a list or map with more than ``limit`` elements."""
        return self._error("FieldValueTooMany", f"Too many: {self.size()}: must have at most {limit} items")

    def immutable(self) -> FieldError:
        """Return the error for a changed immutable field."""
        shown = _quote(self.value)
        return FieldError(str(self), "FieldValueInvalid", f"Invalid value: {shown}: field is immutable")


class UndecidedError(FieldError):
    """An error that depends on the value of a placeholder, so that the server may accept the object."""


def _is_beside_placeholder(fld: FieldContext) -> bool:
    """Return whether a placeholder, or a list with one, is beside a place: a check often reads the fields beside it."""
    beside = fld.up.value if fld.up else MISSING
    others = beside.values() if isinstance(beside, dict) else ()
    nested = chain.from_iterable(each for each in others if isinstance(each, list))
    return any(map(_is_placeholder, chain(others, nested)))


def _contains_placeholder(value: Json | Missing) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return _is_placeholder(value) or any(map(_contains_placeholder, inner))


def _is_placeholder(value: object) -> bool:
    return isinstance(value, Unknown) and bool(value.written)


def is_empty(value: Json | Missing) -> bool:
    """Return whether a value is absent, or has a length of zero; zero and false are values."""
    return is_absent(value) or value in ("", [], {})


def is_absent(value: Json | Missing) -> bool:
    """Return whether a value is absent or null."""
    return value is MISSING or value is None


def _get(value: Json | Missing, key: str) -> Json | Missing:
    found = value.get(key) if isinstance(value, dict) else None
    return MISSING if found is None else found


def _quote(value: Json | Missing) -> str:
    """Return a value as the server shows it: strings quoted, numbers and booleans plain, the rest as JSON."""
    if value is MISSING:
        return "null"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return gotext.show(value) if isinstance(value, (int, float)) else gotext.encode(plain(value))


FieldErrors: TypeAlias = Iterable[FieldError]
"""The errors at a place."""
Constraint: TypeAlias = Callable[[FieldContext], FieldErrors]
"""Checks a place whose value is present. One that is ``always`` checks absent values as well."""


@dataclass(frozen=True, slots=True)
class Always:
    """A constraint that is also checked if the value is absent."""

    check: Constraint

    def __call__(self, fld: FieldContext) -> FieldErrors:
        """Yield the errors of ``check``."""
        return self.check(fld)


always = Always
"""Decorates a constraint that checks absent values as well."""


def struct(fld: FieldContext) -> FieldErrors:
    """Accept everything: marks a Go struct that is never absent, so that its required fields are checked."""
    return ()


@dataclass(frozen=True, slots=True)
class StepSpelling:
    """Accepts everything: holds the server's spelling of the last step to the place if it is not the field's name."""

    step: str

    def __call__(self, fld: FieldContext) -> FieldErrors:
        """Accept everything."""
        return ()


def is_known(value: Json | Missing) -> bool:
    """Return whether validation can check a value: an unknown value that only the server knows cannot be checked."""
    return not isinstance(value, Unknown)


Table: TypeAlias = Mapping[str, "Content"]
"""Constraints by path."""
Content: TypeAlias = "Table | Sequence[Constraint | Table]"
"""The rules of one place: constraints on it, and tables of the places inside."""
