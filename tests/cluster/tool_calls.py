"""One run of another applier than kubectl on a set, and what it remembers: Helm, Flux, Argo CD or kapp."""

import base64
import gzip
import json
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cases.tool_cases import NAMESPACE, ToolRun
from tests.cluster.argocd_program import argocd_program, operation_of, sync
from tests.cluster.cluster import Cluster, run
from tests.cluster.flux_program import Kustomization, flux_program, ignore_of, reconcile
from tests.cluster.helm_controller_program import act, helm_controller_program
from tests.cluster.helm_programs import HELMS, helm_program
from tests.cluster.kapp_program import deploy, kapp_program
from tests.cluster.yamltext import dump
from tests.fidelity.helm_controller_stories import helm_release

_HELM_FAILED: Final = ("Error: UPGRADE FAILED: ", "Error: INSTALLATION FAILED: ", "Error: ")
_WRITING: Final = 2.0
"""The seconds in which Helm writes the few objects of a story."""
_PRUNE: Final = "prune"
_FORCE: Final = "force"
MODULES: Final[Mapping[Applier, str]] = {
    Applier.FLUX: "github.com/fluxcd/pkg/ssa v0.77.0",
    Applier.ARGOCD: "github.com/argoproj/argo-cd/gitops-engine of 2026-09-14",
    Applier.KAPP: "kapp v0.64.2",
    Applier.HELM_CONTROLLER: "helm-controller v1.6.3",
    **{Applier(name): f"helm {package.version}" for name, package in HELMS.items()},
}
"""The names of the programs in reports."""


