"""Annotations of pods, and the fields with the same meaning.

Mirrors ``ValidatePodSpecificAnnotations``, ``validateSeccompAnnotationsAndFields`` and
``validateAppArmorAnnotationsAndFieldsMatchOnCreate``.
"""

from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import MISSING, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.containers import any_container, visit_containers
from kubectl_applylint.server.validate.pods.hosts import is_pod

MIRROR: Final = "kubernetes.io/config.mirror"
APP_ARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
_SECCOMP: Final = "container.seccomp.security.alpha.kubernetes.io/"
_SECCOMP_POD: Final = "seccomp.security.alpha.kubernetes.io/pod"
_OF_PROFILES: Final = (APP_ARMOR, _SECCOMP, _SECCOMP_POD)
_DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
_COST: Final = regex("0|-[0-9]+|[1-9][0-9]*")
_SECCOMP_WORDS: Final = {"Unconfined": ("unconfined",), "RuntimeDefault": ("runtime/default", "docker/default")}
_APP_ARMOR_WORDS: Final = {"Unconfined": ("unconfined",), "RuntimeDefault": ("runtime/default",)}


def pod_annotations(fld: v.FieldContext) -> v.FieldErrors:
    """Require readable values of the known annotations; ``fld`` are the annotations of a pod or a template."""
    owner = fld.up.up if fld.up is not None else None
    spec = (owner or fld).child("spec")
    if fld.sets(MIRROR) and not spec.text("nodeName"):
        yield fld.entry(MIRROR).invalid("must set spec.nodeName if mirror pod annotation is set")
    if not _is_cost(fld.entry(_DELETION_COST)) and _is_cost(fld.before().entry(_DELETION_COST)):
        yield fld.entry(_DELETION_COST).invalid("must be a 32bit integer")
    for entry in fld.entries():
        key = entry.step[1:-1]
        if key == _SECCOMP_POD or key.startswith(_SECCOMP):
            profile, place = entry.text().removeprefix("localhost/"), fld.child(key)
            yield from (place.invalid(fault, profile) for fault in _seccomp_faults(entry.text()))
        elif key.startswith(APP_ARMOR):
            yield from _app_armor(entry, key.removeprefix(APP_ARMOR), spec)


_LONGEST_COST: Final = 20


def _is_cost(fld: v.FieldContext) -> bool:
    if not fld.there:
        return True
    # Python rejects very long numbers, and none of them fits.
    text = fld.text()
    return len(text) < _LONGEST_COST and bool(_COST.fullmatch(text)) and -(2**31) <= int(text) < 2**31


def _seccomp_faults(profile: str) -> list[str]:
    if profile in ("runtime/default", "docker/default", "unconfined"):
        return []
    local = profile.startswith("localhost/")
    return v.relative_path(profile.removeprefix("localhost/")) if local else ["must be a valid seccomp profile"]


def _app_armor(entry: v.FieldContext, container: str, spec: v.FieldContext) -> v.FieldErrors:
    if not any_container(spec, lambda fld: fld.text("name") == container):
        yield entry.invalid("container not found", container)
    profile = entry.text()
    if profile not in ("", "runtime/default", "unconfined") and not profile.startswith("localhost/"):
        yield entry.invalid(f'invalid AppArmor profile name: "{profile}"')


def same_profiles_as_annotations(fld: v.FieldContext) -> v.FieldErrors:
    """Require equal profiles in fields and annotations if both are set; ``fld`` is a pod or a template."""
    spec, annotations = fld.child("spec"), fld.at("metadata", "annotations")
    if not any(key.startswith(_OF_PROFILES) for key in mapping(annotations.value)):
        return
    own = spec.at("securityContext", "seccompProfile")
    yield from _profile_mismatch(own, annotations.text(_SECCOMP_POD), annotations.sets(_SECCOMP_POD), "seccomp")
    pod_profile = spec.at("securityContext", "appArmorProfile")
    for container in visit_containers(spec):
        name, context = container.text("name"), container.child("securityContext")
        key = f"{_SECCOMP}{name}"
        yield from _profile_mismatch(
            context.child("seccompProfile"), annotations.text(key), annotations.sets(key), "seccomp"
        )
        if spec.text("os", "name") != "windows":
            key, field = f"{APP_ARMOR}{name}", context.child("appArmorProfile")
            # By now pods have taken over the annotations of containers.
            inherited = MISSING if is_pod(spec) else pod_profile.value
            given = field if field.there else field.with_value(inherited)
            yield from _profile_mismatch(given, annotations.text(key), annotations.sets(key), "apparmor")


def _profile_mismatch(field: v.FieldContext, annotation: str, annotated: bool, what: str) -> v.FieldErrors:
    """Yield the errors for a profile whose field and annotation differ."""
    if not field.there or not annotated:
        return
    kind, words = field.text("type"), _SECCOMP_WORDS if what == "seccomp" else _APP_ARMOR_WORDS
    local = annotation.startswith("localhost/")
    if annotation not in words.get(kind, (annotation,)) or (kind == "Localhost" and not local):
        yield field.child("type").forbidden(f"{what} type in annotation and field must match")
    elif kind == "Localhost" and annotation.removeprefix("localhost/") != field.get("localhostProfile"):
        yield field.child("localhostProfile").forbidden(f"{what} profile in annotation and field must match")


def immutable_annotations(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of the annotations that define a pod; ``fld`` are the metadata of a pod."""
    new, old = mapping(fld.get("annotations")), mapping(fld.before().get("annotations"))
    for key in sorted(new.keys() | old.keys()):
        if new.get(key) == old.get(key) or not (key == MIRROR or key.startswith(APP_ARMOR)):
            continue
        what = "mirror pod annotation" if key == MIRROR else "AppArmor annotations"
        done = "remove or update" if key in old else "add"
        yield fld.child("annotations").entry(key).forbidden(f"may not {done} {what}")
