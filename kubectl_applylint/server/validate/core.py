"""Namespace, ServiceAccount, Endpoints, Node, PodTemplate, ControllerRevision.

Mirrors ``pkg/apis/core/validation``, and ``pkg/apis/apps/validation`` for ControllerRevisions.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.server.validate.addresses import (
    address_faults,
    block_faults,
    is_strict,
    parse_address,
    special_address_faults,
)
from kubectl_applylint.server.validate.blocks import parse_block
from kubectl_applylint.server.validate.conditions import or_empty, or_zero
from kubectl_applylint.server.validate.constraints import (
    at_least,
    between,
    on_create,
    on_update,
    required_and_one_of,
    same,
    unchangeable,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import (
    Always,
    Constraint,
    FieldContext,
    Table,
    always,
    is_empty,
    struct,
)
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain, label_value, qualified_name
from kubectl_applylint.server.validate.metadata import standard_or_qualified
from kubectl_applylint.server.validate.pods.spec import POD_TEMPLATE
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import a_label_name
from kubectl_applylint.server.validate.walk import inside

_PORT: Final = between(1, 65535)
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def _namespace_finalizers(fld: FieldContext) -> Iterator[FieldError]:
    for item in fld.items():
        place = fld.with_value(item.value)
        yield from (place.invalid(fault) for fault in qualified_name(item.text()))
        yield from standard_or_qualified(place)


_NAMESPACE: Final[Table] = {"spec.finalizers": [_namespace_finalizers]}


def _some_address(fld: FieldContext) -> Iterable[FieldError]:
    given = fld.has("addresses") or fld.has("notReadyAddresses")
    return () if given else (fld.required("must specify `addresses` or `notReadyAddresses`"),)


@always
def _address(fld: FieldContext) -> Iterable[FieldError]:
    """The text is an address that another machine can have."""
    text = fld.text()
    faults = address_faults(text, strict=is_strict(fld))
    unreadable = ["must be a valid IP address"] if parse_address(text) is None else []
    return [fld.invalid(fault, text) for fault in (*faults, *unreadable, *special_address_faults(text))]


_ADDRESS: Final[Table] = {
    "ip": [_address],
    "hostname": [well_formed(dns_label)],
    "nodeName": [well_formed(dns_subdomain, even_empty=True)],
}


def _named_among_others(fld: FieldContext) -> Iterable[FieldError]:
    """A port that is not the only one has a name; ``fld`` is the list."""
    unnamed = (item.child("name") for item in fld.items() if fld.size() > 1 and not item.text("name"))
    return [name.required() for name in unnamed]


_subsets = inside(
    {
        "subsets[*]": [_some_address],
        "subsets[*].addresses[*]": _ADDRESS,
        "subsets[*].notReadyAddresses[*]": _ADDRESS,
        "subsets[*].ports": [_named_among_others],
        "subsets[*].ports[*]": {
            "name": [well_formed(dns_label)],
            "port": [or_zero(_PORT)],
            "protocol": [required_and_one_of("SCTP", "TCP", "UDP")],
            "appProtocol": [well_formed(qualified_name, even_empty=True)],
        },
    }
)


def _new_subsets(fld: FieldContext) -> Iterable[FieldError]:
    """What was stored may stay as it is, and is then not looked at; ``fld`` is the object."""
    return () if not fld.creating and same(fld.get("subsets"), fld.before().get("subsets")) else _subsets(fld)


def _distinct_taints(fld: FieldContext) -> Iterator[FieldError]:
    """No two taints have the same key and effect; ``fld`` is the list."""
    seen: list[tuple[str, str]] = []
    for taint in fld.items():
        identity = (taint.text("key"), taint.text("effect"))
        if identity in seen:
            twice = taint.duplicate()
            yield replace(twice, message=f"{twice.message}: taints must be unique by key and effect pair")
        seen.append(identity)


def _taint_value(fld: FieldContext) -> Iterable[FieldError]:
    faults = label_value(fld.text())
    return (fld.invalid(";".join(faults)),) if faults else ()


def _kept_once_set(name: str) -> Constraint:
    words = f'node updates may not change {name} except from "" to valid'
    return Always(lambda fld: (fld.forbidden(words),) if not is_empty(fld.old) and not same(fld.value, fld.old) else ())


def _pod_blocks(fld: FieldContext) -> Iterator[FieldError]:
    """The addresses of the pods of a node: one block, or one of each family."""
    for item in fld.items():
        yield from (item.invalid(fault) for fault in block_faults(item.text(), strict=is_strict(fld)))
    families = [block.version if (block := parse_block(item.text())) else 0 for item in fld.items()]
    if len(families) > 1 and sorted(families) != [4, 6]:
        yield fld.invalid("may specify no more than one CIDR for each IP family")


def _one_config(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.sets("configMap") else (fld.invalid("exactly one reference subfield must be non-nil"),)


@always
def _kept_id(fld: FieldContext) -> Iterable[FieldError]:
    return () if same(fld.value, fld.old) else (fld.forbidden("may not be updated"),)


_taints: Final = inside(
    {
        "": [_distinct_taints],
        "[*].key": [or_empty(a_label_name)],
        "[*].value": [_taint_value],
        "[*].effect": [required_and_one_of(*_EFFECTS)],
    }
)


def _taints_of_spec(fld: FieldContext) -> Iterable[FieldError]:
    """What is wrong with the taints is said as if they stood in the metadata, which is ``fld``."""
    taints = fld.root.get("spec", "taints")
    return _taints(fld.child("taints").with_value(taints)) if taints is not MISSING else ()


_NODE: Final[Table] = {
    "metadata": [_taints_of_spec],
    "spec.podCIDRs": [_pod_blocks, on_update(_kept_once_set("podCIDR"))],
    "spec.providerID": [on_update(_kept_once_set("providerID"))],
    "spec.configSource": [on_update(_one_config)],
    "spec.externalID": [on_update(_kept_id)],
}


def _json_object(fld: FieldContext) -> Iterable[FieldError]:
    """The data of a revision is an object."""
    if not fld.there:
        return (fld.required("data is mandatory"),)
    return () if isinstance(fld.value, dict) else (fld.required("data must be a valid JSON object"),)


_CONTROLLER_REVISION: Final[Table] = {
    "data": [on_create(Always(_json_object)), unchangeable],
    "revision": [at_least(0)],
}

KINDS: Final[Group] = {
    ("", "Namespace"): Rules(_NAMESPACE, name=dns_label),
    ("", "ServiceAccount"): Rules({}),
    ("", "Endpoints"): Rules({"": [_new_subsets]}),
    ("", "Node"): Rules(_NODE),
    ("", "PodTemplate"): Rules({"template": [struct, POD_TEMPLATE]}),
    ("apps", "ControllerRevision"): Rules(_CONTROLLER_REVISION),
}
