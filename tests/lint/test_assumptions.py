from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.state import Absent, State, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.assumptions import Assumption, assumption_of
from tests.lint.test_run import RULE, WEB
from tests.rules.stories import subject

LAMP: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "lamps.x.io"},
    "spec": {
        "group": "x.io",
        "scope": "Namespaced",
        "names": {"kind": "Lamp", "plural": "lamps"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


@pytest.mark.parametrize(
    ("assumes", "flags", "state", "words"),
    [
        (Assumption.CLIENT_SIDE, Flags(is_tool_assumed=True), State(Unknown("x")), "if it is applied client-side"),
        (Assumption.CLIENT_SIDE, Flags(is_tool_assumed=True), State(Absent()), ""),
        (Assumption.CLIENT_SIDE, Flags(), State(Unknown("x")), ""),
        (
            Assumption.OWN_VALUES,
            Flags(has_own_values_only=True),
            State(Absent()),
            "if the chart is installed with its own values alone",
        ),
        (
            Assumption.ALL_PARTS,
            Flags(has_missing_changes=True),
            State(Absent()),
            "if the parts that were not rendered do not change it",
        ),
        (Assumption.ALL_PARTS, Flags(has_own_values_only=True), State(Absent()), ""),
        (Assumption.OWN_VALUES, Flags(is_tool_assumed=True), State(Unknown("x")), ""),
        (Assumption.NO_WEBHOOK, Flags(mutated_groups=frozenset({"", "apps"})), State(Unknown("x")), ""),
    ],
)
def test_an_assumption_holds_where_the_files_do_not_say(
    assumes: Assumption, flags: Flags, state: State, words: str
) -> None:
    one = replace(subject(WEB), flags=flags, state=state)

    assert assumption_of(one, replace(RULE, assumes=(assumes,))) == words
    assert assumption_of(one, RULE) == ""


@pytest.mark.parametrize(
    ("api_version", "flags", "is_assumed"),
    [
        ("tool.example.com/v1", Flags(is_tool_assumed=True), True),
        ("tool.example.com/v1", Flags(), False),
        ("apps/v1", Flags(is_tool_assumed=True), False),
    ],
    ids=["no definition", "declared", "built-in"],
)
def test_an_object_of_an_undefined_kind_may_be_the_file_of_another_tool(
    api_version: str, flags: Flags, is_assumed: bool
) -> None:
    one = replace(subject({**WEB, "apiVersion": api_version}), flags=flags)
    words = assumption_of(one, replace(RULE, assumes=(Assumption.KNOWN_KIND,)))

    assert words == "if it is applied to a cluster that has its kind" * is_assumed


def test_values_do_not_decide_on_an_undeclared_field() -> None:
    flags = Flags(has_own_values_only=True)
    rule = replace(RULE, assumes=(Assumption.OWN_VALUES,))

    assert assumption_of(replace(subject({**WEB, "spec": {"colour": "red"}}), flags=flags), rule) == ""
    assert assumption_of(replace(subject(WEB), flags=flags), rule) != ""


@pytest.mark.parametrize(
    ("least", "metric", "is_assumed"),
    [(0, "External", True), (0, "Object", True), (0, "Resource", False), (1, "External", False)],
)
def test_an_autoscaler_may_be_written_for_a_feature_gate(least: int, metric: str, is_assumed: bool) -> None:
    spec: JsonObject = {"minReplicas": least, "maxReplicas": 2, "metrics": [{"type": metric}]}
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a"},
        "spec": spec,
    }
    rule = replace(RULE, assumes=(Assumption.DEFAULT_GATES,))

    words = assumption_of(subject(scaler), rule)
    assert words == "if the feature gate HPAScaleToZero is not enabled" * is_assumed


def test_a_webhook_may_change_custom_resources_of_its_group() -> None:
    lamp: JsonObject = {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "a"}}
    one = replace(subject(lamp, crds=[LAMP]), flags=Flags(mutated_groups=frozenset({"x.io"})))
    rule = replace(RULE, assumes=(Assumption.NO_WEBHOOK,))

    assert assumption_of(one, rule) == "if no mutating webhook changes it"
    assert assumption_of(replace(one, flags=Flags()), rule) == ""
