"""Validates custom resources against their definitions.

Mirrors ``pkg/registry/customresource`` of the apiextensions server: the schema, embedded objects, lists without
duplicates, the path of the scale subresource, and then, unless errors prevent it, the rules in CEL.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, objects_at
from kubectl_applylint.schema.types import Kind, Node
from kubectl_applylint.server.validate.custom import faults, schema
from kubectl_applylint.server.validate.custom.correlation import Pair
from kubectl_applylint.server.validate.custom.embedded import embedded_faults
from kubectl_applylint.server.validate.custom.lists import duplicate_faults
from kubectl_applylint.server.validate.custom.reading import marks_in
from kubectl_applylint.server.validate.custom.rules import broken_rules
from kubectl_applylint.server.validate.field_context import FieldContext, FieldErrors
from kubectl_applylint.server.validate.result import Open, ValidationResult

_BLOCKING: Final = frozenset(
    f"FieldValue{reason}" for reason in ("NotSupported", "Required", "TooLong", "TooMany", "TypeInvalid")
)
"""The reasons of errors after which the server does not evaluate the rules."""
_NOT_CHECKED: Final = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation"
)
_GREATEST_REPLICAS: Final = 2**31 - 1
_SHOWN_AS_TEXT_UNTIL: Final = 34


@dataclass(frozen=True, slots=True)
class _DeclaredSchema:
    """The schema of a kind, identified by the function that loads its fields: there is one for each kind."""

    load_fields: Callable[[], Mapping[str, Node]]
    schema: JsonObject = field(compare=False)


@dataclass(frozen=True, slots=True)
class _RequiredChecks:
    """The checks that objects of a kind need besides the schema itself."""

    rules: bool
    embedded: bool
    distinct: bool


@lru_cache(maxsize=1024)
def _required_checks(declared: _DeclaredSchema) -> _RequiredChecks:
    marks = marks_in(declared.schema)
    return _RequiredChecks(
        rules="x-kubernetes-validations" in marks,
        embedded="x-kubernetes-embedded-resource" in marks,
        distinct="x-kubernetes-list-type" in marks,
    )


def validate(fld: FieldContext, kind: Kind, earlier: Sequence[FieldError]) -> ValidationResult:
    """Return the faults of an object of a kind; ``earlier`` are those of its metadata."""
    declared = kind.root.source
    needs = _required_checks(_DeclaredSchema(kind.root.load_fields, declared))
    stored = None if fld.creating else Pair(fld.value, fld.old, declared)
    checked = schema.check(schema.ValidatedValue(fld.value, declared, "", stored, fld.occasion.minor))
    refusals = [*earlier, *checked.refusals, *_scale_faults(fld, kind)]
    refusals += embedded_faults(fld, declared) if needs.embedded else ()
    refusals += _new_duplicates(fld, declared) if needs.distinct else ()
    if not needs.rules:
        return ValidationResult(tuple(refusals), checked.open)
    if any(refusal.reason in _BLOCKING for refusal in refusals):
        return ValidationResult((*refusals, _not_checked(fld)), checked.open)
    found = list(broken_rules(fld, declared))
    broken = (finding for finding in found if isinstance(finding, FieldError))
    left_open = (finding for finding in found if isinstance(finding, Open))
    return ValidationResult((*refusals, *broken), (*checked.open, *left_open))


def _new_duplicates(fld: FieldContext, declared: JsonObject) -> Sequence[FieldError]:
    """Return duplicate list elements. The server ignores them if the stored list has duplicates as well."""
    if not fld.creating and any(duplicate_faults(fld.before(), declared)):
        return ()
    return tuple(duplicate_faults(fld, declared))


def _not_checked(fld: FieldContext) -> FieldError:
    null = '"null"' if fld.occasion.minor <= _SHOWN_AS_TEXT_UNTIL else "null"
    return FieldError(faults.NOWHERE, "FieldValueInvalid", f"Invalid value: {null}: {_NOT_CHECKED}")


def _scale_faults(fld: FieldContext, kind: Kind) -> FieldErrors:
    """Yield the faults of the numbers of replicas that the scale subresource reads."""
    scale = _scale(kind)
    for path in (scale.get("specReplicasPath"), scale.get("statusReplicasPath")):
        if isinstance(path, str):
            yield from _replica_faults(fld, path)


def _scale(kind: Kind) -> JsonObject:
    versions = objects_at(kind.definition, "spec", "versions")
    wanted = kind.api_version.rpartition("/")[2]
    found = next((version for version in versions if version.get("name") == wanted), {})
    return mapping(dig(found, "subresources", "scale"))


def _replica_faults(fld: FieldContext, path: str) -> FieldErrors:
    names = path.removeprefix(".").split(".")
    number: Json = fld.get(*names)
    # The server names the field by the whole path, with its leading dot.
    place = FieldContext(number, step=f".{path}")
    match number:
        case bool() | float() | str() | list() | dict():
            kind = {bool: "bool", float: "float64", str: "string", list: "[]interface {}"}
            words = kind.get(type(number), "map[string]interface {}")
            yield place.invalid(
                f"{'.' + '.'.join(names)} accessor error: {number} is of the type {words}, expected int64", 0
            )
        case int() if number < 0:
            yield place.invalid("should be a non-negative integer")
        case int() if number > _GREATEST_REPLICAS:
            yield place.invalid(f"should be less than or equal to {_GREATEST_REPLICAS}")
