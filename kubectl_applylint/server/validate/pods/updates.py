"""What may change in an existing pod: images, deadlines, more tolerations, fewer gates.

Mirrors ``ValidatePodUpdate``.
"""

from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.validate import dsl as v

_UPDATABLE: Final = (
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
    "previously negative)"
)
_LONGEST_DEADLINE: Final = 2**31 - 1
_REQUIRED_TERMS: Final = ("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")


def pod_update(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of everything else; ``fld`` is the spec of a pod."""
    if fld.creating:
        return
    for kind in ("containers", "initContainers"):
        if fld.size(kind) != fld.before().size(kind):
            yield fld.child(kind).forbidden("pod updates may not add or remove containers")
            return
    refusals = list(_deadline(fld.child("activeDeadlineSeconds")))
    yield from refusals
    if refusals and fld.sets("activeDeadlineSeconds"):
        return
    yield from _tolerations(fld.child("tolerations"))
    yield from _gates(fld.child("schedulingGates"))
    yield from _immutable_rest(fld)


def _deadline(fld: v.FieldContext) -> v.FieldErrors:
    old = fld.before()
    if not fld.there:
        words = "must not update from a positive integer to nil value"
        yield from (fld.invalid(words, None),) if old.there else ()
    elif not 0 <= fld.number() <= _LONGEST_DEADLINE:
        yield fld.invalid(f"must be between 0 and {_LONGEST_DEADLINE}, inclusive")
    elif old.there and old.number() < fld.number():
        yield fld.invalid("must be less than or equal to previous value")


def _tolerations(fld: v.FieldContext) -> v.FieldErrors:
    new = [_without_seconds(item.value) for item in fld.items()]
    if all(_without_seconds(item.value) in new for item in fld.before().items()):
        return ()
    return (fld.forbidden("existing toleration can not be modified except its tolerationSeconds"),)


def _without_seconds(toleration: Json) -> JsonObject:
    return {key: value for key, value in mapping(toleration).items() if key != "tolerationSeconds" and value != ""}


def _gates(fld: v.FieldContext) -> v.FieldErrors:
    old = [gate.text("name") for gate in fld.before().items()]
    for gate in fld.items():
        if gate.text("name") not in old:
            words = f"only deletion is allowed, but found new scheduling gate '{gate.text('name')}'"
            yield gate.child("name").forbidden(words)


def _immutable_rest(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid other changes, except a narrower node affinity while the pod has scheduling gates."""
    old = mapping(fld.old)
    new = {**mapping(fld.value), **{name: old.get(name) for name in ("activeDeadlineSeconds", "tolerations")}}
    new["schedulingGates"] = old.get("schedulingGates")
    for kind in ("containers", "initContainers"):
        new[kind] = _with_images(new.get(kind), old.get(kind))
    if fld.before().number("terminationGracePeriodSeconds") < 0 and new.get("terminationGracePeriodSeconds") == 1:
        new["terminationGracePeriodSeconds"] = old.get("terminationGracePeriodSeconds")
    if fld.before().has("schedulingGates"):
        yield from _node_selector(fld.child("nodeSelector"))
        yield from _node_affinity(fld.at("affinity", "nodeAffinity"))
        new["nodeSelector"] = old.get("nodeSelector")
        new["affinity"] = _with_node_affinity(new.get("affinity"), old.get("affinity"))
    if not v.same(new, old):
        yield fld.forbidden(f"pod updates may not change fields other than {_UPDATABLE}")


def _with_images(new: Json, old: Json) -> Json:
    """Return containers with the images of as many others; a null list stays null."""
    if not new:
        return new
    return [{**container, "image": before.get("image")} for container, before in zip(new, old, strict=True)]


def _with_node_affinity(new: Json, old: Json) -> Json:
    before = mapping(old).get("nodeAffinity")
    if v.same(mapping(new).get("nodeAffinity"), before):
        return new
    merged = {**mapping(new), "nodeAffinity": before}
    return None if v.is_absent(old) and all(map(v.is_absent, merged.values())) else merged


def _node_selector(fld: v.FieldContext) -> v.FieldErrors:
    new = mapping(fld.value)
    kept = all(new.get(key) == value for key, value in mapping(fld.old).items())
    words = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
    return () if kept else (fld.invalid(words),)


def _node_affinity(fld: v.FieldContext) -> v.FieldErrors:
    terms = fld.at(*_REQUIRED_TERMS)
    old = list(terms.before().items())
    if old and len(old) != terms.size():
        yield terms.invalid("no additions/deletions to non-empty NodeSelectorTerms list are allowed")
        return
    for term, before in zip(terms.items(), old, strict=False):
        if not _has_only_additions(term, before):
            yield term.invalid("only additions are allowed (no mutations or deletions)")


def _has_only_additions(term: v.FieldContext, old: v.FieldContext) -> bool:
    kinds = ("matchExpressions", "matchFields")
    if not any(old.has(kind) for kind in kinds):
        return not any(term.has(kind) for kind in kinds)
    return all(v.same(_values(term, kind)[: old.size(kind)], _values(old, kind)) for kind in kinds)


def _values(fld: v.FieldContext, name: str) -> list[Json]:
    return [item.value for item in fld.child(name).items()]
