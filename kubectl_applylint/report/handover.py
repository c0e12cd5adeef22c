"""The next step of a handover: for a shell, which skips the words, and for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.ownership.handover import Deed, Step
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.literals import without_forms
from kubectl_applylint.report.pages import json_page, name_json, text_page
from kubectl_applylint.report.secret_places import is_secret
from kubectl_applylint.report.words import wrap

Told: TypeAlias = Sequence[tuple[ObjectRef, Step]]
"""Steps with the objects that they are about."""

_WITHHELD = "the step holds credentials, so it is told only with --show-secrets"


def handover_text(steps: Told, problems: Sequence[Problem], context: Context) -> str:
    """Return the step as a shell takes it: what it does in comments, then the command."""
    return text_page(["\n".join(_lines(step, context)) for _, step in steps], problems, context)


def handover_json(steps: Told, problems: Sequence[Problem]) -> str:
    """Return the same as JSON."""
    return json_page("handover", [_json(ref, step) for ref, step in steps], problems)


def mask_step(step: Step, ref: ObjectRef) -> Step:
    """Return the step without what a Secret holds: a masked command must not be run, so there is none."""
    if not (is_secret(ref) and step.has_values) and without_forms(step.command) == step.command:
        return step
    return replace(step, deed=Deed.STUCK, words=_WITHHELD, command="")


def _lines(step: Step, context: Context) -> Iterator[str]:
    where = f"{step.place}: " if step.place is not None else ""
    edit = "edit: " if step.deed is Deed.EDIT else ""
    stuck = "no safe step: " if step.deed is Deed.STUCK else ""
    # A line break in the name of a file would end the comment.
    words = one_line(where + edit + stuck + step.words)
    yield wrap(f"# {words}", context, indent="# ")
    # Control characters in JSON are escapes already, so that what is typed is what is shown.
    if step.command:
        yield step.command


def _json(ref: ObjectRef, step: Step) -> Json:
    return {
        **name_json(ref),
        "step": step.deed.value,
        "words": step.words,
        "command": step.command or None,
        "place": step.place and str(step.place),
    }
