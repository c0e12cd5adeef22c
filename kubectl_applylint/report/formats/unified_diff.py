"""A plan as a unified diff of the objects before and after the apply, as ``kubectl diff`` prints it."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.outcome import Outcome, Why, plain
from kubectl_applylint.core.paths import Field
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.facts.sides import object_sides
from kubectl_applylint.report.order import units_worst_first, worst_first
from kubectl_applylint.report.plan import last_applies
from kubectl_applylint.report.rendered_files import distinct_names, encode, file_name
from kubectl_applylint.report.rendering import object_yaml
from kubectl_applylint.report.words import paint

_BEFORE, _AFTER = "LIVE", "MERGED"
"""The directories of ``kubectl diff``."""
_ROLES: Final[Mapping[str, str]] = {"---": "place", "+++": "place", "@@": "quiet", "-": "gone", "+": "good"}
_NOTES: Final = (Why.ANNOTATED, Why.NOTED, Why.REMEMBERED)


@dataclass(frozen=True, slots=True)
class ObjectDiff:
    """An object before and after the apply as YAML, empty where it does not exist, and the name of its file."""

    name: str
    before: str
    after: str


def plan_diff(report: Report, context: Context) -> str:
    """Return the differences of all objects, the worst first."""
    return "".join(f"{line}\n" for one in object_diffs(report) for line in _lines(one, context))


def object_diffs(report: Report) -> list[ObjectDiff]:
    """Return the objects that differ, the worst first.

    Without the fields that the server and the applier keep for themselves: ``managedFields``, last-applied.
    """
    applies = [one for _, each in units_worst_first(report) for one in worst_first(last_applies(each))]
    names = distinct_names(_object_name(outcome.ref) for _, outcome in applies)
    every = (
        ObjectDiff(name, *(_yaml(side, outcome) for side in object_sides(document, outcome)))
        for name, (document, outcome) in zip(names, applies, strict=True)
    )
    return [one for one in every if one.before != one.after]


def _object_name(ref: ObjectRef) -> str:
    """Return the name of an object's file in ``kubectl diff``: ``apps.v1.Deployment.shop.web``."""
    words = (*ref.api_version.split("/"), ref.kind, ref.namespace, ref.name)
    return file_name(".".join(map(encode, words)))


def _yaml(side: JsonObject | None, outcome: Outcome) -> str:
    """Return an object without the notes of server and applier, and without unknown metadata."""
    if side is None:
        return ""
    metadata = {name: value for name, value in mapping(side.get("metadata")).items() if not isinstance(value, Unknown)}
    notes = {step for one in outcome.changes if one.provenance.why in _NOTES for step in one.path[-1:]}
    kept = {name: value for name, value in mapping(metadata.get("annotations")).items() if Field(name) not in notes}
    others = {name: value for name, value in metadata.items() if name not in ("annotations", "managedFields")}
    return object_yaml(mapping(plain({**side, "metadata": {**others, **({"annotations": kept} if kept else {})}})))


def _lines(one: ObjectDiff, context: Context) -> Iterator[str]:
    from difflib import unified_diff  # noqa: PLC0415  3 ms, for this format alone

    before, after = one.before.splitlines(), one.after.splitlines()
    for line in unified_diff(before, after, f"{_BEFORE}/{one.name}", f"{_AFTER}/{one.name}", lineterm=""):
        role = next((role for sign, role in _ROLES.items() if line.startswith(sign)), "")
        yield paint(role, line, context) if role else line
