"""What the server refuses: constraints by API group, in tables that serve create and update alike.

``KINDS`` says which table holds for which kind. A table is made ready when the first object of its kind comes.
"""

from functools import cache
from itertools import chain
from typing import Final

from kubectl_applylint.outcome import Refusal
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.validate import metadata
from kubectl_applylint.server.validate.admission_policies import ADMISSION_POLICIES
from kubectl_applylint.server.validate.apiextensions import APIEXTENSIONS
from kubectl_applylint.server.validate.apiregistration import APIREGISTRATION
from kubectl_applylint.server.validate.autoscaling import AUTOSCALING
from kubectl_applylint.server.validate.certificates import CERTIFICATES
from kubectl_applylint.server.validate.config import CONFIG
from kubectl_applylint.server.validate.coordination import COORDINATION
from kubectl_applylint.server.validate.core import CORE
from kubectl_applylint.server.validate.custom import Judgement, judge
from kubectl_applylint.server.validate.discovery import DISCOVERY
from kubectl_applylint.server.validate.events import EVENTS
from kubectl_applylint.server.validate.flowcontrol import FLOWCONTROL
from kubectl_applylint.server.validate.ip_ranges import IP_RANGES
from kubectl_applylint.server.validate.jobs import JOBS
from kubectl_applylint.server.validate.networking import NETWORKING
from kubectl_applylint.server.validate.node import NODE
from kubectl_applylint.server.validate.persistent_claims import PERSISTENT_CLAIMS
from kubectl_applylint.server.validate.persistent_volumes import PERSISTENT_VOLUMES
from kubectl_applylint.server.validate.pods.kinds import PODS
from kubectl_applylint.server.validate.policy import POLICY
from kubectl_applylint.server.validate.quotas import QUOTAS
from kubectl_applylint.server.validate.rbac import RBAC
from kubectl_applylint.server.validate.resource import RESOURCE
from kubectl_applylint.server.validate.rules import Group, GroupKind, Rules
from kubectl_applylint.server.validate.scheduling import SCHEDULING
from kubectl_applylint.server.validate.services import SERVICES
from kubectl_applylint.server.validate.spots import Occasion, Spot, struct
from kubectl_applylint.server.validate.stateful_sets import STATEFUL_SETS
from kubectl_applylint.server.validate.storage import STORAGE
from kubectl_applylint.server.validate.storagemigration import STORAGEMIGRATION
from kubectl_applylint.server.validate.walk import Plan, plan, walk
from kubectl_applylint.server.validate.webhooks import WEBHOOKS
from kubectl_applylint.server.validate.workloads import WORKLOADS
from kubectl_applylint.values import MISSING, JsonObject

_GROUPS: Final[tuple[Group, ...]] = (
    *(PODS, WORKLOADS, STATEFUL_SETS, JOBS, SERVICES, CONFIG),
    *(AUTOSCALING, COORDINATION, CORE, DISCOVERY, EVENTS, IP_RANGES, NETWORKING, NODE, PERSISTENT_CLAIMS),
    *(PERSISTENT_VOLUMES, POLICY, QUOTAS, RBAC, SCHEDULING, STORAGE, ADMISSION_POLICIES, WEBHOOKS),
    *(APIEXTENSIONS, APIREGISTRATION, CERTIFICATES, FLOWCONTROL, RESOURCE, STORAGEMIGRATION),
)
"""What each API group refuses: one mapping a module."""
KINDS: Final[dict[GroupKind, Rules]] = dict(chain.from_iterable(group.items() for group in _GROUPS))
_OTHER: Final = Rules({})
_CUSTOM: Final = Rules({}, standard_finalizers=False)


def validate(
    new: JsonObject, old: JsonObject | None, kind: Kind, version: str, *, asked: JsonObject | None = None
) -> tuple[Refusal, ...]:
    """Return why the server refuses to store an object, nothing if it does not.

    ``new`` is the object as decoding, defaulting and admission leave it, ``old`` the stored one (``None`` when it is
    created), ``version`` that of the server (``1.36``). ``asked`` is the object before the server chose addresses and
    ports for it, ``new`` itself where it chooses none. Values that only the server can know are taken to be right.
    """
    spot = _spot(new, old, kind, version)
    first, rest = _plans((kind.api_version.rpartition("/")[0], kind.name))
    refusals = walk(spot if asked is None else spot.with_value(asked), first)
    return tuple(dict.fromkeys(refusals or walk(spot, rest)))


def validate_custom(new: JsonObject, old: JsonObject | None, kind: Kind, version: str) -> Judgement:
    """Return why the server refuses to store a custom resource, and the rules of which only it can tell.

    Takes the same as ``validate``; ``old`` is in the version in which ``new`` is written.
    """
    spot = _spot(new, old, kind, version)
    return judge(spot, kind, tuple(dict.fromkeys(walk(spot, _custom_plan()))))


def _spot(new: JsonObject, old: JsonObject | None, kind: Kind, version: str) -> Spot:
    occasion = Occasion(creating=old is None, minor=_minor(version), namespaced=kind.namespaced)
    return Spot(new, MISSING if old is None else old, occasion=occasion)


def _minor(version: str) -> int:
    return int(version.split(".")[1])


@cache
def _plans(kind: GroupKind) -> tuple[Plan, Plan]:
    return _ready(KINDS.get(kind, _OTHER))


@cache
def _custom_plan() -> Plan:
    return _ready(_CUSTOM)[1]


def _ready(rules: Rules) -> tuple[Plan, Plan]:
    """Return the plan of what is checked before all else, and that of the rest."""
    finalizers = metadata.STANDARD_FINALIZERS if rules.standard_finalizers else {}
    rest = plan([{"metadata": [struct, metadata.table(rules.name), finalizers]}, rules.table])
    return plan(rules.first), rest