@dataclass(frozen=True, slots=True)
class Said:
    """The result of a run: ``error`` is the output of the program, empty if it succeeded."""

    error: str
    memory: Json = None
    """The inventory that Flux returns."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program on a cluster; ``known`` are the objects that a story is about."""

    applier: Applier
    program: Path
    cluster: Cluster
    known: Sequence[ObjectRef]

    def apply(self, asked: ToolRun, memory: Json) -> Said:
        """Let the program apply a set; ``memory`` is what it returned the last time."""
        match self.applier:
            case Applier.FLUX:
                return self._reconcile(asked, memory)
            case Applier.ARGOCD:
                return self._sync(asked)
            case Applier.KAPP:
                done = deploy(self.program, self.cluster, (NAMESPACE, asked.name), asked.objects, *asked.flags)
                return Said(done.stderr.strip() if done.code else "")
            case Applier.HELM_CONTROLLER:
                return self._act_on_release(asked)
            case _:
                return self._upgrade(asked)

    def memory(self, asked: ToolRun, result: Json) -> Json:
        """Return what the program remembers, as files have it: revisions, an inventory, an app of kapp."""
        match self.applier:
            case Applier.FLUX:
                return result
            case Applier.KAPP:
                found = self.cluster.get(f"/api/v1/namespaces/{NAMESPACE}/configmaps/{asked.name}")
                spec = json.loads(found.json["data"]["spec"]) if found.ok else {}
                return {key: spec[key] for key in ("labelKey", "labelValue", "usedGKs") if key in spec}
            case Applier.ARGOCD:
                return None
            case _:
                return [_revision(each) for each in self._releases(asked.name)]

    def _reconcile(self, asked: ToolRun, memory: Json) -> Said:
        inventory = memory if isinstance(memory, list) else []
        is_forced, prunes = _FORCE in asked.flags, _PRUNE in asked.flags
        source = Kustomization(asked.name, NAMESPACE, is_forced, prunes, inventory, ignore=ignore_of(asked.flags))
        done = reconcile(self.program, self.cluster.kubeconfig, source, asked.objects)
        return Said(done["error"], done["inventory"] if not done["error"] else memory)

    def _sync(self, asked: ToolRun) -> Said:
        operation = operation_of(asked.name, NAMESPACE, asked.flags)
        done = sync(self.program, self.cluster.kubeconfig, operation, asked.objects, self.known)
        if done["phase"] == "Succeeded":
            return Said("")
        failed = [each["message"] for each in done["results"] if each["status"] == "SyncFailed"]
        return Said("\n".join(failed) or done["message"] or done["phase"])

    def _act_on_release(self, asked: ToolRun) -> Said:
        action = "upgrade" if self._releases(asked.name) else "install"
        release = helm_release(NAMESPACE, asked.flags, asked.name)
        with tempfile.TemporaryDirectory() as folder:
            chart = _chart(Path(folder, asked.name), asked)
            done = act(self.program, self.cluster.kubeconfig, action, release, chart)
        return Said(done["error"])

    def _upgrade(self, asked: ToolRun) -> Said:
        action = "upgrade" if self._releases(asked.name) else "install"
        own = {"HOME": str(self.cluster.folder), "KUBECACHEDIR": str(self.cluster.folder / "discovery")}
        settings = [f"{name}={value}" for name, value in own.items()]
        with tempfile.TemporaryDirectory() as folder:
            chart = str(_chart(Path(folder, asked.name), asked))
            place = ("-n", NAMESPACE, f"--kubeconfig={self.cluster.kubeconfig}")
            command = ["env", "-i", *settings, str(self.program), action, asked.name, chart, *place, *asked.flags]
            if asked.is_killed:
                return self._kill([*command, "--wait"], asked.name)
            done = run(command)
        if not done.code:
            return Said("")
        line = done.stderr[done.stderr.index("Error: ") :].strip()
        return Said(next(line.removeprefix(head) for head in _HELM_FAILED if line.startswith(head)))

    def _kill(self, command: Sequence[str], name: str) -> Said:
        """Start Helm, and kill it while it waits for objects that never become ready."""
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as helm:
            while not any(mapping(each["info"])["status"].startswith("pending") for each in self._releases(name)):
                assert helm.poll() is None, "Helm has ended before it was killed"
                time.sleep(_WRITING / 10)
            time.sleep(_WRITING)
            helm.kill()
        return Said("killed")

    def _releases(self, name: str) -> list[JsonObject]:
        """Return the revisions of a release as Helm's Secrets have them, the oldest first."""
        path = f"/api/v1/namespaces/{NAMESPACE}/secrets?labelSelector=owner%3Dhelm,name%3D{name}"
        found = [
            json.loads(gzip.decompress(base64.b64decode(base64.b64decode(secret["data"]["release"]))))
            for secret in self.cluster.get(path).json["items"]
        ]
        return sorted(found, key=lambda release: release["version"])


def _revision(release: JsonObject) -> JsonObject:
    documents = (document for document in yaml.load_all(release["manifest"], yaml.CSafeLoader) if document)
    return {
        "version": release["version"],
        "status": mapping(release["info"])["status"],
        "apply_method": release.get("apply_method", ""),
        "manifest": [json.loads(json.dumps(document, default=str)) for document in documents],
    }


def _chart(folder: Path, asked: ToolRun) -> Path:
    """Write a chart whose templates are the objects as they are, and return its folder; definitions lie in ``crds``."""
    for name in ("templates", "crds"):
        (folder / name).mkdir(parents=True)
    (folder / "Chart.yaml").write_text(f"apiVersion: v2\nname: {asked.name}\nversion: 1.0.0\n")
    for number, item in enumerate(asked.objects):
        place = "crds" if item["kind"] == "CustomResourceDefinition" else "templates"
        (folder / place / f"{number:02}.yaml").write_text(dump(item))
    return folder


def program_of(applier: Applier, environment: Mapping[str, str]) -> Path:
    """Return the program of an applier, built or fetched on first use; raise ``Unavailable`` where it cannot be."""
    built = {
        Applier.FLUX: flux_program,
        Applier.ARGOCD: argocd_program,
        Applier.KAPP: kapp_program,
        Applier.HELM_CONTROLLER: helm_controller_program,
    }
    return built[applier](environment) if applier in built else helm_program(str(applier), environment)
