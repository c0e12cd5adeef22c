"""The origin of a field's value and its owner, as text for users and as JSON for programs."""

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence

from kubectl_applylint.core.outcome import Change, Verdict, Why, plain
from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal
from kubectl_applylint.ownership.field_history import (
    DefaultSource,
    FieldHistory,
    NextApply,
    ServerDefault,
    WrittenValue,
)
from kubectl_applylint.ownership.field_ownership import Manager, manager_json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.owners import object_title
from kubectl_applylint.report.ownership.pages import json_page, name_json, text_page
from kubectl_applylint.report.words import paint, show, wrap
from kubectl_applylint.secrets.masking import Masks, masks

_COMMANDS = {
    "kubectl-client-side-apply": "kubectl apply",
    "kubectl-create": "kubectl create",
    "kubectl-replace": "kubectl replace",
    "kubectl-edit": "kubectl edit",
    "kubectl-patch": "kubectl patch",
    "kubectl-set": "kubectl set",
    "kubectl-scale": "kubectl scale",
    "kubectl-rollout": "kubectl rollout",
    "kubectl-label": "kubectl label",
    "kubectl-annotate": "kubectl annotate",
    "kubectl-autoscale": "kubectl autoscale",
    "before-first-apply": "writers before the first server-side apply of an object without managers",
    "ancient-changes": "the oldest of more than ten writers, combined",
}
"""The commands of the manager names that kubectl and the server use."""


def history_text(found: Sequence[FieldHistory], problems: Sequence[Problem], context: Context) -> str:
    """Return a block for each field: its value, its origin, and what the next apply does to it."""
    return text_page(["\n".join(_block(each, context)) for each in found], problems, context)


def history_json(found: Sequence[FieldHistory], problems: Sequence[Problem]) -> str:
    """Return the histories as JSON."""
    return json_page("why", [_json(each) for each in found], problems)


def mask_history(found: FieldHistory, known: Iterable[JsonObject] = ()) -> FieldHistory:
    """Return a history without values of Secrets; ``known`` are the objects whose values the field may repeat."""
    mask = masks([*known], [json.dumps([*_shown_values(found)], ensure_ascii=False)])
    ref, path = found.ref, found.place.path
    return replace(
        found,
        place=replace(found.place, value=mask.value(ref, path, found.place.value)),
        manifest=_mask_written(ref, path, found.manifest, mask),
        last_applied=_mask_written(ref, path, found.last_applied, mask),
        default=_mask_default(ref, path, found.default, mask),
        next=_mask_next(ref, found.next, mask),
    )


def _shown_values(found: FieldHistory) -> Iterator[Json]:
    values = [found.place.value, *(one.value for one in (found.manifest, found.last_applied) if one)]
    if found.default is not None:
        values += [found.default.value, *(source.value for source in found.default.sources)]
    if found.next is not None and found.next.change is not None:
        values += [found.next.change.before, found.next.change.after]
    yield from (plain(value) for value in values if value is not MISSING)


def _mask_written(ref: ObjectRef, path: Path, written: WrittenValue | None, mask: Masks) -> WrittenValue | None:
    return written and replace(written, value=mask.value(ref, path, written.value))


def _mask_default(ref: ObjectRef, path: Path, default: ServerDefault | None, mask: Masks) -> ServerDefault | None:
    return default and ServerDefault(
        mask.value(ref, path, default.value),
        tuple(DefaultSource(source.path, mask.value(ref, source.path, source.value)) for source in default.sources),
    )


def _mask_next(ref: ObjectRef, after: NextApply | None, mask: Masks) -> NextApply | None:
    return after and replace(after, change=after.change and mask.change(ref, after.change))


def _block(found: FieldHistory, context: Context) -> Iterator[str]:
    value = one_line(show(found.place.value, whole=context.verbose))
    title = paint("place", f"{one_line(str(found.place))} of {object_title(found.ref)}", context)
    yield wrap(f"{title}: {value}", context, indent="    ")
    for number, step in enumerate(_steps(found, context), start=1):
        yield wrap(f"  {number}. {one_line(step)}", context, indent="     ")


