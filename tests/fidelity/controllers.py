"""The real Metacontroller beside a test server: its controllers, and the hook that answers it."""

import json
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import yaml

from kubectl_applylint.core.values import Json, JsonObject
from tests.cluster.cluster import Cluster
from tests.cluster.crds import install
from tests.cluster.metacontroller_programs import DEFINITIONS

GROUP: Final = "families.example.com"
CHILDREN: Final[Mapping[str, str]] = {
    "configmaps": "v1",
    "secrets": "v1",
    "services": "v1",
    "serviceaccounts": "v1",
    "deployments": "apps/v1",
    "statefulsets": "apps/v1",
    "widgets": "example.com/v1",
}
"""The resources that all controllers manage, with their versions."""
_COMPOSITES: Final = ("OnDelete", "Recreate", "InPlace", "RollingRecreate", "RollingInPlace")
_DECORATORS: Final = ("OnDelete", "Recreate", "InPlace")
_CONTROLLERS: Final = "/apis/metacontroller.k8s.io/v1alpha1"


@dataclass(frozen=True, slots=True)
class Controller:
    """A controller, and the kind of the parents whose children it manages."""

    manifest: JsonObject
    parent: str
    """Its kind; the resource is the same in small letters with an s."""

    @property
    def is_decorator(self) -> bool:
        """Whether it adds to objects that others manage."""
        return bool(self.manifest["kind"] == "DecoratorController")


def controllers(hook: str) -> Sequence[Controller]:
    """Return a controller for each way to update children; ``hook`` is the URL of all of them."""
    composites = [
        *(_composite(method, f"{method}Family", hook, {}) for method in _COMPOSITES),
        _composite("InPlace", "GeneratedFamily", hook, {"generateSelector": True}),
    ]
    return (*composites, *(_decorator(method, f"{method}Home", hook) for method in _DECORATORS))


def _rules(method: str) -> list[Json]:
    strategy = {"updateStrategy": {"method": method}}
    return [{"apiVersion": version, "resource": resource, **strategy} for resource, version in CHILDREN.items()]


def _parent(kind: str) -> JsonObject:
    return {"apiVersion": f"{GROUP}/v1", "resource": f"{kind.lower()}s"}


def _hooks(url: str) -> JsonObject:
    return {"sync": {"webhook": {"url": url}}}


def _composite(method: str, kind: str, hook: str, rest: JsonObject) -> Controller:
    spec = {"parentResource": _parent(kind), "childResources": _rules(method), "hooks": _hooks(hook), **rest}
    return Controller(_controller("CompositeController", kind, spec), kind)


def _decorator(method: str, kind: str, hook: str) -> Controller:
    spec = {"resources": [_parent(kind)], "attachments": _rules(method), "hooks": _hooks(hook)}
    return Controller(_controller("DecoratorController", kind, spec), kind)


def _controller(kind: str, name: str, spec: JsonObject) -> JsonObject:
    version = "metacontroller.k8s.io/v1alpha1"
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name.lower()}, "spec": spec}


def definition(kind: str) -> JsonObject:
    """Return the definition of a kind of parents."""
    plural = f"{kind.lower()}s"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}},
    }
    names = {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]},
    }


@dataclass(frozen=True, slots=True)
class Hook:
    """Answers with what the parent itself wants, but not for one that is older than it has to be."""

    calls: Counter[str] = field(default_factory=Counter)
    """How often it has answered, by namespace."""
    times: dict[str, list[datetime]] = field(default_factory=dict)
    """The times of its answers, by namespace."""
    least: dict[str, int] = field(default_factory=dict)
    """The generation that the parent of a namespace has to have: a controller may still know an older one."""

    def answer(self, asked: JsonObject) -> JsonObject | None:
        """Return what a hook answers, ``None`` for a failure."""
        parent = asked.get("parent") or asked["object"]
        namespace = parent["metadata"]["namespace"]
        if parent["metadata"]["generation"] < self.least.get(namespace, 0):
            return None
        self.calls[namespace] += 1
        self.times.setdefault(namespace, []).append(datetime.now())
        wanted = parent["spec"]["wanted"]
        return {"status": {}, "children": wanted} if "parent" in asked else {"attachments": wanted}


@contextmanager
def answering(hook: Hook) -> Iterator[str]:
    """Serve the hook on loopback, and give its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            answer = hook.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            body = json.dumps(answer).encode()
            self.send_response(500 if answer is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/sync"
    finally:
        server.shutdown()
        server.server_close()


@dataclass(frozen=True, slots=True)
class Running:
    """A running Metacontroller and its log."""

    process: "subprocess.Popen[bytes]"
    log: Path

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it, so that it sees nothing of what happens until it sees all of it."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)


@contextmanager
def running(
    programs: Path, cluster: Cluster, every: Sequence[Controller], extra: Sequence[JsonObject]
) -> Iterator[Running]:
    """Run Metacontroller with these controllers, where ``extra`` definitions are known."""
    # As they are published, revisions lose what they remember, and no rolling update ever comes to an end.
    published = (programs / DEFINITIONS).read_text(encoding="utf-8")
    keeping = "parentPatch:\n            x-kubernetes-preserve-unknown-fields: true\n"
    own = yaml.safe_load_all(published.replace("parentPatch:\n", keeping))
    install(cluster.api, [*own, *extra, *(definition(one.parent) for one in every)])
    for one in every:
        reply = cluster.post(f"{_CONTROLLERS}/{one.manifest['kind'].lower()}s", one.manifest)
        assert reply.ok, reply.json
    log = cluster.folder / "metacontroller.log"
    settings = ["--discovery-interval=5s", "--client-go-qps=1000", "--client-go-burst=1000", "--debug-addr=:0", "-v=4"]
    command = [str(programs / "metacontroller"), f"--client-config-path={cluster.kubeconfig}", *settings]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={"HOME": str(cluster.folder)})
        try:
            yield Running(process, log)
        finally:
            process.terminate()
            process.wait(30)
