"""Server-side apply at the API server: the managers' chain around the merge, up to the object that is then decoded.

Mirrors the field managers of apimachinery (``util/managedfields``), outermost first: the last-applied annotation of
kubectl, objects that nobody tracked, and the merge itself. The order of failure is the server's.
"""

from kubectl_applylint import gotext
from kubectl_applylint.merge.fieldset import FieldSet, render
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import APPLY, Applied, Clash, Context, Managers, apply, update
from kubectl_applylint.merge.typed_check import check
from kubectl_applylint.merge.typed_walk import compare, field_set
from kubectl_applylint.outcome import Refusal
from kubectl_applylint.server.ownership import without_managed_fields
from kubectl_applylint.state import LAST_APPLIED, Unknown
from kubectl_applylint.values import MISSING, JsonObject, dig, mapping

KUBECTL = "kubectl"
"""The manager for which the server keeps the last-applied annotation of client-side apply in step."""
BEFORE_FIRST_APPLY = "before-first-apply"


class ApplyError(Exception):
    """A configuration that the server cannot apply: HTTP status and message."""

    def __init__(self, status: int, message: str) -> None:
        """Keep both."""
        super().__init__(message)
        self.status = status
        self.message = message


def apply_patch(
    live: JsonObject | None, config: JsonObject, blank: JsonObject, *, manager: str, force: bool, context: Context
) -> Applied:
    """Return the merged object and its managers, or the clashes; raise ``ApplyError`` for what is no configuration.

    ``live`` may carry managedFields; the returned object does not. ``blank`` is the object in which nothing is set.
    """
    _check(config, context)
    managers = read(live or {})
    stored = without_managed_fields(live or {})
    if live is not None and not managers:
        managers = update(blank, stored, {}, BEFORE_FIRST_APPLY, context)
    applied = apply(stored, config, managers, manager, context=context, force=force)
    if manager != KUBECTL:
        return applied
    if applied.clashes and not force:
        applied = _allowed_by_last_applied(applied, stored, config, managers, context)
    return applied if applied.clashes and not force else _with_last_applied(applied, config)


def _check(config: JsonObject, context: Context) -> None:
    version = config.get("apiVersion")
    if version != context.api_version:
        words = f"Specified patch version: {version}, expected: {context.api_version}"
        raise ApplyError(400, f"Incorrect version specified in apply patch. {words}")
    if dig(config, "metadata", "managedFields") is not MISSING:
        raise ApplyError(400, "metadata.managedFields must be nil")
    fault = check(context.root, config)
    if fault:
        metadata = mapping(config.get("metadata"))
        name = f"{metadata.get('namespace', '')}/{metadata.get('name', '')}"
        group_version = version if "/" in str(version) else f"/{version}"
        which = f"{name}; {group_version}, Kind={config.get('kind')}"
        raise ApplyError(500, f"failed to create typed patch object ({which}): {fault}")


def _allowed_by_last_applied(
    applied: Applied, live: JsonObject, config: JsonObject, managers: Managers, context: Context
) -> Applied:
    """Force what client-side apply owned: fields that the annotation explains are no clash for kubectl."""
    allowed = _explained(live, context)
    if allowed is None:
        return applied
    left = tuple(Clash(c.manager, c.time, c.fields - allowed) for c in applied.clashes)
    left = tuple(clash for clash in left if clash.fields)
    if left:
        return Applied(applied.object, applied.managers, left)
    return apply(live, config, managers, KUBECTL, context=context, force=True)


def _explained(live: JsonObject, context: Context) -> FieldSet | None:
    """Return the fields that still have their last-applied value, ``None`` if the annotation is of no use."""
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


def _with_last_applied(applied: Applied, config: JsonObject) -> Applied:
    """Keep the annotation of client-side apply in step with what kubectl applies server-side."""
    text = dig(applied.object, "metadata", "annotations", LAST_APPLIED)
    if not isinstance(text, str) or not text:
        return applied
    metadata = mapping(applied.object["metadata"])
    annotations = {**mapping(metadata["annotations"]), LAST_APPLIED: last_applied_of(config)}
    stored = {**applied.object, "metadata": {**metadata, "annotations": annotations}}
    return Applied(stored, applied.managers, applied.clashes)


def last_applied_of(config: JsonObject) -> str:
    """Return the text that the server writes: the configuration without the annotation itself."""
    metadata = mapping(config.get("metadata"))
    if "annotations" not in metadata:
        return gotext.encode(dict(config)) + "\n"
    kept = {key: value for key, value in mapping(metadata["annotations"]).items() if key != LAST_APPLIED}
    rest = {key: value for key, value in metadata.items() if key != "annotations"}
    return gotext.encode({**config, "metadata": {**rest, **({"annotations": kept} if kept else {})}}) + "\n"


def conflict_causes(clashes: tuple[Clash, ...]) -> tuple[Refusal, ...]:
    """Return the causes of a 409: one a path and manager, in the server's words."""
    return tuple(
        Refusal(render(path), "FieldManagerConflict", f"conflict with {manager_text(clash)}")
        for clash in sorted(clashes, key=lambda each: (each.manager.name, each.manager.operation))
        for path in clash.fields.paths()
    )


def manager_text(clash: Clash) -> str:
    """Return a manager as conflicts name it."""
    text = gotext.encode(clash.manager.name)
    if clash.manager.subresource:
        text += f" with subresource {gotext.encode(clash.manager.subresource)}"
    if clash.manager.operation == APPLY:
        return text
    moment = "" if clash.time is None or isinstance(clash.time, Unknown) else f" at {clash.time}"
    return f"{text} using {clash.manager.api_version}{moment}"
