"""Environment variables that refer to later ones."""

from typing import Final

from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, dig, mapping, objects_at
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import POD_SPECS, kind_of

_REFERENCE: Final = regex(r"\$(\$|\(([A-Za-z_][A-Za-z0-9_.-]*)\))")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each variable of a container that refers to one which only comes later in the applied list.

    Facts: ``variable``, ``later`` (the one that it refers to), ``container``.
    """
    where = POD_SPECS[kind_of(subject.document)]
    spec = mapping(dig(after_apply(subject), *where))
    for part in ("initContainers", "containers"):
        for position, container in enumerate(objects_at(spec, part)):
            path = (*fields(*where), Field(part), Index(position), Field("env"))
            yield from _misplaced_references(container, path)


def _misplaced_references(container: JsonObject, path: Path) -> Hits:
    """Yield the references to later variables in one container."""
    variables = objects_at(container, "env")
    names = [str(variable.get("name", "")) for variable in variables]
    for position, variable in enumerate(variables):
        text = variable.get("value")
        wanted = {name for _, name in _REFERENCE.findall(text)} if isinstance(text, str) else set()
        for later in sorted(wanted & set(names[position:]) - set(names[:position])):
            facts = {"variable": names[position], "later": later, "container": str(container.get("name", ""))}
            yield Hit((*path, Index(position), Field("value")), facts)
