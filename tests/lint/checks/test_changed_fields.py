from dataclasses import replace

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint import checks
from kubectl_applylint.rulebook import rulebook
from tests.rules.stories import subject

SETTINGS = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "namespace": "default"}}
RULE = next(rule for rule in rulebook.built_in().rules if rule.check == "changed_fields")


def hit_paths(**params: Json) -> list[str]:
    """Return the fields of a ConfigMap that is live with a and b, where a gets another value and c is new."""
    live = Present({**SETTINGS, "data": {"a": "1", "b": "2"}})
    asked = subject({**SETTINGS, "data": {"a": "2", "c": "3"}}, live=live)
    return [render(hit.path) for hit in checks.load("changed_fields")(asked, params=params)]


@pytest.mark.parametrize(
    ("params", "paths"),
    [
        ({"why": "set"}, ["data.a"]),
        ({"why": "set", "paths": ["data.b"]}, []),
        ({"why": "set", "within": "data"}, ["data.a"]),
        ({"why": "set", "within": "metadata"}, []),
        ({"why": "set", "manifest": "missing"}, []),
        ({"why": "set", "applied": False}, ["data.a"]),
        ({"why": "set", "applied": True}, []),
        ({"why": "set", "plain": True, "filled": True}, ["data.a"]),
        ({"why": "set", "owned": True}, []),
        ({"why": "defaulted"}, []),
    ],
    ids=[
        "reason",
        "paths",
        "within",
        "elsewhere",
        "manifest",
        "not applied",
        "applied",
        "type",
        "owner",
        "other reason",
    ],
)
def test_a_field_that_all_parameters_describe_is_found(params: dict[str, Json], paths: list[str]) -> None:
    assert hit_paths(**params) == paths


def test_a_rejected_apply_sets_nothing() -> None:
    live = Present({**SETTINGS, "data": {"a": "1"}, "immutable": True})
    asked = subject({**SETTINGS, "data": {"a": "2"}, "immutable": True}, live=live)

    assert list(checks.load("changed_fields")(asked, params={"why": "set"})) == []


def test_wrong_parameters_are_named() -> None:
    assert checks.faults(RULE) == ()
    assert checks.faults(replace(RULE, params={"why": "moved", "path": "spec"})) == (
        "unknown key 'path'; known are"
        " why, paths, within, managers, filled, manifest, applied, plain, handed_over, owned",
        "why: is not one of set, defaulted, kept, released",
    )
