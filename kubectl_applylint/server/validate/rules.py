"""What the server refuses of one kind: the form of its names and a table of constraints."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kubectl_applylint.server.validate.formats import Format, dns_subdomain
from kubectl_applylint.server.validate.spots import Table

GroupKind: TypeAlias = tuple[str, str]
"""API group, empty for the core group, and kind: ``("apps", "Deployment")``."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The constraints of one kind: ``name`` is the form of its names, ``table`` holds all but the metadata's."""

    table: Table
    name: Format = dns_subdomain
    standard_finalizers: bool = True
    """Whether finalizers without a domain must be those that Kubernetes knows."""


Group: TypeAlias = Mapping[GroupKind, Rules]
"""What each module of ``validate`` offers: the rules of its kinds."""
