"""Validates objects as the server does: constraints by API group, in tables that serve create and update alike.

``kinds`` returns the table of each kind; kinds with an entry in ``server/kinds`` bring their own. A table is compiled
when the first object of its kind is validated.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import MISSING, JsonObject
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.kinds import behaviours
from kubectl_applylint.server.validate import metadata
from kubectl_applylint.server.validate.field_context import FieldContext, Occasion, struct
from kubectl_applylint.server.validate.formats import path_segment
from kubectl_applylint.server.validate.result import ValidationResult
from kubectl_applylint.server.validate.rules import Group, GroupKind, Rules
from kubectl_applylint.server.validate.walk import Plan, plan, walk

_MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "": (*("config", "core", "events", "quotas", "replication_controllers"),),
    "admissionregistration.k8s.io": ("admission_policies", "webhooks"),
    "apiextensions.k8s.io": ("apiextensions",),
    "apiregistration.k8s.io": ("apiregistration",),
    "apps": ("core",),
    "autoscaling": ("autoscaling",),
    "certificates.k8s.io": ("certificates",),
    "coordination.k8s.io": ("coordination",),
    "discovery.k8s.io": ("discovery",),
    "events.k8s.io": ("events",),
    "flowcontrol.apiserver.k8s.io": ("flowcontrol",),
    "networking.k8s.io": ("ip_ranges", "networking"),
    "node.k8s.io": ("node",),
    "policy": ("policy",),
    "rbac.authorization.k8s.io": ("rbac",),
    "resource.k8s.io": ("resource",),
    "scheduling.k8s.io": ("scheduling",),
    "storage.k8s.io": ("storage",),
    "storagemigration.k8s.io": ("storagemigration",),
}
"""The modules in ``groups`` with the constraints of an API group. They are imported on demand, since importing all
takes as long as checking a file."""
_OPENSHIFT: Final = ("apps", "authorization", "build", "image", "oauth", "project", "route", "template", "user")
AGGREGATED: Final = frozenset({"projectcalico.org", *(f"{name}.openshift.io" for name in _OPENSHIFT)})
"""Groups that the API servers of OpenShift and Calico serve, not as custom resources: ``APIService`` objects of
openshift-apiserver-operator, authentication-operator and the Calico API server."""
_OTHER: Final = Rules({})
_CUSTOM: Final = Rules({}, standard_finalizers=False)


@cache
def kinds(group: str) -> Group:
    """Return the rules of each kind of an API group that has its own."""
    found: dict[GroupKind, Rules] = {}
    of_group = (f"{__name__}.groups.{name}" for name in _MODULES.get(group, ()))
    records = (record for (version, _), record in behaviours().items() if version.rpartition("/")[0] == group)
    for name in (*of_group, *(name for record in records for name in record.validation)):
        found.update(import_module(name).KINDS)
    return found


def validate(
    new: JsonObject, old: JsonObject | None, kind: Kind, version: str, *, asked: JsonObject | None = None
) -> tuple[FieldError, ...]:
    """Return the errors for which the server rejects an object, none if it stores it.

    ``new`` is the object after decoding, defaulting and admission, ``old`` the stored one (``None`` on create),
    ``version`` that of the server (``1.36``). ``asked`` is the object before the server allocated addresses and ports
    for it, ``new`` itself if it allocates none. Values that only the server knows are assumed to be valid.
    """
    first, rest = _plans((kind.api_version.rpartition("/")[0], kind.name))
    refusals = walk(_root_context(new if asked is None else asked, old, kind, version), first)
    return tuple(dict.fromkeys(refusals or walk(_root_context(new, old, kind, version), rest)))


def validate_custom(new: JsonObject, old: JsonObject | None, kind: Kind, version: str) -> ValidationResult:
    """Return the errors of a custom resource, and the rules that only the server can evaluate.

    Takes the same arguments as ``validate``; ``old`` is in the version in which ``new`` is written.
    """
    # An apply of built-in kinds need not wait the 14 ms that this takes.
    from kubectl_applylint.server.validate.custom.strategy import validate as validate_resource  # noqa: PLC0415

    fld = _root_context(new, old, kind, version)
    return validate_resource(fld, kind, tuple(dict.fromkeys(walk(fld, _custom_plan()))))


def validate_metadata(new: JsonObject, old: JsonObject | None, version: str) -> tuple[FieldError, ...]:
    """Return the metadata errors of an object whose kind has no known schema.

    Takes the same arguments as ``validate``. The object is treated as a custom resource, whose name is a DNS subdomain,
    unless its group is known to be served by an aggregated API server, which has other rules for names.
    """
    group = str(new.get("apiVersion")).partition("/")[0]
    occasion = Occasion(creating=old is None, minor=_minor(version))
    fld = FieldContext(new, MISSING if old is None else old, occasion=occasion)
    return tuple(dict.fromkeys(walk(fld, _metadata_plan(group in AGGREGATED))))


def _root_context(new: JsonObject, old: JsonObject | None, kind: Kind, version: str) -> FieldContext:
    occasion = Occasion(creating=old is None, minor=_minor(version), namespaced=kind.namespaced)
    return FieldContext(new, MISSING if old is None else old, occasion=occasion)


def _minor(version: str) -> int:
    return int(version.split(".")[1])


@cache
def _plans(kind: GroupKind) -> tuple[Plan, Plan]:
    """Return the compiled plans of a kind."""
    return _compile_rules(kinds(kind[0]).get(kind, _OTHER))


@cache
def _custom_plan() -> Plan:
    """Return the plan for the metadata of custom resources."""
    return _compile_rules(_CUSTOM)[1]


@cache
def _metadata_plan(is_aggregated: bool) -> Plan:
    """Return the plan for metadata without a schema."""
    every = metadata.table(path_segment if is_aggregated else _CUSTOM.name)
    return plan([{"metadata": [struct, {key: every[key] for key in ("name", "labels", "annotations", "finalizers")}]}])


def _compile_rules(rules: Rules) -> tuple[Plan, Plan]:
    """Return the plan of the checks that come first, and the plan of the rest."""
    finalizers = metadata.STANDARD_FINALIZERS if rules.standard_finalizers else {}
    rest = plan([{"metadata": [struct, metadata.table(rules.name), finalizers]}, rules.table])
    return plan(rules.first), rest
