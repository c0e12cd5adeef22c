"""The schema of one Kubernetes version: the built-in kinds that ship as tables, and the CRDs that the caller brings."""

import re
from functools import partial

from kubectl_applylint.schema import tables
from kubectl_applylint.schema.types import Schema

_VERSION = re.compile(r"v?1\.(?P<minor>\d{1,3})(?:\.\d+)?(?:[-+].*)?\Z")


def load(version: str) -> Schema:
    """Return the schema of a Kubernetes version, spelled ``1.36``, ``1.36.3`` or ``v1.36.3-suffix``.

    Where no table of that minor ships, the nearest one answers and ``Schema.version`` differs from ``Schema.asked``.
    Raises ``ValueError`` for what is no version of Kubernetes.
    """
    match = _VERSION.match(version)
    if match is None:
        raise ValueError(f"not a Kubernetes version: {version!r}; write it like 1.36 or v1.36.3")
    asked = int(match["minor"])
    minor = min(max(asked, tables.OLDEST), tables.NEWEST)
    return Schema(version=f"1.{minor}", asked=f"1.{asked}", load_kind=partial(tables.kind, minor))
