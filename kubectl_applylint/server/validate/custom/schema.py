"""Validates custom resources against the OpenAPI schema of their definition.

Mirrors kube-openapi's ``pkg/validation/validate`` and the ratcheting validator of the apiextensions server. For
alternative schemas the server reports the faults of the one that fits best, which it finds by counting checks.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.patterns.linear import Unproven
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, equal, items, mapping, objects_at, texts_at
from kubectl_applylint.server.validate.custom import faults
from kubectl_applylint.server.validate.custom.correlation import Pair
from kubectl_applylint.server.validate.custom.numbers import number_faults
from kubectl_applylint.server.validate.custom.reading import number, sub, text, type_of, types
from kubectl_applylint.server.validate.custom.texts import has_format, matches_pattern
from kubectl_applylint.server.validate.result import Open


@dataclass(frozen=True, slots=True)
class ValidatedValue:
    """One value under validation: its path, the schema that it must satisfy, and the stored value.

    ``stored`` is ``None`` if no stored value can be matched with the value: then it is not ratcheted.
    """

    value: Json
    schema: JsonObject
    path: str = ""
    stored: Pair | None = None
    minor: int = 36

    def field(self, name: str, schema: JsonObject, path: str) -> "ValidatedValue":
        """Return the value of a field or entry; those that identify the object are never ratcheted."""
        typed = not self.path and name in ("apiVersion", "kind")
        stored = None if self.stored is None or typed else self.stored.key(name)
        return ValidatedValue(self.value[name], schema, path, stored, self.minor)

    def element(self, index: int, schema: JsonObject) -> "ValidatedValue":
        """Return an element of a list."""
        stored = None if self.stored is None else self.stored.index(index)
        return ValidatedValue(self.value[index], schema, f"{self.path}[{index}]", stored, self.minor)

    def against(self, schema: JsonObject) -> "ValidatedValue":
        """Return the same value with another schema."""
        return ValidatedValue(self.value, schema, self.path, None, self.minor)


@dataclass(frozen=True, slots=True)
class Result:
    """The faults of a value, the number of checks, and the patterns that could not be matched."""

    refusals: tuple[FieldError, ...] = ()
    checks: int = 0
    open: tuple[Open, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether no fault is known."""
        return not self.refusals


_Check: TypeAlias = Callable[[ValidatedValue], Result]
_NOTHING: Final = Result()
_ONE: Final = Result((), 1)
_COMBINING: Final = frozenset(("anyOf", "oneOf", "allOf", "not"))
_OF_TEXTS: Final = frozenset(("maxLength", "minLength", "pattern"))


def check(place: ValidatedValue) -> Result:
    """Return the faults of a value; an unchanged stored value is valid."""
    if isinstance(place.value, Unknown):
        return Result()
    result = _merge_results(_checks(place))
    if not result.valid and place.stored is not None and place.stored.same:
        return Result((), result.checks)
    return result


def _left_open(results: Iterable[Result]) -> Result | None:
    """Return the result of alternatives that cannot be decided because a pattern in one of them was not matched."""
    found = tuple(each for result in results for each in result.open)
    return Result(open=found) if found else None


def _checks(place: ValidatedValue) -> Iterator[Result]:
    """Yield the results of all checks that apply to a value of its type."""
    if place.value is None:
        yield _type(place)
        yield _enumeration(place)
        return
    kind = type_of(place.value)
    if types(place.schema) or _format(place.schema):
        yield _with_count(_type(place))
    yield _with_count(_combination_result(place))
    for each in _BY_TYPE.get(kind, ()):
        yield _with_count(each(place))
    yield _with_count(_enumeration(place))
    yield _ONE


def _with_count(result: Result) -> Result:
    """Return the result with one more check."""
    return _ONE if result is _NOTHING else Result(result.refusals, result.checks + 1, result.open)


def _merge_results(results: Iterable[Result]) -> Result:
    """Return several results as one, without duplicate errors, as the server does."""
    refusals: list[FieldError] = []
    left_open: list[Open] = []
    checks = 0
    for result in results:
        refusals += result.refusals
        left_open += result.open
        checks += result.checks
    return Result(tuple(dict.fromkeys(refusals)), checks, tuple(left_open))