def _steps(found: FieldHistory, context: Context) -> Iterator[str]:
    if found.place.is_part:
        yield f"{render(found.place.owned)} is owned as a whole: changing a part takes ownership of all of it"
    yield from _manifest_steps(found)
    yield from _last_applied_steps(found)
    yield from _owner_steps(found.managers)
    yield from _default_steps(found)
    if found.next is not None:
        yield _next_step(found.next, found, context)


def _manifest_steps(found: FieldHistory) -> Iterator[str]:
    manifest = found.manifest
    if manifest is None or manifest.place is None:
        return
    if manifest.value is MISSING:
        yield f"{manifest.place.file} does not set it"
    else:
        yield f"{manifest.place} sets it to {show(manifest.value)}"


def _last_applied_steps(found: FieldHistory) -> Iterator[str]:
    applied = found.last_applied
    if applied is None:
        yield "the object has no last-applied annotation, so client-side apply does not delete the field"
    elif applied.value is MISSING:
        yield "last-applied does not have it: kubectl apply does not delete it when its line is removed"
    else:
        same = "" if equal(applied.value, found.place.value) else f" with {show(applied.value)}"
        yield f"last-applied has it{same}: kubectl apply set it, and deletes it when its line is removed"


def _owner_steps(managers: Sequence[Manager]) -> Iterator[str]:
    for manager in managers:
        command = _COMMANDS.get(manager.name, "")
        who = f"{manager.title} ({command})" if command else manager.title
        how = "applies it server-side" if manager.applies else "wrote it"
        when = f", last at {manager.time}" if manager.time else ""
        yield f"{who} owns it: {how} in {manager.api_version}{when}"
    if not managers:
        yield "no owner: any applier can set it without a conflict, and no apply removes it by leaving it out"


def _default_steps(found: FieldHistory) -> Iterator[str]:
    default = found.default
    if default is None:
        return
    sources = ", ".join(f"{render(source.path)} is {show(source.value)}" for source in default.sources)
    because = f", since {sources}" if sources else ""
    if found.is_default:
        yield f"its value is the server's default{because}"
    else:
        yield f"the server's default is {show(default.value)}{because}"


def _next_step(after: NextApply, found: FieldHistory, context: Context) -> str:
    command = f"the next kubectl apply{after.mode.flags}"
    if after.outcome.verdict is Verdict.CONFLICT:
        return f"{command} is rejected: {_conflicts(after)}"
    if after.outcome.verdict is Verdict.REJECTED:
        return f"{command} is rejected"
    if after.change is None or after.change.provenance.why is Why.KEPT:
        return f"{command} leaves it as it is"
    return f"{command} {_next_change(after.change, found, context)}"


def _conflicts(after: NextApply) -> str:
    named = [f"{render(conflict.path)} belongs to {conflict.owner.name}" for conflict in after.outcome.conflicts]
    return ", ".join(named)


def _next_change(change: Change, found: FieldHistory, context: Context) -> str:
    where = "" if len(change.path) == len(found.place.path) else f" {render(change.path)}"
    if change.after is MISSING:
        return f"removes{where or ' it'} ({change.provenance})"
    before = "" if change.before is MISSING else f" from {show(change.before, whole=context.verbose)}"
    return f"changes{where or ' it'}{before} to {show(change.after, whole=context.verbose)} ({change.provenance})"


def _json(found: FieldHistory) -> Json:
    default, after = found.default, found.next
    return {
        **name_json(found.ref),
        "path": render(found.place.path),
        "ownedAs": render(found.place.owned),
        **_value(found.place.value),
        "manifest": found.manifest and {**_value(found.manifest.value), "place": str(found.manifest.place)},
        "lastApplied": found.last_applied and _value(found.last_applied.value),
        "managers": [manager_json(manager) for manager in found.managers],
        "default": default
        and {**_value(default.value), "sources": [render(source.path) for source in default.sources]},
        "next": after and {"flags": shlex.split(after.mode.flags), **_change_json(after)},
    }


def _value(value: Json | Missing) -> dict[str, Json]:
    return {} if value is MISSING else {"value": plain(value)}


def _change_json(after: NextApply) -> dict[str, Json]:
    change = after.change
    change_json = change and {
        "path": render(change.path),
        **({} if change.before is MISSING else {"before": plain(change.before)}),
        **({} if change.after is MISSING else {"after": plain(change.after)}),
        "why": str(change.provenance),
    }
    return {"verdict": after.outcome.verdict.value, "change": change_json}
