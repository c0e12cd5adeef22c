"""All tables of defaults, by the place that they are for."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server import kinds
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.defaults.admissionregistration import ADMISSION, ADMISSION_ALPHA, ADMISSION_BETA
from kubectl_applylint.server.defaults.apiregistration import API_REGISTRATION
from kubectl_applylint.server.defaults.certificates import CERTIFICATES
from kubectl_applylint.server.defaults.core import CORE
from kubectl_applylint.server.defaults.differences import holds
from kubectl_applylint.server.defaults.flowcontrol import FLOW_CONTROL, FLOW_CONTROL_BETA
from kubectl_applylint.server.defaults.networking import DISCOVERY, NETWORKING
from kubectl_applylint.server.defaults.rbac import RBAC
from kubectl_applylint.server.defaults.resource import CLAIMS_BY_CONTROLLER, DEVICES, DEVICES_FLAT, POOL_STATUS
from kubectl_applylint.server.defaults.scheduling import COMPOSITE_POD_GROUPS, OLD_POD_GROUPS, POD_GROUPS, SCHEDULING
from kubectl_applylint.server.defaults.storage import STORAGE
from kubectl_applylint.server.defaults.volumes import VOLUMES

_GROUPS: Final[tuple[Defaults, ...]] = (
    ADMISSION,
    ADMISSION_ALPHA,
    ADMISSION_BETA,
    API_REGISTRATION,
    CERTIFICATES,
    CLAIMS_BY_CONTROLLER,
    COMPOSITE_POD_GROUPS,
    CORE,
    DEVICES,
    DEVICES_FLAT,
    DISCOVERY,
    FLOW_CONTROL,
    FLOW_CONTROL_BETA,
    NETWORKING,
    OLD_POD_GROUPS,
    POD_GROUPS,
    POOL_STATUS,
    RBAC,
    SCHEDULING,
    STORAGE,
    VOLUMES,
)


@dataclass(frozen=True, slots=True)
class DefaultEntry:
    """The defaults of one place: a declared type, or the position of a struct below one."""

    constant: JsonObject
    derived: tuple[Derived, ...]


@cache
def tables() -> tuple[Defaults, ...]:
    """Return all tables: those of API groups, and those of kinds that have an entry in ``server/kinds``."""
    of_kinds = (record.defaults for record in kinds.behaviours().values())
    return (*_GROUPS, *(table for table in of_kinds if table is not None))


@cache
def entries(minor: int) -> Mapping[str, DefaultEntry]:
    """Return the defaults of Kubernetes 1.``minor`` by place, for example ``io.k8s.api.apps.v1.Deployment.spec``."""
    return {place: entry for table in tables() for place, entry in _entries_of(table, minor)}


def _entries_of(table: Defaults, minor: int) -> Iterator[tuple[str, DefaultEntry]]:
    group = table.package.rpartition(".")[2]
    for version in table.versions:
        for place in {**table.constant, **table.derived}:
            name = f"{group}.{version}.{place}"
            constant = {f: v for f, v in table.constant.get(place, {}).items() if holds(f"{name}.{f}", minor)}
            derived = tuple(rule for rule in table.derived.get(place, ()) if _any_holds(name, rule.fields, minor))
            yield f"{table.package}.{version}.{place}", DefaultEntry(constant, derived)


def _any_holds(name: str, fields: Iterable[str], minor: int) -> bool:
    return any(holds(f"{name}.{field}", minor) for field in fields)
