"""Errors of Argo CD about files in a directory of plain manifests that other programs accept or leave out.

Mirrors ``findManifests`` of Argo CD's repository server: a file in JSON is one object, and a file that mentions
``apiVersion:``, ``kind:`` and ``metadata:`` has to be valid YAML, templates included.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.problem import Problem, as_fatal
from kubectl_applylint.core.records import replace
from kubectl_applylint.sources.text.manifests import Input, stops_reading

_ADVICE: Final = "correct it, or leave it out with directory.exclude of the Application"
_OF_MANIFESTS: Final = ("apiVersion:", "kind:", "metadata:")
_NOTHING_ELSE: Final = "and renders nothing of the directory"
_RENDERS_NOTHING: Final = "Argo CD renders nothing of the directory"


def with_directory_errors(given: Input) -> Input:
    """Return the input of a directory with fatal problems for files at which Argo CD fails."""
    found = {**dict(_broken_manifests(given)), **dict(_unread_json(given))}
    rest = (one for one in given.problems if not _is_about(one, found))
    problems = tuple(as_fatal(one, _RENDERS_NOTHING) if _is_manifest(given, one) else one for one in rest)
    skipped = tuple(one for one in given.skipped if one.file not in found)
    return replace(given, problems=(*problems, *found.values()), skipped=skipped)


def with_fatal_problems(given: Input) -> Input:
    """Return the objects of a file whose problems are errors at which Argo CD fails."""
    problems = (as_fatal(one, _RENDERS_NOTHING) if one.is_refused else one for one in given.problems)
    return replace(given, problems=tuple(problems))


def _is_manifest(given: Input, problem: Problem) -> bool:
    """Return whether a problem is about the syntax of a file with objects."""
    if not stops_reading(problem):
        return False
    read = (one.file for one in given.documents)
    return _is_about(problem, [*read, *(file for file, text in given.texts.items() if _looks_like_manifest(text))])


def _is_about(problem: Problem, files: Iterable[str]) -> bool:
    """Return whether a problem is in one of some files, whose names may have the name of a revision before them."""
    return any(problem.where.startswith(f"{file}:") for file in files)


def _looks_like_manifest(text: str) -> bool:
    return all(word in text for word in _OF_MANIFESTS)


def _broken_manifests(given: Input) -> Iterator[tuple[str, Problem]]:
    """Yield the file and a problem for each skipped document that cannot be parsed and looks like a manifest."""
    for one in given.skipped:
        if one.problem is not None and _looks_like_manifest(given.texts.get(one.file, "")):
            message = f"Argo CD cannot parse the file, which looks like a manifest, {_NOTHING_ELSE}"
            yield one.file, Problem(one.problem.where, message, _ADVICE, is_fatal=True)


def _unread_json(given: Input) -> Iterator[tuple[str, Problem]]:
    for file in sorted({*given.texts, *(one.file for one in given.skipped)}):
        message = _json_error(given.texts.get(file, "")) if file.endswith(".json") else ""
        if message:
            yield file, Problem(f"{file}:1:1", f"{message}, {_NOTHING_ELSE}", _ADVICE, is_fatal=True)


def _json_error(text: str) -> str:
    """Return why a text in JSON is not one object for Argo CD, empty if it is."""
    try:
        value, end = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return "Argo CD cannot parse the file as JSON"
    if not isinstance(value, dict):
        return "" if value is None else "Argo CD reads one object from a file in JSON, which this is not"
    if text.lstrip()[end:].strip():
        return "Argo CD reads one object from a file in JSON, not several"
    return "" if value.get("kind") else "Argo CD reads one object from a file in JSON, not one without a kind"
