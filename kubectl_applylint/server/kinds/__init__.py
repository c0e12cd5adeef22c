"""What a server does to single kinds, found by listing this folder: one module or package a kind.

Each offers one record, ``KIND``; the phases of a write look it up here. Kinds that only one or two phases know have no
entry: what is known of them stands in the tables of those phases.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from kubectl_applylint.schema.types import Gvk, Kind
from kubectl_applylint.server.kind_behaviour import KindBehaviour

_USUAL: Final = KindBehaviour()


def behaviour_of(kind: Kind) -> KindBehaviour:
    """Return what is particular to a kind."""
    return behaviours().get((kind.api_version, kind.name), _USUAL)


@cache
def behaviours() -> Mapping[Gvk, KindBehaviour]:
    """Return the records of all kinds that have one."""
    records = (_record(found.name) for found in iter_modules(__path__))
    return {record.gvk: record for record in records}


def _record(name: str) -> KindBehaviour:
    record: KindBehaviour = import_module(f"{__name__}.{name}").KIND
    return record
