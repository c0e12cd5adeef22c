"""Calls of the real Helm as the recorder makes them, and what is kept of them."""

import base64
import gzip
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import yaml

from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.cluster import Run, run
from tests.fidelity.charts import RELEASE, Call, CasePlan, plan_case, write_chart
from tests.fidelity.studio import Recorder, Studio, stored_objects


def _helm(studio: Studio, program: str, *arguments: str) -> Run:
    """Run a Helm that reads no settings of the user, and shares the discovery cache of the session."""
    folder = studio.cluster.folder
    own = {"HOME": str(folder), "KUBECACHEDIR": str(folder / "discovery")}
    settings = [f"{name}={value}" for name, value in own.items()]
    return run(["env", "-i", *settings, str(studio.programs[program]), *arguments])


def called_by_helm(studio: Studio, plan: CasePlan, call: Call, _: Sequence[JsonObject]) -> dict[str, Json]:
    """Call Helm and return all that is kept of it; ``chart`` is ``None`` where Helm cannot render it."""
    revisions, before = history(studio, plan.namespace), stored_objects(studio, plan)
    own = ("-n", plan.namespace, f"--kubeconfig={studio.cluster.kubeconfig}")
    with tempfile.TemporaryDirectory() as folder:
        chart = [str(write_chart(Path(folder, RELEASE), call.chart))] if call.chart else []
        template = _helm(studio, call.program, "template", RELEASE, *chart, "-n", plan.namespace) if chart else None
        done = _helm(studio, call.program, call.action, RELEASE, *chart, *call.flags, *own)
    return {
        "action": call.action,
        "flags": list(call.flags),
        "namespace": plan.namespace,
        "history": revisions,
        "chart": [] if template is None else None if template.code else objects_of(template.stdout),
        "before": before,
        "exit": done.code,
        "stderr": done.stderr,
        "after": stored_objects(studio, plan),
    }


def objects_of(text: str) -> list[Json]:
    documents = (document for document in yaml.load_all(text, yaml.CSafeLoader) if document)
    return [json.loads(json.dumps(document, default=str)) for document in documents]


def history(studio: Studio, namespace: str) -> list[Json]:
    """Return the revisions of the release as Helm's Secrets have them, the oldest first."""
    found = [
        json.loads(gzip.decompress(base64.b64decode(base64.b64decode(secret["data"]["release"]))))
        for secret in studio.cluster.get(releases(namespace)).json["items"]
    ]
    return [
        {
            "version": release["version"],
            "status": release["info"]["status"],
            "applyMethod": release.get("apply_method", ""),
            "manifest": objects_of(release["manifest"]),
        }
        for release in sorted(found, key=lambda release: release["version"])
    ]


def releases(namespace: str) -> str:
    """Return the path of the Secrets in which Helm keeps the releases of a namespace."""
    return f"/api/v1/namespaces/{namespace}/secrets?labelSelector=owner%3Dhelm"


def marks(plan: CasePlan, item: JsonObject) -> JsonObject:
    old = item["metadata"]
    owner = {"meta.helm.sh/release-name": RELEASE, "meta.helm.sh/release-namespace": plan.namespace}
    return {
        "labels": {**mapping(old.get("labels")), "app.kubernetes.io/managed-by": "Helm"},
        "annotations": {**mapping(old.get("annotations")), **owner},
    }


RECORDER: Final = Recorder(plan_case, called_by_helm, marks)
