"""Custom resource definitions on the test server."""

import time
from collections.abc import Callable, Sequence
from http import HTTPStatus

from kubectl_applylint.core.values import JsonObject
from tests.cluster.api import Api, discover

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SECONDS = 180


def install(api: Api, crds: Sequence[JsonObject]) -> list[JsonObject]:
    """Create custom resource definitions and wait until their kinds are served; return those that were not there."""
    replies = [(crd, api.call("POST", CRDS, crd)) for crd in crds]
    refused = [reply.json for _, reply in replies if not reply.ok and reply.status != HTTPStatus.CONFLICT]
    assert refused == []
    wanted = {kind for crd in crds for kind in served_kinds(crd)}
    _wait(lambda: wanted <= set(discover(api)), f"not served after {SECONDS} seconds: {sorted(wanted)}")
    return [crd for crd, reply in replies if reply.ok]


def uninstall(api: Api, crds: Sequence[JsonObject]) -> None:
    """Delete custom resource definitions with all their objects, and wait until they are gone."""
    paths = [f"{CRDS}/{crd['metadata']['name']}" for crd in crds]
    for path in paths:
        api.call("DELETE", path)
    _wait(lambda: not any(api.call("GET", path).ok for path in paths), f"not gone after {SECONDS} seconds: {paths}")


def served_kinds(crd: JsonObject) -> list[tuple[str, str]]:
    """Return apiVersion and kind of all that a definition makes the server serve."""
    spec = crd["spec"]
    return [(f"{spec['group']}/{v['name']}", spec["names"]["kind"]) for v in spec["versions"] if v["served"]]


def _wait(condition: Callable[[], bool], complaint: str) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(complaint)
        time.sleep(0.1)
