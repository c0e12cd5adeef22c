"""Namespace, ServiceAccount, Endpoints, Node, PodTemplate, ControllerRevision.

Mirrors ``pkg/apis/core/validation``, and ``pkg/apis/apps/validation`` for ControllerRevisions.
"""

from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.addresses import (
    address_faults,
    block_faults,
    is_strict,
    parse_address,
    special_address_faults,
)
from kubectl_applylint.server.validate.blocks import parse_block
from kubectl_applylint.server.validate.metadata import standard_or_qualified
from kubectl_applylint.server.validate.pods.spec import POD_TEMPLATE

_PORT: Final = v.between(1, 65535)
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def _namespace_finalizers(fld: v.FieldContext) -> v.FieldErrors:
    for item in fld.items():
        place = fld.with_value(item.value)
        yield from (place.invalid(fault) for fault in v.qualified_name(item.text()))
        yield from standard_or_qualified(place)


_NAMESPACE: Final[v.Table] = {"spec.finalizers": [_namespace_finalizers]}


def _some_address(fld: v.FieldContext) -> v.FieldErrors:
    given = fld.has("addresses") or fld.has("notReadyAddresses")
    return () if given else (fld.required("must specify `addresses` or `notReadyAddresses`"),)


@v.always
def _address(fld: v.FieldContext) -> v.FieldErrors:
    """Require an address that another machine can have."""
    text = fld.text()
    faults = address_faults(text, strict=is_strict(fld))
    unreadable = ["must be a valid IP address"] if parse_address(text) is None else []
    return [fld.invalid(fault, text) for fault in (*faults, *unreadable, *special_address_faults(text))]


_ADDRESS: Final[v.Table] = {
    "ip": [_address],
    "hostname": [v.well_formed(v.dns_label)],
    "nodeName": [v.well_formed(v.dns_subdomain, even_empty=True)],
}


def _named_among_others(fld: v.FieldContext) -> v.FieldErrors:
    """Require a name for a port that is not the only one; ``fld`` is the list."""
    unnamed = (item.child("name") for item in fld.items() if fld.size() > 1 and not item.text("name"))
    return [name.required() for name in unnamed]


_subsets = v.inside(
    {
        "subsets[*]": [_some_address],
        "subsets[*].addresses[*]": _ADDRESS,
        "subsets[*].notReadyAddresses[*]": _ADDRESS,
        "subsets[*].ports": [_named_among_others],
        "subsets[*].ports[*]": {
            "name": [v.well_formed(v.dns_label)],
            "port": [v.or_zero(_PORT)],
            "protocol": [v.required_and_one_of("SCTP", "TCP", "UDP")],
            "appProtocol": [v.well_formed(v.qualified_name, even_empty=True)],
        },
    }
)


def _new_subsets(fld: v.FieldContext) -> v.FieldErrors:
    """Check the subsets unless they are unchanged; ``fld`` is the object."""
    return () if not fld.creating and v.same(fld.get("subsets"), fld.before().get("subsets")) else _subsets(fld)


def _distinct_taints(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid two taints with the same key and effect; ``fld`` is the list."""
    seen: list[tuple[str, str]] = []
    for taint in fld.items():
        identity = (taint.text("key"), taint.text("effect"))
        if identity in seen:
            twice = taint.duplicate()
            yield replace(twice, message=f"{twice.message}: taints must be unique by key and effect pair")
        seen.append(identity)


def _taint_value(fld: v.FieldContext) -> v.FieldErrors:
    faults = v.label_value(fld.text())
    return (fld.invalid(";".join(faults)),) if faults else ()


def _immutable_once_set(name: str) -> v.Constraint:
    """Forbid changes of a field of nodes that is set."""
    words = f'node updates may not change {name} except from "" to valid'
    return v.Always(
        lambda fld: (fld.forbidden(words),) if not v.is_empty(fld.old) and not v.same(fld.value, fld.old) else ()
    )


def _pod_blocks(fld: v.FieldContext) -> v.FieldErrors:
    """Require one block of pod addresses of a node, or one of each family."""
    for item in fld.items():
        yield from (item.invalid(fault) for fault in block_faults(item.text(), strict=is_strict(fld)))
    families = [block.version if (block := parse_block(item.text())) else 0 for item in fld.items()]
    if len(families) > 1 and sorted(families) != [4, 6]:
        yield fld.invalid("may specify no more than one CIDR for each IP family")


_taints: Final = v.inside(
    {
        "": [_distinct_taints],
        "[*].key": [v.or_empty(v.a_label_name)],
        "[*].value": [_taint_value],
        "[*].effect": [v.required_and_one_of(*_EFFECTS)],
    }
)


def _taints_of_spec(fld: v.FieldContext) -> v.FieldErrors:
    """Check the taints, with error paths as if they were in the metadata, which is ``fld``."""
    taints = fld.root.get("spec", "taints")
    return _taints(fld.child("taints").with_value(taints)) if taints is not MISSING else ()


_NODE: Final[v.Table] = {
    "metadata": [_taints_of_spec],
    "spec.podCIDRs": [_pod_blocks, v.on_update(_immutable_once_set("podCIDR"))],
    "spec.providerID": [v.on_update(_immutable_once_set("providerID"))],
    "spec.configSource": [
        v.on_update(v.must(lambda fld: fld.sets("configMap"), "exactly one reference subfield must be non-nil"))
    ],
    "spec.externalID": [v.update_forbidden("may not be updated")],
}


def _json_object(fld: v.FieldContext) -> v.FieldErrors:
    """Require an object as the data of a revision."""
    if not fld.there:
        return (fld.required("data is mandatory"),)
    return () if isinstance(fld.value, dict) else (fld.required("data must be a valid JSON object"),)


_CONTROLLER_REVISION: Final[v.Table] = {
    "data": [v.on_create(v.Always(_json_object)), v.unchangeable],
    "revision": [v.at_least(0)],
}

KINDS: Final[v.Group] = {
    ("", "Namespace"): v.Rules(_NAMESPACE, name=v.dns_label),
    ("", "ServiceAccount"): v.Rules({}),
    ("", "Endpoints"): v.Rules({"": [_new_subsets]}),
    ("", "Node"): v.Rules(_NODE),
    ("", "PodTemplate"): v.Rules({"template": [v.struct, POD_TEMPLATE]}),
    ("apps", "ControllerRevision"): v.Rules(_CONTROLLER_REVISION),
}
