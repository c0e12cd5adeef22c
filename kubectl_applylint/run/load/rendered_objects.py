"""The objects of a unit as its tool sends them, without what the tool and the server add to each object."""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.load.reading import with_unit_namespace
from kubectl_applylint.run.load.run_input import RunInput


def rendered_objects(found: RunInput) -> tuple[JsonObject, ...]:
    """Return the objects of a unit in the order in which they are applied.

    They have the namespace that the tool gives to objects without one, if the repository names it.
    """
    if not found.subjects:
        return tuple(document.object for document in found.documents)
    flags, schema = found.subjects[0].flags, found.subjects[0].schema
    return tuple(document.object for document in with_unit_namespace(found.documents, schema, flags))
