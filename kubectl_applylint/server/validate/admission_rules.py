"""What webhooks and admission policies have in common: the requests that they are about, and conditions for them.

Mirrors ``validateRule`` and ``validateMatchConditions`` of ``pkg/apis/admissionregistration/validation``.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.cel_names import speaks_of
from kubectl_applylint.server.validate.conditions import if_set
from kubectl_applylint.server.validate.constraints import no_more_than, required, required_one_of, well_formed
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext, Table, always
from kubectl_applylint.server.validate.formats import qualified_name

_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")


def _alone(what: str) -> Constraint:
    """An asterisk stands for everything, and so alone."""

    def check(fld: FieldContext) -> Iterable[FieldError]:
        mixed = fld.size() > 1 and any(item.value == "*" for item in fld.items())
        return (fld.invalid(f"if '*' is present, must not specify other {what}"),) if mixed else ()

    return check


def _resources(fld: FieldContext) -> Iterator[FieldError]:
    """What the rule is about is said once, be it by name or with asterisks (``pods/*``, ``*/scale``)."""
    names, around_all, of_all = [item.text() for item in fld.items()], [], []
    for item in fld.items():
        resource, slash, part = item.text().partition("/")
        if not item.text():
            yield item.required()
        if not slash:
            continue
        if resource in around_all:
            yield item.invalid(f"if '{resource}/*' is present, must not specify {item.text()}")
        if part in of_all:
            yield item.invalid(f"if '*/{part}' is present, must not specify {item.text()}")
        around_all += [resource] if part == "*" else []
        of_all += [part] if resource == "*" else []
    if len(names) > 1 and "*/*" in names:
        yield fld.invalid("if '*/*' is present, must not specify other resources")
    whole = [name for name in names if name and "/" not in name]
    if "*" in names and whole[-1] != "*":
        yield fld.invalid("if '*' is present, must not specify other resources without subresources")


RULE: Final[Table] = {
    "operations": [required(), _alone("operations")],
    "operations[*]": [required_one_of(*_OPERATIONS)],
    "apiGroups": [required(), _alone("API groups")],
    "apiVersions": [required(), _alone("API versions")],
    "apiVersions[*]": [required()],
    "resources": [required(), _resources],
    "scope": [if_set(required_one_of("*", "Cluster", "Namespaced"))],
}
"""The constraints of one rule that says which requests are meant."""


def not_blank(detail: str = "") -> Constraint:
    """The text has more than spaces."""
    return always(lambda fld: () if fld.text().strip() else (fld.required(detail),))


def distinct(name: str) -> Constraint:
    """The elements of the list that have a text in the field ``name`` have different ones."""

    def check(fld: FieldContext) -> Iterator[FieldError]:
        seen: list[str] = []
        for item in fld.items():
            if item.text(name) and item.text(name) in seen:
                yield item.child(name).duplicate()
            seen.append(item.text(name))

    return check


REQUEST: Final = ("authorizer", "namespaceObject", "object", "oldObject", "request")
"""The variables that expressions about a request have."""


def match_conditions(declared: Callable[[FieldContext], Iterable[str]]) -> Table:
    """Return the constraints of the list of conditions under which a request is looked at."""
    return {
        "": [no_more_than(64), distinct("name")],
        "[*].expression": [not_blank(), speaks_of(declared)],
        "[*].name": [required(), well_formed(qualified_name)],
    }
