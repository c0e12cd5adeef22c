"""The cluster that a test session writes to: our own server, or the one that ``APPLYLINT_TEST_KUBECONFIG`` names."""

import json
import re
import secrets
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import yaml

from kubectl_applylint.core.values import Json, JsonObject
from tests.cluster.api import MERGE_PATCH, Api, Reply, kubeconfig
from tests.cluster.build import Unavailable, programs
from tests.cluster.server import Server, running
from tests.tree import ROOT

KUBECTL_SECONDS = 60
RIGHTS = (ROOT / "docs" / "rights.md").read_text(encoding="utf-8")
"""The page that lists the rights that users need."""
EVERYTHING, WITHOUT_SECRETS = re.findall(r"^```yaml\n(.*?)^```$", RIGHTS, re.MULTILINE | re.DOTALL)
"""The roles on this page, which read and do not write."""
READ_ONLY: tuple[JsonObject, ...] = tuple(yaml.safe_load(EVERYTHING)["rules"])
TOKEN_REQUEST: Final[JsonObject] = {
    "apiVersion": "authentication.k8s.io/v1",
    "kind": "TokenRequest",
    "spec": {"expirationSeconds": 86400},
}
"""A request for a token that is longer valid than a whole run of the tests; the default is an hour."""
"""The rules of the role that reads everything."""


