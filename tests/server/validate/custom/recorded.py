"""Reads ``recorded.yaml``: a definition, resources of its kind, and the answers of a real server."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from _pytest.mark import ParameterSet

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind

BAD_REQUEST = 400


@dataclass(frozen=True, slots=True)
class Case:
    """A resource that is created, or whose spec is changed by a merge patch; the status is 0 where it is accepted."""

    spec: JsonObject
    then: Json
    status: int
    causes: tuple[tuple[str, str, str], ...]

    @property
    def manifest(self) -> JsonObject:
        """The resource."""
        return {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "x"}, "spec": self.spec}


@cache
def _read() -> Mapping[str, Json]:
    content: Mapping[str, Json] = yaml.load(
        Path(__file__).with_name("recorded.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    return content


@cache
def definition() -> JsonObject:
    """Return the definition of the kind."""
    spec = {"type": "object", "properties": _read()["fields"]}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "lamps.x.io"},
        "spec": {
            "group": "x.io",
            "scope": "Cluster",
            "names": {"kind": "Lamp", "listKind": "LampList", "plural": "lamps", "singular": "lamp"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


@cache
def kind(version: str = "1.36") -> Kind:
    """Return the kind."""
    found = load(version, crds=[definition()]).kind("x.io/v1", "Lamp")
    assert found is not None
    return found


@cache
def cases() -> tuple[ParameterSet, ...]:
    """Return every case as a parameter."""
    return tuple(pytest.param(_case(case), id=name) for name, case in _read()["cases"].items())


def _case(case: JsonObject) -> Case:
    causes = tuple((field, reason, message) for field, reason, message in case.get("causes", []))
    return Case(case["spec"], case.get("then"), case.get("status", 0), causes)
