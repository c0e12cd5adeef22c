"""How the server reaches a webhook: a URL, or a Service of the cluster.

Mirrors apiserver's ``pkg/util/webhook/validation.go``.
"""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from kubectl_applylint.server.validate import dsl as v

_FORM: Final = "; desired format: https://host[/path]"


def webhook_url(fld: v.FieldContext) -> v.FieldErrors:
    """Require an https URL without user, query or fragment."""
    try:
        parts = urlsplit(fld.text())
    except ValueError as error:
        yield fld.required(f"url must be a valid URL: {error}{_FORM}")
        return
    user, _, host = parts.netloc.rpartition("@")
    if parts.scheme != "https":
        yield fld.invalid(f"'https' is the only allowed URL scheme{_FORM}", parts.scheme)
    if not host:
        yield fld.invalid(f"host must be specified{_FORM}", "")
    for what, words in (
        (user, "user information is not permitted in the URL"),
        (parts.fragment, "fragments are not permitted in the URL"),
        (parts.query, "query parameters are not permitted in the URL"),
    ):
        yield from (fld.invalid(words, what),) if what else ()


def webhook_service(fld: v.FieldContext) -> v.FieldErrors:
    """Require a name and a namespace of the Service. If one of the two is missing, the server names the other."""
    if not fld.text("name"):
        yield fld.child("namespace").required()
    if not fld.text("namespace"):
        yield fld.child("name").required()
    faults = v.port_number(fld.number("port"))
    if faults:
        yield fld.child("port").invalid(f"port is not valid: {', '.join(faults)}", fld.number("port"))
    yield from (fld.child("path").invalid(fault) for fault in _path_faults(fld.text("path")))


def _path_faults(path: str) -> Iterable[str]:
    if path in ("", "/"):
        return []
    if path == "//":
        return ["segment[0] may not be empty"]
    start = [] if path.startswith("/") else ["must start with a '/'"]
    return start + [fault for place, step in enumerate(_path_segments(path)) for fault in _segment_faults(place, step)]


def _path_segments(path: str) -> list[str]:
    return path[1:].removesuffix("/").split("/")


def _segment_faults(place: int, step: str) -> list[str]:
    if not step:
        return [f"segment[{place}] may not be empty"]
    return [f"segment[{place}]: {fault}" for fault in v.dns_subdomain(step)]
