"""Where pods may run: tolerations, affinity, topology spread, scheduling gates.

Mirrors ``ValidateTolerations``, ``validateAffinity``, ``validateTopologySpreadConstraints`` and their helpers.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate import dsl as v

_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_COMPARING: Final = ("Lt", "Gt")
_KEYS_MERGED_SINCE: Final = 34
_WHOLE_NUMBER: Final = regex("0|-?[1-9][0-9]*")


def toleration(fld: v.FieldContext) -> v.FieldErrors:
    """Require a known operator and effect of a toleration."""
    key, operator, effect = fld.child("key"), fld.child("operator"), fld.child("effect")
    yield from (key.invalid(fault) for fault in (v.qualified_name(key.text()) if key.text() else ()))
    if not key.text() and operator.value != "Exists":
        words = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield operator.invalid(words, operator.text())
    if fld.sets("tolerationSeconds") and effect.value != "NoExecute":
        yield effect.invalid("effect must be 'NoExecute' when `tolerationSeconds` is set", effect.text())
    yield from _value_of_toleration(fld)
    if effect.text() and effect.value not in _EFFECTS:
        yield effect.not_supported(_EFFECTS)


def _value_of_toleration(fld: v.FieldContext) -> v.FieldErrors:
    operator, value = fld.child("operator"), fld.text("value")
    match operator.text():
        case "" | "Equal":
            faults = v.label_value(value)
            yield from (operator.invalid(";".join(faults), value),) if faults else ()
        case "Exists":
            yield from (operator.invalid("value must be empty when `operator` is 'Exists'", value),) if value else ()
        case "Lt" | "Gt" if _compares_already(fld):
            if not _WHOLE_NUMBER.fullmatch(value):
                yield fld.child("value").invalid("must be a valid decimal integer in canonical form", value)
        case "Lt" | "Gt" if fld.occasion.minor >= 35:
            yield operator.not_supported(("Equal", "Exists", "Lt", "Gt"))
        case _:
            yield operator.not_supported(("Equal", "Exists"))


def _compares_already(fld: v.FieldContext) -> bool:
    """Return whether the stored pod has tolerations that compare numbers, which are off by default."""
    old = fld.nearest(".spec").before().child("tolerations").items()
    return any(toleration.get("operator") in _COMPARING for toleration in old)


def _node_requirement(fld: v.FieldContext) -> v.FieldErrors:
    """Check a requirement on a label of a node."""
    values, operator = fld.child("values"), fld.child("operator")
    match operator.text():
        case "In" | "NotIn":
            yield from (
                (values.required("must be specified when `operator` is 'In' or 'NotIn'"),) if values.empty else ()
            )
        case "Exists" | "DoesNotExist":
            words = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            yield from () if values.empty else (values.forbidden(words),)
        case "Gt" | "Lt":
            words = "must be specified single value when `operator` is 'Lt' or 'Gt'"
            yield from () if fld.size("values") == 1 else (values.required(words),)
        case _:
            yield operator.invalid("not a valid selector operator", operator.text())
    yield from v.a_label_name(fld.child("key"))


def _node_field_requirement(fld: v.FieldContext) -> v.FieldErrors:
    """Check a requirement on a field of a node: its name."""
    values, operator, key = fld.child("values"), fld.child("operator"), fld.child("key")
    if operator.value not in ("In", "NotIn"):
        yield operator.invalid("not a valid selector operator", operator.text())
    elif fld.size("values") != 1:
        yield values.required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector")
    if key.value != "metadata.name":
        yield key.invalid("not a valid field selector key", key.text())
        return
    for value in values.items():
        yield from (value.invalid(fault) for fault in v.dns_subdomain(value.text()))


NODE_SELECTOR_TERM: Final[v.Table] = {
    "matchExpressions[*]": [_node_requirement],
    "matchFields[*]": [_node_field_requirement],
}
"""The constraints of one term that selects nodes."""


def _had_bad_node_values(fld: v.FieldContext) -> bool:
    old = fld.nearest(".spec").before().at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    return any(v.has_bad_values(term.value) for term in old.child("nodeSelectorTerms").items())


def _had_bad_affinity_values(fld: v.FieldContext) -> bool:
    affinity = fld.nearest(".spec").before().child("affinity")
    return any(v.has_bad_values(term.get("labelSelector")) for term in _affinity_terms(affinity))


def _affinity_terms(affinity: v.FieldContext) -> Iterator[v.FieldContext]:
    for kind in ("podAffinity", "podAntiAffinity"):
        yield from affinity.at(kind, "requiredDuringSchedulingIgnoredDuringExecution").items()
        for term in affinity.at(kind, "preferredDuringSchedulingIgnoredDuringExecution").items():
            yield term.child("podAffinityTerm")


def _namespaces(fld: v.FieldContext) -> v.FieldErrors:
    place = fld.with_step(".namespace")
    for item in fld.items():
        yield from (place.invalid(fault, item.text()) for fault in v.dns_label(item.text()))


@v.always
def _topology_key(fld: v.FieldContext) -> v.FieldErrors:
    if not fld.text():
        yield fld.required("can not be empty")
    yield from v.a_label_name(fld)


def _label_keys(fld: v.FieldContext) -> v.FieldErrors:
    """Require valid label keys that a selector does not name already; ``fld`` is the term with both."""
    match_keys, selector = fld.child("matchLabelKeys"), fld.child("labelSelector")
    for keys in (match_keys, fld.child("mismatchLabelKeys")):
        if not keys.empty and not selector.there:
            yield keys.forbidden("must not be specified when labelSelector is not set")
        for key in keys.items() if selector.there else ():
            yield from v.a_label_name(key)
    yield from _keys_in_both(fld)
    for key in match_keys.items():
        if key.value in [other.value for other in fld.child("mismatchLabelKeys").items()]:
            yield key.invalid("exists in both matchLabelKeys and mismatchLabelKeys")


def _keys_in_both(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid keys that the selector contains more than once: the server itself writes each there once."""
    keys = {key.value: place for place, key in enumerate(fld.child("matchLabelKeys").items())}
    seen = [entry.step[1:-1] for entry in fld.at("labelSelector", "matchLabels").entries()]
    for expression in fld.at("labelSelector", "matchExpressions").items():
        key = expression.text("key")
        if key in keys and key in seen:
            place = fld.with_step(f"{fld.step}[{keys[key]}]")
            yield place.invalid("exists in both matchLabelKeys and labelSelector", key)
        seen.append(key)


