"""Decides which files that are not manifests are skipped, and which are problems.

A hook names every YAML and JSON file of a commit, and a folder contains other files as well. Such a file is a problem
only if it is meant to be a manifest: if the caller names it, or if a change touches it and it contains or contained
objects. An excuse is a ``Skipped`` with its reason, which the report counts.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import mapping, text_at
from kubectl_applylint.schema.served import group_of, lifetimes
from kubectl_applylint.sources.text.classify import KAPP, SkipReason
from kubectl_applylint.sources.text.manifests import UNPARSED, Input, Skipped

_READ_WHOLE: Final = "error validating data"
_NO_MANIFEST: Final = "error validating data: not a manifest, neither apiVersion nor kind is set"
_LEAVE_OUT: Final = "kubectl fails on this file: leave it out, or add them"
_SEPARATOR: Final = regex(r"^---(?:[ \t].*)?$", re.MULTILINE)
_KEY: Final = regex(r"""^([ \t]*)["']?([\w.$/-]+)["']?[ \t]*:(?:\s|$)""", re.MULTILINE)
_TOKEN: Final = regex(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|#[^\n]*|[{}\[\]]|\b(?:apiVersion|kind)\b')
_VERSION_NAME: Final = regex("[a-z](?:[a-z0-9-]*[a-z0-9])?")
_HEADER: Final = frozenset({"apiVersion", "kind"})
_PATTERN: Final = frozenset("*?[")
_REASONS_OF_NAMED_FILES: Final = frozenset(SkipReason) - {SkipReason.LINK}
"""The reasons for which a file that the caller names is not skipped."""
_REASONS_OF_KUBECTL_FILES: Final = _REASONS_OF_NAMED_FILES - {SkipReason.EMPTY}
"""The same for files that kubectl gets, which accepts a file without objects among others."""
_REASONS_OF_MANIFESTS: Final = frozenset(
    {SkipReason.OTHER, SkipReason.UNREADABLE, SkipReason.HELM, SkipReason.PATCH, SkipReason.KUSTOMIZATION}
)
"""The reasons for which a changed file that contains or contained objects is not skipped."""


def without_extra_files(given: Input, named: Collection[str]) -> Input:
    """Return the input with files skipped that are not manifests, or that are links to other files.

    Nothing in the files, folders and patterns that are ``named`` is skipped; a document that is not a manifest in a
    named file is a problem, as it is for kubectl.
    """
    given = without_excuses(given, named, of_named=_REASONS_OF_KUBECTL_FILES)
    links = frozenset(file for file in _duplicate_links(given.texts) if not _is_named(file, named))
    over = [problem for problem in given.problems if _is_extra_file(problem, given, named)]
    if not links and not over:
        return given
    return replace(
        given,
        documents=tuple(one for one in given.documents if one.file not in links),
        problems=tuple(one for one in given.problems if one not in over and _file_of_problem(one, given) not in links),
        skipped=(
            *(one for one in given.skipped if one.file not in links),
            *(_skipped_file(problem, given) for problem in over),
            *(Skipped(file, 1, SkipReason.LINK) for file in sorted(links)),
        ),
    )


def _skipped_file(problem: Problem, given: Input) -> Skipped:
    file = _file_of_problem(problem, given)
    return Skipped(file, 1, SkipReason.UNREADABLE if file in given.texts else SkipReason.LINK, problem=problem)


def without_excuses(
    given: Input,
    named: Collection[str],
    manifests: Collection[str] = (),
    of_named: Collection[SkipReason] = _REASONS_OF_NAMED_FILES,
) -> Input:
    """Return the input with a problem instead of each skipped document that must not be skipped.

    ``named`` are the files that the caller names, ``of_named`` the reasons for which these are not skipped;
    ``manifests`` are changed files that contain or contained objects. A kapp configuration is always skipped.
    """
    own = frozenset(map(os.path.normpath, named))
    held = [one for one in given.skipped if not _is_of_kapp(one) and _is_problem(one, own, manifests, of_named)]
    if not held:
        return given
    skipped = tuple(one for one in given.skipped if one not in held)
    return replace(given, problems=(*given.problems, *map(_problem, held)), skipped=skipped)


def broken_manifests(given: Input) -> Iterator[str]:
    """Yield the files that cannot be parsed and contain ``apiVersion`` and ``kind``: if changed, they are problems."""
    files = {one.file for one in given.skipped if one.why is SkipReason.UNREADABLE}
    yield from (file for file in files if all(word in given.texts.get(file, "") for word in _HEADER))


def _is_of_kapp(skipped: Skipped) -> bool:
    return text_at(skipped.value, "apiVersion").partition("/")[0] == KAPP


def _is_problem(
    skipped: Skipped, named: Collection[str], manifests: Collection[str], of_named: Collection[SkipReason]
) -> bool:
    if skipped.file in manifests and skipped.why in _REASONS_OF_MANIFESTS:
        return True
    is_own = skipped.why in of_named or skipped.problem is not None
    return is_own and bool(named) and os.path.normpath(skipped.file) in named


def _problem(skipped: Skipped) -> Problem:
    """Return the problem that kubectl reports for a document that must not be skipped."""
    if skipped.problem is not None:
        return skipped.problem
    where = f"{skipped.file}:{skipped.line}:1"
    match skipped.why:
        case SkipReason.OTHER:
            return Problem(where, _NO_MANIFEST, _LEAVE_OUT, is_refused=True)
        case SkipReason.EMPTY:
            return Problem(skipped.file, "the file holds no objects", "leave it out, or add the manifests")
        case SkipReason.GENERATED:
            advice = "create it with kubectl create, or set metadata.name"
            return Problem(where, "kubectl apply cannot use generateName", advice, is_refused=True)
        case SkipReason.KUSTOMIZATION:
            return Problem(where, f"not a manifest: {skipped.why}", "name its directory with -k", is_refused=True)
        case why:
            return Problem(where, f"not a manifest: {why}", "name the files that are applied", is_refused=True)


def without_nameless(given: Input, *, keeps_generated: bool = False) -> Input:
    """Return the input without objects with ``generateName``, which cannot be applied, unless these are kept.

    Documents that only look like objects and have no name are skipped as well.
    """
    kept_reason = SkipReason.GENERATED if keeps_generated else None
    reasons = [None if (reason := _skip_reason(one)) is kept_reason else reason for one in given.documents]
    if not any(reasons):
        return given
    kept = tuple(one for one, reason in zip(given.documents, reasons, strict=True) if reason is None)
    places = ((one.locate(()), reason) for one, reason in zip(given.documents, reasons, strict=True) if reason)
    skipped = (Skipped(place.file, place.span.line, reason) for place, reason in places)
    return replace(given, documents=kept, skipped=(*given.skipped, *skipped))


def _skip_reason(document: Document) -> SkipReason | None:
    if mapping(document.object.get("metadata")).get("name"):
        return None
    return SkipReason.GENERATED if _is_generated(document) else SkipReason.TOOL if _is_tool_file(document) else None


def _is_tool_file(document: Document) -> bool:
    """Return whether an object without a name has an invalid kind, or one that Kubernetes itself does not define.

    Reports and settings of tools look like custom resources, but are not applied.
    """
    group, _, version = document.ref.api_version.rpartition("/")
    is_served = group in _served_groups() and _VERSION_NAME.fullmatch(version) and document.ref.kind.isalnum()
    return not is_served


@cache
def _served_groups() -> frozenset[str]:
    return frozenset(group_of(api_version) for api_version, _ in lifetimes())


def _is_generated(document: Document) -> bool:
    return bool(mapping(document.object.get("metadata")).get("generateName"))


def _duplicate_links(files: Iterable[str]) -> Iterator[str]:
    """Yield the links to a file that is read itself, or by an earlier link."""
    links = [file for file in files if os.path.islink(file)]
    if not links:
        return
    seen = {os.path.realpath(file) for file in files if not os.path.islink(file)}
    for link in links:
        end = os.path.realpath(link)
        if end in seen:
            yield link
        seen.add(end)


def _is_extra_file(problem: Problem, given: Input, named: Collection[str]) -> bool:
    file = _file_of_problem(problem, given)
    if _is_named(file, named):
        return False
    if file not in given.texts:
        return os.path.islink(file)
    is_unparsed = problem.message.startswith(UNPARSED) and _READ_WHOLE not in problem.message
    return is_unparsed and not is_meant_as_manifest(given.texts[file])


def _file_of_problem(problem: Problem, given: Input) -> str:
    place = problem.where
    for _ in range(2):
        if place in given.texts:
            break
        place = place.rpartition(":")[0]
    return place if place in given.texts else problem.where


def _is_named(file: str, named: Collection[str]) -> bool:
    whole = os.path.normpath(file)
    return any(_is_within(whole, os.path.normpath(name)) or not _PATTERN.isdisjoint(name) for name in named)


def _is_within(file: str, name: str) -> bool:
    return name == os.curdir or file == name or file.startswith(name + os.sep)


def is_meant_as_manifest(text: str) -> bool:
    """Return whether a document of a text that cannot be parsed has apiVersion and kind at its top level."""
    return any(_has_header(document) for document in _SEPARATOR.split(text))


def _has_header(document: str) -> bool:
    start = next((line for line in map(str.strip, document.splitlines()) if line and line[0] not in "#/%"), "")
    return (
        _header_of_json(document) >= _HEADER if start.startswith(("{", "[")) else _header_of_yaml(document) >= _HEADER
    )


def _header_of_yaml(document: str) -> set[str]:
    """Return the keys that are not indented more than the first one."""
    keys = _KEY.findall(document)
    return {key for indent, key in keys if len(indent) <= len(keys[0][0])}


def _header_of_json(document: str) -> set[str]:
    """Return the header keys in the outermost object, or in the items of a list."""
    depth, found = 0, set()
    for token in _TOKEN.findall(document):
        depth += (token in "{") - (token in "}")
        if depth == 1 and token.strip('"') in _HEADER:
            found.add(token.strip('"'))
    return found
