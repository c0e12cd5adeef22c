"""Detects folders of manifests that are not meant to be applied: dependencies, test data, archives, tests, patches."""

import os
from collections.abc import Collection, Sequence
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.units.model import Form, Unit

_DEPENDENCIES: Final = frozenset({"vendor", "node_modules"})
"""The folders into which Go and npm copy third-party files."""
_TEST_DATA: Final = frozenset({"testdata", "_testdata", "test-data", "test_data", "fixtures", "mock_data"})
"""The first is Go's own, the others are conventions. A folder "tests" is not listed: it may be applied to a cluster."""
_ARCHIVES: Final = frozenset({"archive", "archived", "archives", "_archive", ".archive", "disabled", "_disabled"})
"""Folders to which manifests move that are no longer applied."""
_INVALID: Final = regex(r"(?:.*[-_])?invalid(?:[-_].*)?")
"""Folders whose manifests are meant to be rejected."""
_TESTS: Final = ("test", "tests", "e2e", "e2e-tests")
_OF_TESTS: Final = frozenset({"data", "compare", "expected", "golden", "snapshots", "patches"})
"""Folders somewhere below a folder of tests with input or expected output of these."""
_MAVEN: Final = "/src/test/"
_OF_CLUSTER_TESTS: Final = regex(r"(?:.*/)?(?:\d+-(?:assert|errors)|(?:chainsaw|kyverno)-test)\.ya?ml")
"""Files next to the steps of a test of kuttl, Chainsaw or Kyverno: expected state, which is not applied.

The steps are applied one after the other, and often to be rejected.
"""
_TEST_TOOLS: Final = frozenset({"kuttl", "chainsaw", ".chainsaw-test", ".kyverno-test"})
_BUNDLE: Final = "manifests"
_OF_BUNDLE: Final = "metadata/annotations.yaml"
"""A file of the Operator Lifecycle Manager next to the folder of manifests in an operator bundle."""
_OF_OPERATOR: Final = (".clusterserviceversion.yaml", ".clusterserviceversion.yml")
"""File endings of the manifest by which that manager installs an operator, with all files next to it."""
_PATCHES: Final = frozenset({"patches", "patch"})
_PATCH: Final = regex(r"(?:.*/)?(?:[^/]*[-_.])?patch(?:[-_.][^/]*)?\.(?:ya?ml|json)")
"""File names of kustomize patches."""


def reasons_not_applied(units: Sequence[Unit], paths: Collection[str], named: Collection[str] = ()) -> tuple[str, ...]:
    """Return for each unit of the layout why it is not meant to be applied, empty if it is.

    ``paths`` are all files of the repository. Configured units are always applied, and so are units that the user
    names, by a folder or by one of their files. A declared unit is applied unless its declaring object is in an archive
    or a similar folder, in a file that no applied unit has.
    """
    tests = frozenset(os.path.dirname(path) for path in paths if _OF_CLUSTER_TESTS.fullmatch(path))
    operators = frozenset(os.path.dirname(path) for path in paths if path.endswith(_OF_OPERATOR))
    found = tuple(_reason(unit, paths, (tests, operators), named) for unit in units)
    applied = frozenset().union(*(unit.files for unit, why in zip(units, found, strict=True) if not why))
    return tuple(why or _reason_of_declaration(unit, applied, named) for unit, why in zip(units, found, strict=True))


def _reason_of_declaration(unit: Unit, applied: Collection[str], named: Collection[str]) -> str:
    """Return why the object that declares a unit is not applied; ``applied`` are the files of applied units."""
    if unit.applied.declared_by is None or unit.root in named:
        return ""
    # The file is displayed with its revision, and relative to the current folder.
    path = unit.applied.reason.file.rpartition(":")[2].replace("../", "")
    words = _reason_of_folder(path.split("/")[:-1], named)
    is_applied = words and any(f"/{one}".endswith(f"/{path}") for one in applied)
    return "" if is_applied else words


def _reason_of_folder(parts: Sequence[str], named: Collection[str]) -> str:
    """Return what the manifests below one of these folders are if they are not applied, empty for others."""
    for words, found in (("dependencies", _DEPENDENCIES), ("test data", _TEST_DATA), ("archives", _ARCHIVES)):
        if not found.isdisjoint(parts) and not any(_is_inside(name, found) for name in named):
            return words
    return ""


def _reason(
    unit: Unit, paths: Collection[str], known: tuple[frozenset[str], frozenset[str]], named: Collection[str]
) -> str:
    """Return why a unit is not applied; ``known`` are the folders of cluster tests and those of operators."""
    tests, operators = known
    if unit.applied.reason.file or not unit.files.isdisjoint(named):
        return ""
    parts = unit.root.split("/")
    if words := _reason_of_folder(parts, named):
        return words
    if _is_test_data(unit.root) and not any(map(_is_test_data, named)):
        return "test data"
    if unit.form not in (Form.FOLDER, Form.FILE) or unit.root in named:
        return ""
    folder = parts[:-1] if unit.form is Form.FILE else parts
    if not _TEST_TOOLS.isdisjoint(parts) and not any(_is_inside(name, _TEST_TOOLS) for name in named):
        return "tests of a cluster"
    above = {"/".join(folder[:end]) for end in range(1, len(folder) + 1)} & tests
    if above and above.isdisjoint(named):
        return "tests of a cluster"
    if "/".join(folder) in operators or _is_next_to_bundle(folder, paths):
        return "bundle of an operator"
    return "patches" if _is_patch_folder(folder, paths) or _are_unlisted_patches(unit, folder, paths) else ""


def _is_next_to_bundle(folder: Sequence[str], paths: Collection[str]) -> bool:
    return folder[-1:] == [_BUNDLE] and "/".join((*folder[:-1], _OF_BUNDLE)) in paths


def _is_test_data(path: str) -> bool:
    parts = path.split("/")
    if any(map(_INVALID.fullmatch, parts)):
        return True
    first = min((parts.index(name) for name in _TESTS if name in parts), default=len(parts))
    return _MAVEN in f"/{path}/" or not _OF_TESTS.isdisjoint(parts[first + 1 :])


def _is_inside(name: str, folders: Collection[str]) -> bool:
    return any(part in folders for part in name.split("/"))


def _are_unlisted_patches(unit: Unit, folder: Sequence[str], paths: Collection[str]) -> bool:
    """Return whether all files of a unit have names of patches, below a kustomization that does not list them."""
    above = ("/".join(folder[:end]) for end in range(len(folder)))
    return all(map(_PATCH.fullmatch, unit.files)) and any(_has_kustomization(home, paths) for home in above)


def _is_patch_folder(folder: Sequence[str], paths: Collection[str]) -> bool:
    """Return whether a folder of patches is next to a kustomization, which does not list its files."""
    return bool(folder) and folder[-1] in _PATCHES and _has_kustomization("/".join(folder[:-1]), paths)


def _has_kustomization(home: str, paths: Collection[str]) -> bool:
    return any((f"{home}/{name}" if home else name) in paths for name in KUSTOMIZATION_FILES)