_SELECTOR: Final = v.selector_table(tolerant=_had_bad_affinity_values)
_AFFINITY_TERM: Final[v.Table] = {
    "": [_label_keys],
    "labelSelector": _SELECTOR,
    "namespaceSelector": _SELECTOR,
    "namespaces": [_namespaces],
    "topologyKey": [_topology_key],
}


_WEIGHT: Final = v.or_zero(v.between(1, 100, "must be in the range 1-100"))
_POD_AFFINITY: Final[v.Table] = {
    "requiredDuringSchedulingIgnoredDuringExecution[*]": _AFFINITY_TERM,
    "preferredDuringSchedulingIgnoredDuringExecution[*].weight": [_WEIGHT],
    "preferredDuringSchedulingIgnoredDuringExecution[*].podAffinityTerm": [v.struct, _AFFINITY_TERM],
}
_AFFINITY: Final[v.Table] = {
    "nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [v.required("must have at least one node selector term")],
        "nodeSelectorTerms[*]": NODE_SELECTOR_TERM,
        "nodeSelectorTerms[*].matchExpressions[*].values": [
            v.since(32, v.unless(_had_bad_node_values, v.label_values))
        ],
    },
    "nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[*]": {
        "weight": [_WEIGHT],
        "preference": NODE_SELECTOR_TERM,
    },
    "podAffinity": _POD_AFFINITY,
    "podAntiAffinity": _POD_AFFINITY,
}


