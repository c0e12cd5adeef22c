"""The way of objects to declarative management, for people and for programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.ownership.adoption import Adoption, Effect, Ends, Move, Reset
from kubectl_applylint.ownership.field_ownership import FieldOwnership, Manager, manager_json
from kubectl_applylint.ownership.handover import Deed, Step
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.masking import mask_change, mask_outcome
from kubectl_applylint.report.migration import change_json, line, named, refusal_json, verdict_lines
from kubectl_applylint.report.owners import object_title
from kubectl_applylint.report.pages import json_page, name_json, text_page
from kubectl_applylint.report.words import paint, show


def adoption_text(plans: Sequence[Adoption], problems: Sequence[Problem], context: Context) -> str:
    """Return a block for every object: where it is, the next commands with what they do, and how it is deleted."""
    return text_page(["\n".join(_block(plan, context)) for plan in plans], problems, context)


def adoption_json(plans: Sequence[Adoption], problems: Sequence[Problem]) -> str:
    """Return the same as JSON."""
    return json_page("adopt", [_json(plan) for plan in plans], problems)


def mask_adoption(plan: Adoption, known: Iterable[JsonObject]) -> Adoption:
    """Return the same without what Secrets hold; ``known`` are the objects whose values messages may repeat."""
    objects, ref = [*known], plan.subject.ref
    moves = tuple(_mask_move(move, ref, objects) for move in plan.moves)
    return replace(plan, moves=moves, instead=plan.instead and _mask_move(plan.instead, ref, objects))


def _mask_move(move: Move, ref: ObjectRef, known: Sequence[JsonObject]) -> Move:
    effect = move.effect
    if effect is None:
        return move
    masked = replace(
        effect,
        outcome=mask_outcome(effect.outcome, known),
        resets=tuple(replace(each, change=mask_change(ref, each.change)) for each in effect.resets),
        gone=tuple(mask_change(ref, change) for change in effect.gone),
    )
    return replace(move, effect=masked)


def _block(plan: Adoption, context: Context) -> Iterator[str]:
    yield f"{paint('place', object_title(plan.subject.ref), context)}: {plan.stage}"
    for number, move in enumerate(plan.moves, start=1):
        yield f"  {number}. {one_line(_head(move.step))}"
        yield from _move(move, context)
    if plan.instead is not None:
        yield f"  or {one_line(plan.instead.step.command)}"
        yield from _move(_other_than(plan.instead, plan.moves), context)
    if plan.ends is not None:
        yield from _ends(plan.ends, context)


def _other_than(instead: Move, moves: Sequence[Move]) -> Move:
    """Return the other way without what the first one sets as well."""
    told = {reset.change.path for move in moves if move.effect for reset in move.effect.resets}
    if instead.effect is None:
        return instead
    own = tuple(reset for reset in instead.effect.resets if reset.change.path not in told)
    return replace(instead, effect=replace(instead.effect, resets=own))


def _head(step: Step) -> str:
    if step.deed is Deed.EDIT:
        return f"edit {step.place}"
    return step.command or "done"


def _move(move: Move, context: Context) -> Iterator[str]:
    yield line(move.step.words, context)
    effect = move.effect
    if effect is None:
        return
    if move.step.deed is not Deed.DONE:
        yield from verdict_lines(effect.outcome, context)
    for reset in effect.resets:
        yield line(_reset(reset, context), context)
    for change in effect.gone:
        yield line(f"deletes {render(change.path)}: {show(change.before, whole=context.verbose)}", context)
    for writers, owned in _by_writers(effect.stays).items():
        yield from named(f"stays from {_names(writers)}, though the file does not say so", owned, context)


def _reset(reset: Reset, context: Context) -> str:
    change, place = reset.change, reset.place
    before, after = (show(side, whole=context.verbose) for side in (change.before, change.after))
    words = f"sets {render(change.path)} from {before}, which {_names(reset.writers)} wrote, to {after}"
    keep = f"; to keep it write it into {place}" if place.is_text else ""
    return f"{words}{keep}{reset.handover and f', or leave it to its writer: {reset.handover}'}"


def _names(writers: Sequence[Manager]) -> str:
    return " and ".join(dict.fromkeys(writer.title for writer in writers)) or "somebody"


def _by_writers(owned: Sequence[FieldOwnership]) -> dict[tuple[Manager, ...], list[FieldOwnership]]:
    grouped: dict[tuple[Manager, ...], list[FieldOwnership]] = {}
    for field in owned:
        grouped.setdefault(field.managers, []).append(field)
    return grouped


def _ends(ends: Ends, context: Context) -> Iterator[str]:
    yield f"  to delete it later: {one_line(ends.delete)}"
    yield from (line(words, context) for words in ends.takes)
    if not ends.prune:
        return
    yield f"  or take its manifest out of the folder, and prune: {one_line(ends.prune)}"
    if ends.pruned:
        yield line(f"that deletes as well: {', '.join(map(str, ends.pruned))}", context)


def _json(plan: Adoption) -> Json:
    return {
        **name_json(plan.subject.ref),
        "stage": plan.stage.name.lower(),
        "steps": [_move_json(move) for move in plan.moves],
        "instead": plan.instead and _move_json(plan.instead),
        "delete": plan.ends and _ends_json(plan.ends),
    }


def _move_json(move: Move) -> Json:
    step = move.step
    return {
        "step": step.deed.value,
        "words": step.words,
        "command": step.command or None,
        "place": step.place and str(step.place),
        "effect": move.effect and _effect_json(move.effect),
    }


def _effect_json(effect: Effect) -> Json:
    return {
        "verdict": effect.outcome.verdict.value,
        **refusal_json(effect.outcome),
        "resets": [_reset_json(reset) for reset in effect.resets],
        "deletes": [*map(change_json, effect.gone)],
        "stays": [
            {"path": render(field.path), "managers": [*map(manager_json, field.managers)]} for field in effect.stays
        ],
    }


def _reset_json(reset: Reset) -> Json:
    return {
        **change_json(reset.change),
        "writers": [*map(manager_json, reset.writers)],
        "place": str(reset.place),
        "handover": reset.handover or None,
    }


def _ends_json(ends: Ends) -> Json:
    return {
        "command": ends.delete,
        "takes": [*ends.takes],
        "prune": ends.prune or None,
        "pruned": [*map(str, ends.pruned)],
        "noPrune": ends.no_prune or None,
    }