@dataclass(frozen=True, slots=True)
class Run:
    """The output of a program and its exit code."""

    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """An API server, the kubectl that goes with it, and one user of it (who may do everything, to begin with)."""

    api: Api
    kubectl: Path
    kubeconfig: Path
    authority: Path | None
    """The file with the server's certificate authority, ``None`` where the system's are trusted."""
    folder: Path
    """A folder for files of this session."""
    version: str
    """The server's own word, such as ``v1.36.3``."""
    has_controllers: bool
    """Whether others than the tests write. Our own server runs none: nothing fills status or collects garbage."""
    audit: Path | None = None
    """The log of all that the server has seen, where it is ours."""

    def get(self, path: str) -> Reply:
        """Read ``path``."""
        return self.api.call("GET", path)

    def post(self, path: str, body: Json) -> Reply:
        """Create ``body`` at the collection ``path``."""
        return self.api.call("POST", path, body)

    def put(self, path: str, body: Json) -> Reply:
        """Replace the object at ``path``."""
        return self.api.call("PUT", path, body)

    def patch(self, path: str, body: Json, content_type: str = MERGE_PATCH) -> Reply:
        """Patch the object at ``path``."""
        return self.api.call("PATCH", path, body, content_type)

    def delete(self, path: str) -> Reply:
        """Delete the object at ``path``, at once and without waiting for what it owns."""
        return self.api.call("DELETE", path, {"propagationPolicy": "Background", "gracePeriodSeconds": 0})

    def run(self, *arguments: str, stdin: str = "") -> Run:
        """Run kubectl as this user; the discovery cache is shared by the session."""
        own = (f"--kubeconfig={self.kubeconfig}", f"--cache-dir={self.folder / 'discovery'}")
        return run([str(self.kubectl), *own, *arguments], stdin=stdin)

    def kubectl_version(self) -> str:
        """Return kubectl's own word, such as ``v1.36.3``."""
        client = json.loads(self.run("version", "--client", "--output=json").stdout)
        return str(client["clientVersion"]["gitVersion"])

    def reached_through(self, url: str, namespace: str = "default") -> "Cluster":
        """Return the cluster for a kubectl that goes to ``url``, where a proxy adds the user."""
        return replace(self, kubeconfig=write_kubeconfig(self.folder, kubeconfig(url, namespace=namespace)))

    def make_namespace(self, name: str = "") -> str:
        """Create a namespace and return its name, a fresh one if none is given; it may be there already."""
        name = name or f"applylint-{secrets.token_hex(4)}"
        reply = self.post("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        assert reply.ok or reply.status == 409, reply.json
        return name

    def drop_namespace(self, name: str) -> None:
        """Delete a namespace. Without controllers it is finalised here; objects left in it are out of reach, but for
        Services: they hold ports of the whole cluster.
        """
        path = f"/api/v1/namespaces/{name}"
        if not self.has_controllers:
            self.delete(f"{path}/services")
        self.delete(path)
        if not self.has_controllers:
            self.put(f"{path}/finalize", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

    @contextmanager
    def user(self, rules: Sequence[JsonObject] = READ_ONLY) -> Iterator["Cluster"]:
        """Give the same cluster as another user sees it, who may do what ``rules`` of a ClusterRole allow."""
        namespace = self.make_namespace()
        try:
            self._grant(namespace, rules)
            account = f"/api/v1/namespaces/{namespace}/serviceaccounts/user"
            token = self.post(f"{account}/token", TOKEN_REQUEST)
            api = Api(self.api.url, token.json["status"]["token"], trusting(self.authority))
            content = kubeconfig(api.url, api.token, str(self.authority or ""))
            yield replace(self, api=api, kubeconfig=write_kubeconfig(self.folder, content))
        finally:
            self.delete(f"{_RBAC}/clusterrolebindings/{namespace}")
            self.delete(f"{_RBAC}/clusterroles/{namespace}")
            self.drop_namespace(namespace)

    def _grant(self, namespace: str, rules: Sequence[JsonObject]) -> None:
        """Create the service account ``user`` and a role for it that is named like its namespace."""
        metadata = {"name": namespace}
        account = {"kind": "ServiceAccount", "name": "user", "namespace": namespace}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": namespace}
        for path, body in (
            (f"/api/v1/namespaces/{namespace}/serviceaccounts", {"metadata": {"name": "user"}}),
            (f"{_RBAC}/clusterroles", {"metadata": metadata, "rules": list(rules)}),
            (f"{_RBAC}/clusterrolebindings", {"metadata": metadata, "roleRef": role, "subjects": [account]}),
        ):
            reply = self.post(path, body)
            assert reply.ok, reply.json


_RBAC = "/apis/rbac.authorization.k8s.io/v1"


def run(command: Sequence[str], *, stdin: str = "") -> Run:
    """Run a program and return how it ended; ``subprocess.TimeoutExpired`` if it does not."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=KUBECTL_SECONDS)
    return Run(done.returncode, done.stdout, done.stderr)


def write_kubeconfig(folder: Path, content: JsonObject) -> Path:
    """Write a kubeconfig of a fresh name into ``folder``."""
    path = folder / f"kubeconfig-{secrets.token_hex(4)}"
    path.write_text(json.dumps(content))
    return path


def trusting(authority: Path | None) -> ssl.SSLContext:
    """Return the TLS settings of a client without a certificate of its own."""
    return ssl.create_default_context(cafile=authority)


@contextmanager
def start_cluster(environment: Mapping[str, str]) -> Iterator[Cluster]:
    """Yield the cluster that the environment selects; raise ``Unavailable`` if there is none."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="applylint-")))
        if "APPLYLINT_TEST_KUBECONFIG" in environment:
            yield cluster_of_kubeconfig(
                Path(environment["APPLYLINT_TEST_KUBECONFIG"]), any_kubectl(environment), folder
            )
        else:
            found = programs(environment)
            yield own(stack.enter_context(running(found, folder)), found.kubectl, folder)


def own(server: Server, kubectl: Path, folder: Path) -> Cluster:
    """Return the cluster that consists of our own API server."""
    content = kubeconfig(server.api.url, server.api.token, str(server.authority))
    return Cluster(
        api=server.api,
        kubectl=kubectl,
        kubeconfig=write_kubeconfig(folder, content),
        authority=server.authority,
        folder=folder,
        version=_version(server.api),
        has_controllers=False,
        audit=server.audit,
    )


def cluster_of_kubeconfig(config: Path, kubectl: Path, folder: Path) -> Cluster:
    """Return the cluster of a kubeconfig's current context, with its user."""
    # Takes 0.5 s, and the other clusters do without it.
    from kubernetes.config import new_client_from_config  # noqa: PLC0415

    client = new_client_from_config(str(config), persist_config=False)  # type: ignore[no-untyped-call]  # unannotated
    settings = client.configuration
    authority = Path(settings.ssl_ca_cert) if settings.ssl_ca_cert else None
    tls = trusting(authority)
    if settings.cert_file:
        tls.load_cert_chain(settings.cert_file, settings.key_file)
    token = settings.auth_settings().get("BearerToken", {"value": ""})["value"]
    api = Api(settings.host, token.removeprefix("Bearer "), tls)
    return Cluster(
        api=api,
        kubectl=kubectl,
        kubeconfig=config,
        authority=authority,
        folder=folder,
        version=_version(api),
        has_controllers=True,
    )


def any_kubectl(environment: Mapping[str, str]) -> Path:
    """Return the kubectl for a cluster that is not ours: the one that goes with the tests, else the one of the user."""
    try:
        return programs(environment).kubectl
    except Unavailable:
        found = shutil.which("kubectl")
        if found is None:
            raise
        return Path(found)


def _version(api: Api) -> str:
    return str(api.call("GET", "/version").json["gitVersion"])
