"""Node ports and addresses that other Services have already.

Mirrors pkg/registry/core/service/storage/alloc.go. A node port is one number for all protocols.
"""

from collections.abc import Iterable

from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.kinds.service.types import HEADLESS
from kubectl_applylint.server.validate import dsl as v

_INVALID = "FieldValueInvalid"


def clashes(service: JsonObject, others: Iterable[JsonObject]) -> v.FieldErrors:
    """Yield errors for node ports and addresses that a Service requests and that ``others`` have.

    ``others`` is not read if it requests none.
    """
    spec = mapping(service.get("spec"))
    if not _addresses(spec) and not any(_ports(spec)):
        return
    given = [mapping(other.get("spec")) for other in others]
    addresses = {address for other in given for address in _addresses(other)}
    for index, address in enumerate(_addresses(spec)):
        if address in addresses:
            message = f"Invalid value: {_quote(spec.get('clusterIPs'))}: failed to allocate IP {address}:"
            yield v.FieldError(f"spec.clusterIPs[{index}]", _INVALID, f"{message} provided IP is already allocated")
    ports = {port for other in given for port in _ports(other)}
    for index, port in enumerate(_ports(spec)):
        if port is not None and port in ports:
            message = f"Invalid value: {port}: provided port is already allocated"
            yield v.FieldError(f"spec.ports[{index}].nodePort", _INVALID, message)


def _quote(values: Json) -> str:
    return "[" + ",".join(f'"{value}"' for value in values or []) + "]"


def _addresses(spec: JsonObject) -> list[str]:
    """Return the known addresses; an address that the server allocates is unknown, and unique."""
    given = spec.get("clusterIPs") or []
    return [address for address in given if isinstance(address, str) and address != HEADLESS]


def _ports(spec: JsonObject) -> list[int | None]:
    ports = [mapping(port).get("nodePort") for port in spec.get("ports") or []]
    return [port if isinstance(port, int) and port else None for port in ports]
