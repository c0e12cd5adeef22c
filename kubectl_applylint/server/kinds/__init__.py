"""The specifics of single kinds in the server: one module or package for each kind, found by listing this folder.

Each has one record, ``KIND``, which the phases of a write look up. Kinds that only one or two phases treat specially
have no entry: the tables of those phases list them.
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
    """Return the specifics of a kind."""
    return behaviours().get((kind.api_version, kind.name), _USUAL)


@cache
def behaviours() -> Mapping[Gvk, KindBehaviour]:
    """Return the records of all kinds that have one."""
    records = (_record(found.name) for found in iter_modules(__path__))
    return {record.gvk: record for record in records}


def _record(name: str) -> KindBehaviour:
    record: KindBehaviour = import_module(f"{__name__}.{name}").KIND
    return record
