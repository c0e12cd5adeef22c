"""Drift detection of helm-controller: compares the objects of a release with the cluster and corrects them.

Mirrors ``internal/action/diff.go`` of helm-controller 1.6 and ``jsondiff`` of ``github.com/fluxcd/pkg/ssa`` 0.76.
"""

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import annotations_of, labels_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.merge.json_patch import operations_between
from kubectl_applylint.tools.flux.ignore_rules import ignored_paths, without_paths

_SWITCH: Final = "helm.toolkit.fluxcd.io/driftDetection"
_COMPARED_APART: Final = ("metadata", "status")


@dataclass(frozen=True, slots=True)
class DriftDetection:
    """The settings of ``driftDetection``; ``rules`` are those of ``ignore``: paths and selected objects."""

    corrects: bool = False
    """Whether the mode is ``enabled``; with ``warn`` differences are only reported."""
    rules: tuple[JsonObject, ...] = field(default=(), repr=False)
    compares: bool = True
    """Whether objects are compared at all: the mode is not ``disabled``."""

    def ignored_paths(self, manifest: JsonObject) -> tuple[str, ...]:
        """Return the JSON pointers that are not compared in an object."""
        return ignored_paths(self.rules, manifest)


NO_DRIFT_DETECTION: Final = DriftDetection(compares=False)


def is_excluded(objects: Iterable[JsonObject | None], paths: Iterable[str]) -> bool:
    """Return whether an object is not compared: a label or annotation says so, or a rule ignores it as a whole."""
    return "" in paths or any(item is not None and _is_switched_off(item) for item in objects)


def _is_switched_off(item: JsonObject) -> bool:
    values = (found.get(_SWITCH) for found in (labels_of(item), annotations_of(item)))
    return any(isinstance(value, str) and value.lower() == "disabled" for value in values)


def correction(live: JsonObject, wanted: JsonObject, ignored: Iterable[str]) -> tuple[JsonObject, ...]:
    """Return the operations of the JSON patch that corrects an object.

    ``wanted`` is the result of a dry-run apply. Labels and annotations are never removed; status is not compared.
    """
    paths = tuple(ignored)
    before, after = (without_paths(item, paths) for item in (live, wanted))
    return (*_metadata_operations(before, after), *operations_between(_body(before), _body(after)))


def _metadata_operations(before: JsonObject, after: JsonObject) -> Iterator[JsonObject]:
    found = operations_between(_named_metadata(before), _named_metadata(after))
    return (operation for operation in found if operation["op"] != "remove")


def _named_metadata(item: JsonObject) -> JsonObject:
    metadata = mapping(item.get("metadata"))
    return {"metadata": {key: metadata[key] for key in ("annotations", "labels", "name") if key in metadata}}


def _body(item: JsonObject) -> JsonObject:
    return {key: value for key, value in item.items() if key not in _COMPARED_APART}
