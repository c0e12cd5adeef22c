"""The workplace of a user of one namespace: a folder with a manifest, kubectl, and the plugin."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kubectl_applylint.core.values import Json, JsonObject
from tests.cluster.cluster import Cluster

PROGRAMS = Path(sys.executable).parent
HPA = "kube-controller-manager"
PLACES: Mapping[str, str] = {"Deployment": "apis/apps/v1", "Service": "api/v1", "ConfigMap": "api/v1", "Pod": "api/v1"}


@dataclass(frozen=True, slots=True)
class Desk:
    """The workplace of a user of one namespace: a folder with ``web.yaml``, and kubectl with the plugin."""

    cluster: Cluster
    reader: Cluster
    """The same for the plugin, which only reads."""
    namespace: str
    folder: Path

    def sh(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a line as it was printed."""
        return self.run(command, self.cluster)

    def run(self, command: str, user: Cluster) -> subprocess.CompletedProcess[str]:
        """Run a line as a user of the cluster."""
        path = os.pathsep.join([str(self.folder / "bin"), str(PROGRAMS), os.environ["PATH"]])
        return subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env={
                **os.environ,
                "PATH": path,
                "KUBECONFIG": str(user.kubeconfig),
                "KUBECACHEDIR": str(self.folder),
            },
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def does(self, command: str) -> None:
        """Run a line that has to succeed."""
        done = self.sh(f"{command} -n {self.namespace}")
        assert done.returncode == 0, done.stderr

    def write(self, text: str) -> None:
        """Write the manifest."""
        (self.folder / "web.yaml").write_text(text)

    def report(self, words: str) -> Json:
        """Return what the plugin says as JSON."""
        done = self.run(f"kubectl applylint {words} -n {self.namespace} -o json", self.reader)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def live(self, kind: str = "Deployment") -> JsonObject:
        """Return the object as it is."""
        found: JsonObject = self.cluster.get(self.path(kind)).json
        return found

    def path(self, kind: str = "Deployment") -> str:
        """Return where the object is."""
        return f"/{PLACES[kind]}/namespaces/{self.namespace}/{kind.lower()}s/web"

    def scale(self, replicas: int) -> None:
        """Scale as the controller of autoscalers does."""
        reply = self.cluster.patch(f"{self.path()}/scale?fieldManager={HPA}", {"spec": {"replicas": replicas}})
        assert reply.ok, reply.json

    def forget(self, kind: str = "Deployment") -> None:
        """Clear the managers."""
        assert self.cluster.patch(self.path(kind), {"metadata": {"managedFields": [{}]}}).ok


def open_desk(cluster: Cluster, reader: Cluster, namespace: str, folder: Path) -> Desk:
    """Return a desk in an empty folder; ``reader`` is for the plugin."""
    (folder / "bin").mkdir()
    (folder / "bin" / "kubectl").symlink_to(cluster.kubectl)
    return Desk(cluster, reader, namespace, folder)
