"""Fields in a manifest that only the server writes."""

from kubectl_applylint.core.paths import Field, get, is_filled, parse, render
from kubectl_applylint.core.server_fields import PATHS
from kubectl_applylint.lint.fixes.field_edits import RemoveField
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first field of the server that the manifest contains. Facts: fields (all of them).

    ``params["only"]`` or ``params["except"]`` are the included or excluded fields, ``params["also"]`` further ones.
    Fields with only nulls and empty values, as written by code generators, count as absent, and so does the status of
    kinds whose status an apply may write.
    """
    kind = subject.kind
    own_status = kind is None or "status" not in kind.subresources or subject.flags.subresource == "status"
    only, left_out, more = (tuple(map(parse, params.get(key, ()))) for key in ("only", "except", "also"))
    paths = [path for path in (*(only or PATHS), *more) if path not in left_out]
    meant = [path for path in paths if not (own_status and path[0] == Field("status"))]
    found = [path for path in meant if is_filled(get(subject.manifest, path))]
    if found:
        yield Hit(found[0], {"fields": ", ".join(map(render, found))}, edits=tuple(map(RemoveField, found)))
