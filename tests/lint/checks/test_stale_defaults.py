"""Derived defaults that stay although the manifest changes."""

import pytest

from kubectl_applylint.appliers.last_applied import annotate
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks._defaults import DefaultedObject, defaulted_object
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook.rulebook import load
from tests.rules.stories import subject

RULES = [rule for rule in load(()).rules if rule.check == "stale_defaults"]


def service(port: int) -> JsonObject:
    metadata = {"name": "web", "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": port}]}}


def test_defaults_are_computed_once_for_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[Json] = []

    def count_call(manifest: Json, subject: Subject) -> DefaultedObject:
        computed.append(manifest)
        return defaulted_object(manifest, subject)

    monkeypatch.setattr("kubectl_applylint.lint.checks.stale_defaults.defaulted_object", count_call)
    lint([subject(service(81), live=Present(annotate(service(80))))], RULES)

    assert len(RULES) > 1
    assert len(computed) == 2
