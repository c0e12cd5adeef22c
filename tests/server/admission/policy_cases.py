"""Reads ``policies.yaml``: policies in force, objects that meet them, and the answers of a real server."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from _pytest.mark import ParameterSet

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.admission.objects import namespace

REGISTRATION = "admissionregistration.k8s.io/v1"


@dataclass(frozen=True, slots=True)
class PolicyCase:
    """An object that is created, or changed by a merge patch, and what is said; the status is 0 if it is accepted."""

    manifest: JsonObject
    then: Json
    status: int
    said: str


@cache
def _read() -> Mapping[str, Json]:
    content: Mapping[str, Json] = yaml.load(
        Path(__file__).with_name("policies.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    return content


def policy(name: str, **spec: Json) -> JsonObject:
    """Return a policy."""
    kind = "ValidatingAdmissionPolicy"
    return {"apiVersion": REGISTRATION, "kind": kind, "metadata": {"name": name}, "spec": spec}


def binding(name: str, **spec: Json) -> JsonObject:
    """Return a binding of the policy of its name."""
    kind = "ValidatingAdmissionPolicyBinding"
    return {"apiVersion": REGISTRATION, "kind": kind, "metadata": {"name": name}, "spec": {"policyName": name, **spec}}


def policies() -> list[JsonObject]:
    """Return all policies and their bindings."""
    found = _read()
    given = [policy(name, **content["spec"]) for name, content in found["policies"].items()]
    return [*given, *(binding(name, **spec) for name, spec in found["bindings"].items())]


def parameters() -> list[JsonObject]:
    """Return what the policies have as parameters."""
    return list(_read()["parameters"])


def namespaces() -> list[JsonObject]:
    """Return the namespaces in which objects meet them."""
    return [namespace(name, labels) for name, labels in _read()["namespaces"].items()]


@cache
def policy_cases() -> tuple[ParameterSet, ...]:
    """Return every case as a parameter."""
    return tuple(pytest.param(_case(case), id=name) for name, case in _read()["cases"].items())


def _case(case: JsonObject) -> PolicyCase:
    metadata = {"name": "x", **case["apply"].get("metadata", {}), "namespace": case["in"]}
    manifest = {**case["apply"], "metadata": metadata}
    return PolicyCase(manifest, case.get("then"), case.get("status", 0), case.get("said", ""))
