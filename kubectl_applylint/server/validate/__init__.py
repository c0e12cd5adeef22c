"""What the server refuses: constraints by API group, in tables that serve create and update alike.

``KINDS`` says which table holds for which kind. A table is made ready when the first object of its kind comes.
"""

from functools import cache
from itertools import chain
from typing import Final

from kubectl_applylint.outcome import Refusal
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.validate import metadata
from kubectl_applylint.server.validate.config import CONFIG
from kubectl_applylint.server.validate.jobs import JOBS
from kubectl_applylint.server.validate.pods.kinds import PODS
from kubectl_applylint.server.validate.rules import Group, GroupKind, Rules
from kubectl_applylint.server.validate.services import SERVICES
from kubectl_applylint.server.validate.spots import Occasion, Spot, struct
from kubectl_applylint.server.validate.stateful_sets import STATEFUL_SETS
from kubectl_applylint.server.validate.walk import Plan, plan, walk
from kubectl_applylint.server.validate.workloads import WORKLOADS
from kubectl_applylint.values import MISSING, JsonObject

_GROUPS: Final[tuple[Group, ...]] = (PODS, WORKLOADS, STATEFUL_SETS, JOBS, SERVICES, CONFIG)
"""What each API group refuses: one mapping a module."""
KINDS: Final[dict[GroupKind, Rules]] = dict(chain.from_iterable(group.items() for group in _GROUPS))
_OTHER: Final = Rules({})


def validate(
    new: JsonObject, old: JsonObject | None, kind: Kind, version: str, *, asked: JsonObject | None = None
) -> tuple[Refusal, ...]:
    """Return why the server refuses to store an object, nothing if it does not.

    ``new`` is the object as decoding, defaulting and admission leave it, ``old`` the stored one (``None`` when it is
    created), ``version`` that of the server (``1.36``). ``asked`` is the object before the server chose addresses and
    ports for it, ``new`` itself where it chooses none. Values that only the server can know are taken to be right.
    """
    occasion = Occasion(creating=old is None, minor=_minor(version), namespaced=kind.namespaced)
    before = MISSING if old is None else old
    first, rest = _plans((kind.api_version.rpartition("/")[0], kind.name))
    refusals = walk(Spot(new if asked is None else asked, before, occasion=occasion), first)
    return tuple(dict.fromkeys(refusals or walk(Spot(new, before, occasion=occasion), rest)))


def _minor(version: str) -> int:
    return int(version.split(".")[1])


@cache
def _plans(kind: GroupKind) -> tuple[Plan, Plan]:
    rules = KINDS.get(kind, _OTHER)
    finalizers = metadata.STANDARD_FINALIZERS if rules.standard_finalizers else {}
    rest = plan([{"metadata": [struct, metadata.table(rules.name), finalizers]}, rules.table])
    return plan(rules.first), rest
