"""Server-side apply in the API server: from the patch to the merged object, before it is decoded.

Mirrors the field managers of apimachinery (``util/managedfields``), outermost first: the last-applied annotation of
kubectl, objects without managers, and the merge itself. Errors occur in the server's order.
"""

from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject, dig, mapping, text_at
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.fieldset import FieldSet
from kubectl_applylint.merge.server_side import ApplyResult, Clash, Clashed, Managers, MergeContext, apply, update
from kubectl_applylint.merge.typed import TypedError
from kubectl_applylint.merge.typed_check import check
from kubectl_applylint.merge.typed_walk import compare, field_set
from kubectl_applylint.server.ownership import without_managed_fields

KUBECTL: Final = "kubectl"
"""The manager whose applies make the server update the last-applied annotation of client-side apply."""
BEFORE_FIRST_APPLY: Final = "before-first-apply"
"""The manager of all live fields of an object without managers."""


def apply_patch(
    live: JsonObject | None,
    config: JsonObject,
    blank: JsonObject,
    managers: Managers,
    *,
    manager: str,
    force: bool,
    context: MergeContext,
) -> ApplyResult | Clashed:
    """Return the merged object and its managers, or the clashes; raise ``MergeError`` for an invalid configuration.

    ``live`` may carry managedFields; the returned object does not. ``blank`` is the object without set fields, onto
    which new objects are applied. ``managers`` are those of ``live``.
    """
    _check_version(config, context)
    stored = without_managed_fields(blank if live is None else live)
    _check_types(stored, config, context)
    try:
        if live is not None and not managers:
            managers = update(blank, stored, {}, BEFORE_FIRST_APPLY, context)
        return _apply(stored, config, managers, manager, context, force=force)
    except TypedError:
        raise _misfit(stored, check(context.root, stored, duplicates=True)) from None


def _apply(
    live: JsonObject, config: JsonObject, managers: Managers, manager: str, context: MergeContext, *, force: bool
) -> ApplyResult | Clashed:
    applied = apply(live, config, managers, manager, context=context, force=force)
    if manager != KUBECTL:
        return applied
    if isinstance(applied, Clashed):
        applied = _allowed_by_last_applied(applied, live, config, managers, context)
    return applied if isinstance(applied, Clashed) else _with_last_applied(applied, config)


def _check_version(config: JsonObject, context: MergeContext) -> None:
    version = config.get("apiVersion")
    if version != context.api_version:
        words = f"Specified patch version: {version}, expected: {context.api_version}"
        raise MergeError(f"Incorrect version specified in apply patch. {words}", status=400)
    if isinstance(dig(config, "metadata", "managedFields"), list):
        raise MergeError("metadata.managedFields must be nil", status=400)


def _check_types(live: JsonObject, config: JsonObject, context: MergeContext) -> None:
    fault = check(context.root, config)
    if fault:
        raise MergeError(f"failed to create typed patch object ({object_description(config)}): {fault}")
    fault = check(context.root, live, duplicates=True) if context.outlives_schema else ""
    if fault:
        raise _misfit(live, fault)


def _misfit(live: JsonObject, fault: str) -> MergeError:
    return MergeError(f"failed to create typed live object ({object_description(live)}): {fault}")


def object_description(manifest: JsonObject) -> str:
    """Return an object as the server names it in errors of apply: ``default/web; apps/v1, Kind=Deployment``."""
    metadata = mapping(manifest.get("metadata"))
    version = str(manifest.get("apiVersion", ""))
    group_version = version if "/" in version else f"/{version}"
    return f"{text_at(metadata, 'namespace')}/{text_at(metadata, 'name')}; {group_version}, Kind={manifest['kind']}"


def _allowed_by_last_applied(
    clashed: Clashed, live: JsonObject, config: JsonObject, managers: Managers, context: MergeContext
) -> ApplyResult | Clashed:
    """Force the fields of client-side apply: those that the annotation explains are no clash for kubectl."""
    allowed = _last_applied_fields(live, context)
    if allowed is None:
        return clashed
    left = tuple(Clash(clash.manager, clash.fields - allowed) for clash in clashed.clashes)
    left = tuple(clash for clash in left if clash.fields)
    return Clashed(left) if left else apply(live, config, managers, KUBECTL, context=context, force=True)


def _last_applied_fields(live: JsonObject, context: MergeContext) -> FieldSet | None:
    """Return the fields that still have their last-applied value, ``None`` if the annotation is not usable."""
    text = dig(live, "metadata", "annotations", LAST_APPLIED)
    if not isinstance(text, str) or not text or check(context.root, live):
        return None
    try:
        original = gotext.decode(text)
    except (ValueError, RecursionError):
        return None
    if mapping(original).get("apiVersion") != context.api_version or check(context.root, original):
        return None
    difference = compare(context.root, original, live)
    return field_set(context.root, original) - difference.modified - difference.added - difference.removed


def _with_last_applied(applied: ApplyResult, config: JsonObject) -> ApplyResult:
    """Update the annotation of client-side apply when kubectl applies server-side."""
    text = dig(applied.object, "metadata", "annotations", LAST_APPLIED)
    if not isinstance(text, str) or not text:
        return applied
    metadata = mapping(applied.object["metadata"])
    annotations = {**mapping(metadata["annotations"]), LAST_APPLIED: last_applied_of(config)}
    stored = {**applied.object, "metadata": {**metadata, "annotations": annotations}}
    return ApplyResult(stored, applied.managers)


def last_applied_of(config: JsonObject) -> str:
    """Return the annotation's text: the configuration without the annotation itself."""
    metadata = mapping(config.get("metadata"))
    if "annotations" not in metadata:
        return gotext.encode(dict(config)) + "\n"
    kept = {key: value for key, value in mapping(metadata["annotations"]).items() if key != LAST_APPLIED}
    rest = {key: value for key, value in metadata.items() if key != "annotations"}
    given = {"annotations": kept} if isinstance(metadata["annotations"], dict) else {}
    return gotext.encode({**config, "metadata": {**rest, **given}}) + "\n"
