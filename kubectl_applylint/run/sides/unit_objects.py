"""The objects of a unit on one side of a comparison, and the files that may contain them."""

from collections.abc import Collection, Sequence
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.problem import Problem, as_fatal
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides.directory_errors import with_directory_errors
from kubectl_applylint.run.sides.renders import is_rendered, render_unit
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.text.manifests import Input, is_syntax_error, with_undecodable
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import Unit

_ESCAPES: Final = (b"\\x", b"\\u", b"\\U")
"""The escapes with which a key may be written."""
_APPLIES_NOTHING: Final = "Flux applies nothing of the directory"


def whole_input(side: Side, unit: Unit) -> Input:
    """Return all objects of a unit, changed or not."""
    if is_rendered(unit):
        return render_unit(side, unit)
    return read_folder(side, unit, sorted(unit.files))


def read_folder(side: Side, unit: Unit, paths: Sequence[str], wanted: Collection[str] = ()) -> Input:
    """Return the objects in some files of a unit of plain manifests; ``wanted`` files are read in any case.

    Flux reads them untyped, as it does with what kustomize renders.
    """
    if unit.applied.tool == Applier.FLUX:
        return _with_fatal_errors(with_undecodable(side.read(manifests(side, paths, wanted))))
    if unit.applied.tool != ARGO_TOOL:
        return side.read(manifests(side, paths, wanted))
    own = [*wanted, *(path for path in paths if path.endswith(".json"))]
    return with_directory_errors(side.read(manifests(side, paths, own)))


def folder_failures(side: Side, unit: Unit, paths: Collection[str]) -> tuple[Problem, ...]:
    """Return the problems in some files of a folder that prevent the apply of all its objects.

    Only Argo CD and Flux read a folder as a whole before they apply any of it.
    """
    if is_rendered(unit) or unit.applied.tool not in (Applier.FLUX, ARGO_TOOL):
        return ()
    return tuple(one for one in read_folder(side, unit, sorted(paths)).problems if one.is_fatal)


def _with_fatal_errors(found: Input) -> Input:
    """Return the objects of a directory with the errors at which kustomize fails; Flux builds the directory with it."""
    problems = (as_fatal(one, _APPLIES_NOTHING) if is_syntax_error(one) else one for one in found.problems)
    return replace(found, problems=tuple(problems))


def manifests(side: Side, paths: Sequence[str], wanted: Collection[str] = ()) -> list[str]:
    """Return the files that may contain objects, the unreadable ones, and the ``wanted`` ones, in their order."""
    texts = side.contents(paths)
    return [path for path in paths if path in wanted or _may_contain_objects(texts.get(path, b""))]


def _may_contain_objects(text: bytes) -> bool:
    is_utf_16 = b"\0" in text[:4]
    has_header = b"apiVersion" in text or (b"kind" in text and b"metadata" in text)
    return not text or is_utf_16 or has_header or any(escape in text for escape in _ESCAPES)
