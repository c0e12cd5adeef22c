"""The common parts of webhooks and admission policies: the requests that they match, and match conditions.

Mirrors ``validateRule`` and ``validateMatchConditions`` of ``pkg/apis/admissionregistration/validation``.
"""

from collections.abc import Callable, Iterable
from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.cel_names import uses_only_variables

_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")


def _resources(fld: v.FieldContext) -> v.FieldErrors:
    """Require that each resource is covered once, by name or with an asterisk (``pods/*``, ``*/scale``)."""
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


RULE: Final[v.Table] = {
    "operations": [v.required(), v.star_alone("operations")],
    "operations[*]": [v.required_one_of(*_OPERATIONS)],
    "apiGroups": [v.required(), v.star_alone("API groups")],
    "apiVersions": [v.required(), v.star_alone("API versions")],
    "apiVersions[*]": [v.required()],
    "resources": [v.required(), _resources],
    "scope": [v.if_set(v.required_one_of("*", "Cluster", "Namespaced"))],
}
"""The constraints of one rule that selects requests."""


def not_blank(detail: str = "") -> v.Constraint:
    """Require a text with more than spaces."""
    return v.always(lambda fld: () if fld.text().strip() else (fld.required(detail),))


def distinct(name: str) -> v.Constraint:
    """Require distinct texts in the field ``name`` of the elements of the list."""

    def check(fld: v.FieldContext) -> v.FieldErrors:
        seen: list[str] = []
        for item in fld.items():
            if item.text(name) and item.text(name) in seen:
                yield item.child(name).duplicate()
            seen.append(item.text(name))

    return check


REQUEST: Final = ("authorizer", "namespaceObject", "object", "oldObject", "request")
"""The variables of expressions about a request."""


def match_conditions(declared: Callable[[v.FieldContext], Iterable[str]]) -> v.Table:
    """Return the constraints of the list of match conditions."""
    return {
        "": [v.no_more_than(64), distinct("name")],
        "[*].expression": [not_blank(), uses_only_variables(declared)],
        "[*].name": [v.required(), v.well_formed(v.qualified_name)],
    }
