"""What the server refuses of one kind: the form of its names and a table of constraints."""

from collections.abc import Mapping
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.server.validate.field_context import Table
from kubectl_applylint.server.validate.formats import Format, dns_subdomain

GroupKind: TypeAlias = tuple[str, str]
"""API group, empty for the core group, and kind: ``("apps", "Deployment")``."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The constraints of one kind: ``name`` is the form of its names, ``table`` holds all but the metadata's."""

    table: Table
    name: Format = dns_subdomain
    first: Table = field(default_factory=dict)
    """What the server checks before all else: if it objects to that, it does not look at the rest."""
    standard_finalizers: bool = True
    """Whether finalizers without a domain must be those that Kubernetes knows."""


Group: TypeAlias = Mapping[GroupKind, Rules]
"""What each module of ``validate`` offers: the rules of its kinds."""
