from collections.abc import Mapping
from dataclasses import replace

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED, Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint import checks
from kubectl_applylint.lint.model import Hit, Need, Rule, Severity, Subject
from tests.rules.stories import subject

RULE = Rule(
    id="own-rule",
    summary="",
    severity=Severity.INFO,
    confidence="high",
    since="",
    needs=(Need.MANIFEST,),
    kinds=(),
    appliers=(),
    check="jsonpath",
    params={},
    message="",
    why="",
    fix="",
    see=(),
    hazards=(),
    folder="",
)
MANIFEST: JsonObject = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "settings", "namespace": "shop"},
    "data": {"a": "1", "b": "2"},
}
LIVE: JsonObject = {
    **MANIFEST,
    "metadata": {
        **MANIFEST["metadata"],
        "annotations": {LAST_APPLIED: '{"data":{"a":"0","gone":"x"}}'},
    },
    "data": {"a": "0", "gone": "x"},
}
WEB: JsonObject = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"containers": [{"name": "web", "image": "nginx"}, {"name": "proxy", "image": "registry/proxy:1"}]},
}


def hits(found: Subject, **params: Json) -> list[Hit]:
    return list(checks.load("jsonpath")(found, params=params))


def hit_values(found: Subject, **params: Json) -> list[tuple[str, Json, Json]]:
    return [(render(hit.path), hit.facts["match"], hit.facts["value"]) for hit in hits(found, **params)]


def test_each_match_is_a_hit_at_its_place() -> None:
    assert hit_values(subject(WEB), path="manifest.spec.containers[*].image") == [
        ("spec.containers[0].image", "manifest.spec.containers[0].image", "nginx"),
        ("spec.containers[1].image", "manifest.spec.containers[1].image", "registry/proxy:1"),
    ]


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"matches": r"^registry/"}, ["spec.containers[1].image"]),
        ({"matches": r"^(?!registry/)"}, ["spec.containers[0].image"]),
        ({"equals": "nginx"}, ["spec.containers[0].image"]),
        ({"equals": "nginx", "matches": "x$"}, ["spec.containers[0].image"]),
        ({"equals": "nginx", "matches": "^x"}, []),
        ({"exists": True}, ["spec.containers[0].image", "spec.containers[1].image"]),
        ({"exists": False}, []),
        ({"exists": False, "equals": "httpd"}, [""]),
    ],
    ids=repr,
)
def test_conditions(params: Mapping[str, Json], found: list[str]) -> None:
    place = [render(hit.path) for hit in hits(subject(WEB), path="manifest.spec.containers[*].image", **params)]

    assert place == found


def test_filters_can_be_written() -> None:
    assert hit_values(subject(WEB), path="$.manifest.spec.containers[?(@.name == 'proxy')].name") == [
        ("spec.containers[1].name", "manifest.spec.containers[1].name", "proxy")
    ]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("base.data.a", [("data.a", "base.data.a", "base")]),
        ("lastApplied.data.gone", [("data.gone", "lastApplied.data.gone", "x")]),
        ("live.data.a", [("data.a", "live.data.a", "0")]),
        ("result.data.a", [("data.a", "result.data.a", "1")]),
        ("patch.data.gone", [("", "patch.data.gone", None)]),
        ("changes[?(@.path == 'data.b')].after", [("data.b", "changes[2].after", "2")]),
    ],
    ids=["base", "lastApplied", "live", "result", "patch", "changes"],
)
def test_every_part_can_be_asked(path: str, found: list[tuple[str, Json, Json]]) -> None:
    asked = replace(subject(MANIFEST, live=Present(LIVE)), base=Present({"data": {"a": "base"}}))

    assert [(place, match, value) for place, match, value in hit_values(asked, path=path)] == found


@pytest.mark.parametrize("path", ["live.data", "lastApplied.data", "base.data"])
def test_a_part_that_is_not_there_matches_nothing(path: str) -> None:
    assert hits(subject(MANIFEST), path=path) == []


def test_without_a_request_there_is_no_patch() -> None:
    broken = {**MANIFEST, "metadata": {"name": "settings", "namespace": "shop", "annotations": {LAST_APPLIED: "{"}}}

    assert hits(subject(MANIFEST, live=Present(broken)), path="patch") == []


def test_the_whole_of_changes_has_no_place() -> None:
    assert [render(hit.path) for hit in hits(subject(MANIFEST, live=Present(LIVE)), path="changes")] == [""]


def test_values_of_secrets_are_masked() -> None:
    secret = {**MANIFEST, "kind": "Secret", "data": {"a": "aHVudGVyMg=="}}

    assert hit_values(subject(secret), path="manifest.data.a") == [("data.a", "manifest.data.a", "***")]


@pytest.mark.parametrize(
    ("params", "faults"),
    [
        ({"path": "manifest.spec"}, []),
        ({"path": "result.spec", "matches": "^a", "exists": True, "equals": None}, []),
        ({}, ["path is missing"]),
        ({"path": 3}, ["path: not text"]),
        ({"path": "manifest", "exists": "no"}, ["exists: not true or false"]),
        ({"path": "manifest", "matches": 1}, ["matches: not text"]),
        ({"path": "manifest", "match": "a"}, ["unknown key 'match'; known are path, equals, matches, exists"]),
        (
            {"path": "spec.replicas"},
            ["path: starts with none of manifest, base, lastApplied, live, result, patch, cha"],
        ),
        ({"path": "[0]"}, ["path: starts with none of"]),
        ({"path": "live.spec"}, ["path: reads live, so that needs has to name live"]),
        ({"path": "lastApplied.spec"}, ["path: reads lastApplied, so that needs has to name last-applied"]),
        ({"path": "manifest.["}, ["path: not a JSONPath: "]),
        ({"path": "manifest.`"}, ["path: not a JSONPath: "]),
        ({"path": "manifest", "matches": "("}, ["matches: not a regular expression: missing ), unterminated"]),
    ],
    ids=repr,
)
def test_faults_of_parameters(params: Mapping[str, Json], faults: list[str]) -> None:
    found = checks.faults(replace(RULE, params=params))

    assert len(found) == len(faults)
    assert all(message.startswith(fault) for message, fault in zip(found, faults, strict=True))


def test_a_declared_need_is_no_fault() -> None:
    assert checks.faults(replace(RULE, params={"path": "live.spec"}, needs=(Need.LIVE,))) == ()


@pytest.mark.parametrize(
    ("params", "fault"),
    [
        ({"path": "manifest.metadata.name * 1000000000"}, "path: a path that calculates is not followed"),
        ({"path": "manifest.a[?(@.b * 1000000000 > 1)]"}, "path: "),
        ({"path": "manifest.data.a.`sub(/(a+)+$/, b)`"}, "path: a path that replaces text is not followed"),
        ({"path": "manifest.data.a.`split(a,b,c)`"}, "path: not a JSONPath: "),
        ({"path": "manifest" + ".a" * 20_000}, "path: longer than 1000 characters"),
        ({"path": "manifest" + ".a" * 200}, "path: of more than 100 steps"),
        ({"path": "manifest..*..*..*..a"}, "path: '..' occurs more than 2 times"),
        ({"path": 'manifest.a[?(@.b =~ "(a+)+$")]'}, "path: '(a+)+$' might not end"),
        ({"path": "manifest.data.a", "matches": "(?=(a+)+$)"}, "matches: this pattern might take forever: "),
    ],
    ids=lambda value: str(value)[:60],
)
def test_paths_and_patterns_without_bounds_are_faults(params: Mapping[str, Json], fault: str) -> None:
    (message,) = checks.faults(replace(RULE, params=params))

    assert message.startswith(fault)