def _format(schema: JsonObject) -> str:
    """Return the format of a schema, the empty text if the server does not know it for the type."""
    name, kinds = text(schema, "format"), types(schema)
    match kinds:
        case ("integer",):
            return name if name in ("int32", "int64") else ""
        case ("number",):
            return name if name in ("float", "double") else ""
        case () | ("string",):
            return name
        case _:
            return ""


def _type(place: ValidatedValue) -> Result:
    """Require one of the allowed types."""
    kinds, kind = types(place.schema), type_of(place.value)
    if kinds == (kind,):
        return _ONE
    said = ",".join(kinds)
    if place.value is None:
        wrong = bool(kinds) and place.schema.get("nullable") is not True
        return Result((faults.wrong_type(place.path, said, "null"),)) if wrong else _ONE
    fits = kind in kinds or (kind == "integer" and "number" in kinds) or (_is_whole(place.value) and "integer" in kinds)
    # A text with a format is left to its format, whatever the type.
    textual = kind in ("string", "array") and _format(place.schema) and not {"integer", "number"} & set(kinds)
    if fits or textual:
        return _ONE
    name = _format(place.schema)
    if name and kind not in ("string", "array"):
        return Result((faults.wrong_type(place.path, name, {"integer": "int64", "number": "float64"}.get(kind, "")),))
    return Result((faults.wrong_type(place.path, said, kind),))


def _is_whole(value: Json) -> bool:
    """Return whether a float is an integer without loss of precision."""
    return isinstance(value, float) and value.is_integer() and abs(value) < 2**53


def _enumeration(place: ValidatedValue) -> Result:
    """Require one of the allowed values."""
    allowed = items(place.schema.get("enum"))
    if not allowed or any(equal(place.value, each) or _same_number(place.value, each) for each in allowed):
        return Result()
    return Result((faults.not_supported(place.path, place.value, allowed),))


def _same_number(left: Json, right: Json) -> bool:
    """Return whether two values are equal numbers."""
    numeric = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in (left, right))
    return numeric and bool(left == right)


def _text(place: ValidatedValue) -> Result:
    """Require the length and the pattern of a text; only the first fault is reported."""
    if _OF_TEXTS.isdisjoint(place.schema):
        return _NOTHING
    value, schema = place.value, place.schema
    most, least, pattern = number(schema, "maxLength"), number(schema, "minLength"), text(schema, "pattern")
    if most is not None and len(value) > most:
        return Result((faults.too_long(place.path, int(most)),))
    if least is not None and len(value) < least:
        return Result((faults.invalid(place.path, value, f"should be at least {int(least)} chars long"),))
    match matches_pattern(pattern, value) if pattern else True:
        case Unproven(why):
            return Result(open=(Open(place.path, pattern, why),))
        case False:
            return Result((faults.invalid(place.path, value, f"should match '{pattern}'"),))
        case True:
            return Result()


def _format_result(place: ValidatedValue) -> Result:
    """Return the fault of a text without the format of its schema."""
    name = _format(place.schema)
    if not name or "integer" in types(place.schema) or has_format(place.value, name, place.minor):
        return Result()
    return Result((faults.wrong_type(place.path, name, place.value),))


def _number(place: ValidatedValue) -> Result:
    """Return the faults of a number."""
    return Result(tuple(number_faults(place.value, place.schema, place.path, _format(place.schema))), 1)


def _list(place: ValidatedValue) -> Result:
    """Return the faults of a list and its elements."""
    items = sub(place.schema, "items")
    elements = (check(place.element(index, items)) for index in range(len(place.value)) if items)
    return _merge_results([*elements, Result(tuple(_list_faults(place)), 1)])


def _list_faults(place: ValidatedValue) -> Iterator[FieldError]:
    least, most = number(place.schema, "minItems"), number(place.schema, "maxItems")
    size = len(place.value)
    if least is not None and size < least:
        yield faults.invalid(place.path, size, f"should have at least {int(least)} items")
    if most is not None and size > most:
        yield faults.too_many(place.path, size, int(most))
    if place.schema.get("uniqueItems") is True and _has_duplicates(place.value):
        yield faults.invalid(place.path, "", "shouldn't contain duplicates")


