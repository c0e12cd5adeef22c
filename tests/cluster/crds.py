"""Custom resource definitions on the test server."""

import time
from collections.abc import Callable, Sequence

from kubectl_applylint.values import JsonObject
from tests.cluster.api import Api, discover

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SECONDS = 30


def install(api: Api, crds: Sequence[JsonObject]) -> None:
    """Create custom resource definitions, if they are not there, and wait until their kinds are served."""
    for crd in crds:
        reply = api.call("POST", CRDS, crd)
        assert reply.ok or reply.status == 409, reply.json
    wanted = {kind for crd in crds for kind in served_kinds(crd)}
    _wait(lambda: wanted <= set(discover(api)), f"not served after {SECONDS} seconds: {sorted(wanted)}")


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
