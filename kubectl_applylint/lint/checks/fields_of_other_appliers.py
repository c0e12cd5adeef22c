"""Fields of the manifest that another manager applies as well."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.lint.checks._owners import other_appliers
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.merge.fieldset import to_path


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield for each other applier the first field of the manifest that it owns.

    ``params["except"]`` are ignored managers. Facts: manager, fields (the first three), count.
    """
    for manager, shared in other_appliers(subject):
        paths = [to_path(elements) for elements in shared.paths()]
        if manager not in params["except"]:
            named = ", ".join(map(render, paths[:3])) + (" and more" if len(paths) > 3 else "")
            yield Hit(paths[0], {"manager": manager, "fields": named, "count": len(paths)})
