"""Unions: structs with exactly one member set, like the handlers of a probe and the sources of a volume."""

from collections.abc import Mapping

from kubectl_applylint.core.values import mapping
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext, FieldErrors, Table
from kubectl_applylint.server.validate.walk import inside


def union(members: Table, *, none: str, more: str, misspelled: Mapping[str, str] | None = None) -> Constraint:
    """Require exactly one of the members, and check it.

    ``members`` have the order in which the server checks them: the first one that is present counts, and the others are
    surplus. ``misspelled`` is the server's spelling of a surplus member if it is not its name.
    """
    whole, spellings = inside(members), misspelled or {}
    names = tuple(members)

    def check(fld: FieldContext) -> FieldErrors:
        given = fld.given(names)
        if not given:
            return (fld.required(none),)
        if len(given) == 1:
            return whole(fld)
        first = {key: value for key, value in mapping(fld.value).items() if key not in given[1:]}
        others = [fld.child(name).with_step(spellings.get(name, f".{name}")) for name in given[1:]]
        return [*whole(fld.with_value(first)), *(other.forbidden(more) for other in others)]

    return check
