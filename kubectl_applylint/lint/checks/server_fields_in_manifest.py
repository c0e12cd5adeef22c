"""Fields that a manifest had better not have."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import Field, get, is_filled, parse, render
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Hit, Subject


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the first of the fields ``params["paths"]`` that the manifest fills in. Facts: fields (all of them).

    What holds only nulls and empty values, as code generators write it, counts as not there, and so does the status of
    kinds whose status an apply may write.
    """
    kind = subject.kind
    own_status = kind is None or "status" not in kind.subresources or subject.flags.subresource == "status"
    paths = [path for path in map(parse, params["paths"]) if not (own_status and path[0] == Field("status"))]
    found = [path for path in paths if is_filled(get(subject.manifest, path))]
    if found:
        yield Hit(found[0], {"fields": ", ".join(map(render, found))})
