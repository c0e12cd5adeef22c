"""Manifests with the server's defaults filled in and marked."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.location import Location
from kubectl_applylint.core.paths import Field, Index, Path, PathStep, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.json_v1 import location_json, problem_json
from kubectl_applylint.report.objects.yaml_lines import yaml_lines
from kubectl_applylint.report.words import paint, show
from kubectl_applylint.server.defaults.explain import Default

VERSION: Final = "defaults-v1"
_DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class Defaulted:
    """One object as the server reads it, with its defaults, and the paths of these."""

    ref: ObjectRef
    location: Location
    object: JsonObject
    defaults: tuple[Default, ...]
    custom: bool = False
    """Whether the defaults are those of a custom resource definition."""


@dataclass(frozen=True, slots=True)
class DefaultsReport:
    """All objects of a run in their order, the problems, and remarks."""

    objects: tuple[Defaulted, ...]
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


def defaults_yaml(report: DefaultsReport, context: Context) -> str:
    """Return the objects as YAML documents, with a comment behind each default."""
    return "---\n".join(_document(item, context) for item in report.objects)


def defaults_json(report: DefaultsReport, context: Context) -> str:
    """Return the objects, and their defaults by path, as ``schemas/defaults-v1.json`` describes it."""
    payload = {
        "version": VERSION,
        "tool": {"name": "kubectl-applylint", "version": context.version},
        "notes": list(report.notes),
        "objects": [_object_json(item) for item in report.objects],
        "problems": [problem_json(problem) for problem in report.problems],
    }
    return json.dumps(payload, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _object_json(item: Defaulted) -> Json:
    return {
        "location": location_json(item.location),
        "object": item.object,
        "defaults": [_default_json(default) for default in item.defaults],
    }


def _default_json(default: Default) -> Json:
    return {
        "path": render(default.path),
        "value": default.value,
        "from": [render(source) for source in default.sources],
    }


def _document(item: Defaulted, context: Context) -> str:
    words = {default.path: _default_words(default, custom=item.custom) for default in item.defaults}
    marked = dict(_default_marks(item.object, (), words))
    notes = {path: paint("quiet", f"# {text}", context) for path, text in marked.items()}
    return "".join(f"{line}\n" for line in yaml_lines(item.object, lambda path: notes.get(path, "")))


def _default_words(default: Default, *, custom: bool) -> str:
    if default.replaces is not MISSING:
        return one_line(f"set by the server instead of {show(default.replaces)}")
    if default.sources:
        return f"{_DEFAULT} from {', '.join(_relative_name(source, default.path) for source in default.sources)}"
    return f"{_DEFAULT} of the custom resource definition" if custom else _DEFAULT


def _relative_name(source: Path, path: Path) -> str:
    """Return the name of a field relative to ``path``: without the common part of both paths."""
    shared = next((n for n, (one, other) in enumerate(zip(source, path, strict=False)) if one != other), len(path))
    return render(source[shared:])


def _default_marks(
    value: Json, path: Path, words: Mapping[Path, str], cluster_view: str = ""
) -> Iterator[tuple[Path, str]]:
    """Yield the places of all defaults with their comments, and of the blocks that contain nothing else.

    Everything inside a list that is a default as a whole is a default as well.
    """
    own = cluster_view or words.get(path, "")
    steps = _child_steps(value)
    inside = [mark for step, held in steps for mark in _default_marks(held, (*path, step), words, own)]
    if steps and not own:
        of = dict(inside)
        found = {of.get((*path, step), "") for step, _ in steps}
        own = "" if "" in found else found.pop() if len(found) == 1 else _DEFAULT
    yield from inside
    if own:
        yield path, own


def _child_steps(value: Json) -> Sequence[tuple[PathStep, Json]]:
    """Return the fields of a map or the elements of a list with their steps."""
    if isinstance(value, dict):
        return [(Field(name), held) for name, held in value.items()]
    return [(Index(number), held) for number, held in enumerate(value)] if isinstance(value, list) else ()
