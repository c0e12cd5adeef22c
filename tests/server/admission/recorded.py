"""Reads ``pod_security.yaml``: pods in namespaces with labels, and the answers of a real server."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from _pytest.mark import ParameterSet

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.admission.objects import namespaced_object

_LABELS = {"app": "a"}


@dataclass(frozen=True, slots=True)
class Case:
    """A pod or a Deployment in a namespace, and what the server says, empty for nothing."""

    labels: JsonObject
    manifest: JsonObject
    said: str

    @property
    def refused(self) -> bool:
        """Whether the server rejects it, and does not only warn."""
        return " is forbidden: " in self.said


@cache
def _read() -> Json:
    return yaml.load(Path(__file__).with_name("pod_security.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


@cache
def cases() -> tuple[ParameterSet, ...]:
    """Return every case as a parameter."""
    found = _read()
    return tuple(
        _case(place, labels, name, kind)
        for place, labels in found["namespaces"].items()
        for name in found["pods"]
        for kind in ("Pod", "Deployment")
    )


def _case(place: str, labels: JsonObject, name: str, kind: str) -> ParameterSet:
    key, spec = f"{place}, {name}, {kind}", _read()["pods"][name]
    template = {"metadata": {"labels": _LABELS}, "spec": spec}
    manifest = (
        namespaced_object("v1", "Pod", "shop", spec=spec)
        if kind == "Pod"
        else namespaced_object(
            "apps/v1", kind, "shop", spec={"selector": {"matchLabels": _LABELS}, "template": template}
        )
    )
    full = {f"pod-security.kubernetes.io/{label}": value for label, value in labels.items()}
    return pytest.param(Case(full, manifest, _read()["said"].get(key, "")), id=key)
