"""Folders of manifests that are not meant to be applied: dependencies, test data, tests of a cluster, spare patches."""

import os
from collections.abc import Collection, Sequence
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.units.model import Form, Unit

_DEPENDENCIES: Final = frozenset({"vendor", "node_modules"})
"""What Go and npm call the folders into which they copy what others wrote."""
_TEST_DATA: Final = frozenset({"testdata", "_testdata", "test-data", "test_data", "fixtures", "mock_data"})
"""The first is Go's own, the others are usual; a folder of tests is none of these: it may be applied to a cluster."""
_INVALID: Final = regex(r"(?:.*[-_])?invalid(?:[-_].*)?")
"""The folders whose manifests are there to be rejected."""
_TESTS: Final = ("test", "tests", "e2e", "e2e-tests")
_OF_TESTS: Final = frozenset({"data", "compare", "expected", "golden", "snapshots", "patches"})
"""What lies somewhere below a folder of tests, and is read or expected by them."""
_MAVEN: Final = "/src/test/"
_OF_CLUSTER_TESTS: Final = regex(r"(?:.*/)?(?:\d+-(?:assert|errors)|(?:chainsaw|kyverno)-test)\.ya?ml")
"""What the steps of a test of kuttl, Chainsaw or Kyverno lie beside: what the cluster has to hold, which is not
applied. The steps are applied one after the other, and often to be rejected."""
_TEST_TOOLS: Final = frozenset({"kuttl", "chainsaw"})
_BUNDLE: Final = "manifests"
_OF_BUNDLE: Final = "metadata/annotations.yaml"
"""What the Operator Lifecycle Manager has beside the folder of manifests in an image that it installs."""
_OF_OPERATOR: Final = (".clusterserviceversion.yaml", ".clusterserviceversion.yml")
"""How the file ends by which that manager installs an operator with all that lies beside it."""
_PATCHES: Final = frozenset({"patches", "patch"})
_PATCH: Final = regex(r"(?:.*/)?(?:[^/]*[-_.])?patch(?:[-_.][^/]*)?\.(?:ya?ml|json)")
"""How a file is named that is a patch for a kustomization."""


def set_aside(units: Sequence[Unit], paths: Collection[str], named: Collection[str] = ()) -> tuple[str, ...]:
    """Return for each unit of the layout what keeps it from being applied, empty where nothing does.

    ``paths`` are all files of the repository. What an object or the configuration declares is applied, and so is what
    lies in a folder of this sort that is among the ``named``, or is a file of these.
    """
    tests = frozenset(os.path.dirname(path) for path in paths if _OF_CLUSTER_TESTS.fullmatch(path))
    operators = frozenset(os.path.dirname(path) for path in paths if path.endswith(_OF_OPERATOR))
    return tuple(_reason(unit, paths, (tests, operators), named) for unit in units)


def _reason(
    unit: Unit, paths: Collection[str], known: tuple[frozenset[str], frozenset[str]], named: Collection[str]
) -> str:
    """Return why a unit is set aside; ``known`` are the folders of tests of a cluster and those of operators."""
    tests, operators = known
    if unit.applied.reason.file or not unit.files.isdisjoint(named):
        return ""
    parts = unit.root.split("/")
    for words, found in (("dependencies", _DEPENDENCIES), ("test data", _TEST_DATA)):
        if not found.isdisjoint(parts) and not any(_is_inside(name, found) for name in named):
            return words
    if _is_of_tests(unit.root) and not any(map(_is_of_tests, named)):
        return "test data"
    if unit.form not in (Form.FOLDER, Form.FILE) or unit.root in named:
        return ""
    folder = parts[:-1] if unit.form is Form.FILE else parts
    if not _TEST_TOOLS.isdisjoint(parts) and not any(_is_inside(name, _TEST_TOOLS) for name in named):
        return "tests of a cluster"
    above = {"/".join(folder[:end]) for end in range(1, len(folder) + 1)} & tests
    if above and above.isdisjoint(named):
        return "tests of a cluster"
    if "/".join(folder) in operators or _is_beside_bundle(folder, paths):
        return "bundle of an operator"
    return "patches" if _is_of_kustomization(folder, paths) or _are_spare(unit, folder, paths) else ""


def _is_beside_bundle(folder: Sequence[str], paths: Collection[str]) -> bool:
    return folder[-1:] == [_BUNDLE] and "/".join((*folder[:-1], _OF_BUNDLE)) in paths


def _is_of_tests(path: str) -> bool:
    parts = path.split("/")
    if any(map(_INVALID.fullmatch, parts)):
        return True
    first = min((parts.index(name) for name in _TESTS if name in parts), default=len(parts))
    return _MAVEN in f"/{path}/" or not _OF_TESTS.isdisjoint(parts[first + 1 :])


def _is_inside(name: str, folders: Collection[str]) -> bool:
    return any(part in folders for part in name.split("/"))


def _are_spare(unit: Unit, folder: Sequence[str], paths: Collection[str]) -> bool:
    """Return whether all files of a unit are named as patches, below a kustomization that does not list them."""
    above = ("/".join(folder[:end]) for end in range(len(folder)))
    return all(map(_PATCH.fullmatch, unit.files)) and any(_has_kustomization(home, paths) for home in above)


def _is_of_kustomization(folder: Sequence[str], paths: Collection[str]) -> bool:
    """Return whether a folder of patches lies beside a kustomization, which does not list what is in it."""
    return bool(folder) and folder[-1] in _PATCHES and _has_kustomization("/".join(folder[:-1]), paths)


def _has_kustomization(home: str, paths: Collection[str]) -> bool:
    return any((f"{home}/{name}" if home else name) in paths for name in KUSTOMIZATION_FILES)
