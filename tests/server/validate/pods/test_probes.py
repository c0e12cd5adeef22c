"""Probes and hooks; the fields are those that kube-apiserver 1.36.3 named on 2026-11-21."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import fields, messages, pod

EXEC = {"exec": {"command": ["a"]}}
HTTP = {"httpGet": {"path": "/", "port": 80}}


def probe(*handlers: JsonObject, of: str = "livenessProbe", **content: Json) -> JsonObject:
    return {of: {**{key: value for handler in handlers for key, value in handler.items()}, **content}}


def hook(**handler: Json) -> JsonObject:
    return {"lifecycle": {"preStop": handler}}


CASES: dict[str, tuple[JsonObject, list[str]]] = {
    "command": (probe(EXEC), []),
    "empty command": (probe(exec={}), ["livenessProbe.exec.command"]),
    "no handler": (probe(periodSeconds=5), ["livenessProbe"]),
    "two handlers": (probe(EXEC, HTTP), ["livenessProbe.httpGet"]),
    "port by name": (probe(httpGet={"path": "/", "port": "web"}), []),
    "port of no name": (probe(httpGet={"path": "/", "port": "a b"}), ["livenessProbe.httpGet.port"]),
    "port too great": (probe(tcpSocket={"port": 70000}), ["livenessProbe.tcpSocket.port"]),
    "grpc": (probe(grpc={"port": 5000}), []),
    "grpc at no port": (probe(grpc={"port": 0}), ["livenessProbe.grpc.port"]),
    "scheme": (probe(httpGet={"path": "/", "port": 80, "scheme": "FTP"}), ["livenessProbe.httpGet.scheme"]),
    "header": (
        probe(httpGet={"path": "/", "port": 80, "httpHeaders": [{"name": "a b", "value": "c"}]}),
        ["livenessProbe.httpGet.httpHeaders"],
    ),
    "negative times": (
        probe(EXEC, initialDelaySeconds=-1, timeoutSeconds=-1, periodSeconds=-1, failureThreshold=-1),
        [
            "livenessProbe.failureThreshold",
            "livenessProbe.initialDelaySeconds",
            "livenessProbe.periodSeconds",
            "livenessProbe.timeoutSeconds",
        ],
    ),
    "two successes to live": (probe(EXEC, successThreshold=2), ["livenessProbe.successThreshold"]),
    "two successes to start": (probe(EXEC, of="startupProbe", successThreshold=2), ["startupProbe.successThreshold"]),
    "two successes to be ready": (probe(EXEC, of="readinessProbe", successThreshold=2), []),
    "grace of readiness": (
        probe(EXEC, of="readinessProbe", terminationGracePeriodSeconds=5),
        ["readinessProbe.terminationGracePeriodSeconds"],
    ),
    "no grace": (probe(EXEC, terminationGracePeriodSeconds=0), ["livenessProbe.terminationGracePeriodSeconds"]),
    "hook": (hook(**EXEC), []),
    "empty hook": (hook(), ["lifecycle.preStop"]),
    "sleep": (hook(sleep={"seconds": 5}), []),
    "sleep longer than the grace": (hook(sleep={"seconds": 31}), ["lifecycle.preStop.sleep"]),
}


@pytest.mark.parametrize(("container", "expected"), CASES.values(), ids=CASES)
def test_probes_and_hooks(container: JsonObject, expected: list[str]) -> None:
    assert fields(pod(container=container)) == [f"spec.containers[0].{field}" for field in expected]


@pytest.mark.parametrize(
    ("system", "signal", "expected"),
    [
        ("linux", "SIGUSR1", []),
        ("linux", "SIGNONE", ["spec.containers[0].lifecycle.stopSignal"]),
        ("windows", "SIGUSR1", ["spec.containers[0].lifecycle.stopSignal"]),
        ("windows", "SIGTERM", []),
    ],
)
def test_signals_are_those_of_the_system(system: str, signal: str, expected: list[str]) -> None:
    """The feature is enabled here; otherwise the field is dropped before."""
    assert fields(pod(os={"name": system}, container={"lifecycle": {"stopSignal": signal}})) == expected


def test_a_sleep_of_nothing_is_new() -> None:
    still = pod(container=hook(sleep={"seconds": 0}))

    assert fields(still, version="1.33") == []
    assert fields(still, version="1.30") == ["spec.containers[0].lifecycle.preStop.sleep"]


def test_the_words_for_two_handlers() -> None:
    assert messages(pod(container=probe(EXEC, HTTP))) == [
        "spec.containers[0].livenessProbe.httpGet: Forbidden: may not specify more than 1 handler type"
    ]
