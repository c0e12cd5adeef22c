"""The rules of one kind: the format of its names and a table of constraints."""

from collections.abc import Mapping
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.server.validate.field_context import Table
from kubectl_applylint.server.validate.formats import Format, dns_subdomain

GroupKind: TypeAlias = tuple[str, str]
"""API group, empty for the core group, and kind: ``("apps", "Deployment")``."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The constraints of one kind: ``name`` is the format of its names, ``table`` holds all except the metadata's."""

    table: Table
    name: Format = dns_subdomain
    first: Table = field(default_factory=dict)
    """The checks that come first: after errors in them, the server does not check the rest."""
    standard_finalizers: bool = True
    """Whether finalizers without a domain must be known to Kubernetes."""


Group: TypeAlias = Mapping[GroupKind, Rules]
"""The rules of the kinds in a module of ``validate``."""