def _distinct_spreading(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid two constraints with the same topology key and policy."""
    pairs = [(item.text("topologyKey"), item.text("whenUnsatisfiable")) for item in fld.items()]
    for place, item in enumerate(fld.items()):
        if pairs[place] in pairs[place + 1 :]:
            yield item.child("{topologyKey, whenUnsatisfiable}").duplicate(f"{{{', '.join(pairs[place])}}}")


def _least_domains(fld: v.FieldContext) -> v.FieldErrors:
    if fld.number() <= 0:
        yield fld.invalid("must be greater than zero")
    action = fld.up.text("whenUnsatisfiable") if fld.up else ""
    if action != "DoNotSchedule":
        yield fld.invalid(f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}")


def _spread_keys(fld: v.FieldContext) -> v.FieldErrors:
    """Require valid label keys that a selector does not name already; ``fld`` is a spread constraint."""
    if fld.occasion.minor < _KEYS_MERGED_SINCE or _stored_with_bad_keys(fld):
        return _spread_keys_of_old(fld)
    return _label_keys(fld)


def _stored_with_bad_keys(fld: v.FieldContext) -> bool:
    old = fld.nearest(".spec").before().child("topologySpreadConstraints").items()
    return any(True for constraint in old for _ in _label_keys(constraint))


def _spread_keys_of_old(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid label keys in the selector, as servers up to 1.33 do."""
    keys, selector = fld.child("matchLabelKeys"), fld.child("labelSelector")
    if not keys.empty and not selector.there:
        yield keys.forbidden("must not be specified when labelSelector is not set")
    named = [item.text("key") for item in selector.child("matchExpressions").items()]
    for key in keys.items():
        yield from v.a_label_name(key)
        if key.value in named or selector.child("matchLabels").sets(key.text()):
            yield key.invalid("exists in both matchLabelKeys and labelSelector")


def _stored_with_bad_selectors(fld: v.FieldContext) -> bool:
    old = fld.nearest(".spec").before().child("topologySpreadConstraints").items()
    return any(
        constraint.sets("labelSelector") and not v.is_usable(constraint.get("labelSelector")) for constraint in old
    )


def _gates(fld: v.FieldContext) -> v.FieldErrors:
    """Require well-formed, distinct names of scheduling gates; errors have the path of the element."""
    seen: set[str] = set()
    for gate in fld.items():
        yield from (gate.invalid(fault, gate.text("name")) for fault in v.qualified_name(gate.text("name")))
        if gate.text("name") in seen:
            yield gate.duplicate(gate.text("name"))
        seen.add(gate.text("name"))


SCHEDULING: Final[v.Table] = {
    "nodeSelector": [v.well_formed_labels],
    "tolerations[*]": [toleration],
    "affinity": _AFFINITY,
    "topologySpreadConstraints": [_distinct_spreading],
    "topologySpreadConstraints[*]": {
        "": [_spread_keys],
        "maxSkew": [v.or_zero(v.at_least(1, "must be greater than zero"))],
        "topologyKey": [v.required("can not be empty")],
        "whenUnsatisfiable": [v.required_one_of("DoNotSchedule", "ScheduleAnyway")],
        "minDomains": [_least_domains],
        "nodeAffinityPolicy": [v.one_of("Honor", "Ignore")],
        "nodeTaintsPolicy": [v.one_of("Honor", "Ignore")],
        "labelSelector": [v.unless(_stored_with_bad_selectors, v.inside(v.LABEL_SELECTOR))],
    },
    "schedulingGates": [_gates],
    "readinessGates[*].conditionType": [v.always(v.a_label_name)],
}
"""The constraints of a pod's spec about where and when it may run."""