def _has_duplicates(elements: list[Json]) -> bool:
    return any(equal(each, other) for index, each in enumerate(elements) for other in elements[:index])


def _object(place: ValidatedValue) -> Result:
    """Return the faults of an object and its fields."""
    declared, other = sub(place.schema, "properties"), place.schema.get("additionalProperties")
    results = [Result(tuple(_object_faults(place)))]
    for name in place.value:
        path = f"{place.path}.{name}"
        if name in declared:
            field = place.field(name, mapping(declared[name]), path if place.path else name)
            results.append(check(field))
        elif isinstance(other, dict):
            results.append(check(place.field(name, other, path)))
        elif other is False:
            results.append(Result((faults.invalid(place.path, name, "is a forbidden property", said=path),)))
    return _merge_results(results)


def _object_faults(place: ValidatedValue) -> Iterator[FieldError]:
    """Yield the faults in the number of fields, and missing required ones."""
    least, most = number(place.schema, "minProperties"), number(place.schema, "maxProperties")
    size = len(place.value)
    if least is not None and size < least:
        yield faults.invalid(place.path, size, f"should have at least {int(least)} properties")
    if most is not None and size > most:
        yield faults.too_many(place.path, size, int(most))
    for name in texts_at(place.schema, "required"):
        if name not in place.value:
            yield faults.required(f"{place.path}.{name}")


def _combination_result(place: ValidatedValue) -> Result:
    """Require ``anyOf``, ``oneOf``, ``allOf`` and ``not``, besides the type."""
    if _COMBINING.isdisjoint(place.schema):
        return _ONE
    parts = [each(place) for each in (_any_of, _one_of, _all_of, _not)]
    return _with_count(_merge_results(parts))


def _any_of(place: ValidatedValue) -> Result:
    results = [check(place.against(schema)) for schema in objects_at(place.schema, "anyOf")]
    fitting = next((result for result in sorted(results, key=lambda each: bool(each.open)) if result.valid), None)
    if not results or fitting is not None:
        return fitting or Result()
    return _merge_results([_combination_fault(place, "must validate at least one schema (anyOf)"), _best(results)])


def _one_of(place: ValidatedValue) -> Result:
    results = [check(place.against(schema)) for schema in objects_at(place.schema, "oneOf")]
    fitting = [result for result in results if result.valid]
    if not results or len(fitting) == 1:
        return fitting[0] if results else Result()
    if undecided := _left_open(fitting):
        return undecided
    words = "must validate one and only one schema (oneOf)."
    if fitting:
        return _combination_fault(place, f"{words} Found {len(fitting)} valid alternatives")
    return _merge_results([_combination_fault(place, f"{words} Found none valid"), _best(results)])


def _all_of(place: ValidatedValue) -> Result:
    results = [check(place.against(schema)) for schema in objects_at(place.schema, "allOf")]
    if all(result.valid for result in results):
        return _merge_results(results)
    end = "" if any(result.valid for result in results) else ". None validated"
    return _merge_results([*results, _combination_fault(place, f"must validate all the schemas (allOf){end}")])


def _not(place: ValidatedValue) -> Result:
    schema = place.schema.get("not")
    result = check(place.against(schema)) if isinstance(schema, dict) else None
    if result is None or not result.valid:
        return Result()
    return _left_open([result]) or _combination_fault(place, "must not validate the schema (not)")


def _combination_fault(place: ValidatedValue, words: str) -> Result:
    """Return the fault of a value that does not satisfy combined schemas."""
    return Result((faults.nowhere(f'"{place.path}" {words}'),))


def _best(results: list[Result]) -> Result:
    """Return the first of the results with the most checks: the faults of the closest alternative."""
    return max(results, key=lambda result: result.checks)


_BY_TYPE: Final[dict[str, tuple[_Check, ...]]] = {
    "string": (_text, _format_result),
    "integer": (_number,),
    "number": (_number,),
    "array": (_list,),
    "object": (_object,),
}
