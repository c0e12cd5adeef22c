"""Records what the real Helm does with releases on a real API server.

    python -m tests.fidelity.record_appliers --applier helm3 --seed h1 --cases 60 --out helm3.jsonl.gz

Each case has a namespace of its own: a chart is installed, others write to its objects, the chart changes, and the
release is upgraded, perhaps once more, or rolled back. Kept is one line a call of Helm: the release's history, the
rendered objects, flags, exit code, message, and every object concerned before and after (null: not there).
"""

import argparse
import base64
import gzip
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import yaml

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.api import MERGE_PATCH, discover, object_path
from tests.cluster.cluster import Cluster, Run, run, started
from tests.cluster.crds import install, uninstall
from tests.cluster.helm_programs import HELMS, helm_program
from tests.fidelity.charts import RELEASE, Call, Plot, Stock, plot, write_chart
from tests.fidelity.edits import donors, edit
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.record import definitions
from tests.fidelity.writers import another_writer

_SCALED = frozenset({"Deployment", "StatefulSet"})
_WITH_PODS = _SCALED | {"DaemonSet"}


@dataclass(frozen=True, slots=True)
class Studio:
    """All that recording a case needs."""

    cluster: Cluster
    stock: Stock
    programs: Mapping[str, Path]
    """By applier."""

    def helm(self, program: str, *arguments: str) -> Run:
        """Run a Helm that reads no settings of the user, and shares the discovery cache of the session."""
        folder = self.cluster.folder
        own = {"HOME": str(folder), "KUBECACHEDIR": str(folder / "discovery")}
        settings = [f"{name}={value}" for name, value in own.items()]
        return run(["env", "-i", *settings, str(self.programs[program]), *arguments])

    def path(self, ref: ObjectRef) -> str:
        """Return where an object is."""
        return object_path(self.stock.resources, ref)

    def stored(self, ref: ObjectRef) -> JsonObject | None:
        """Return the object as it is now, if it is."""
        reply = self.cluster.get(self.path(ref))
        return reply.json if reply.ok else None


def record(studio: Studio, told: Plot, applier: str) -> Iterator[JsonObject]:
    """Let a case happen, clean up, and yield the calls of ``applier`` as recordings keep them.

    Without those whose chart Helm cannot render: there is nothing to predict of them.
    """
    rng = Random(f"others:{told.id}")
    studio.cluster.post("/api/v1/namespaces", {"metadata": {"name": told.namespace}})
    try:
        for number, call in enumerate(told.calls):
            if number:
                _others_write(studio, rng, told)
            _others_create(studio, told, call, told.calls[:number])
            story = _called(studio, told, call)
            if call.program == applier and story["chart"] is not None:
                yield {"id": f"{told.id}/{number}", **story}
            if number == 0 and story["exit"]:
                return
    finally:
        _sweep(studio, told)


def _refs(studio: Studio, told: Plot) -> Sequence[ObjectRef]:
    """Return the names of all objects of the case of which the server knows the kind."""
    found = []
    for item in told.objects:
        ref = ref_of(item)
        kind = studio.stock.resources.get((ref.api_version, ref.kind))
        if kind is not None and ref.name:
            namespace = (ref.namespace or told.namespace) if kind.namespaced else ""
            found.append(ObjectRef(ref.api_version, ref.kind, namespace, ref.name))
    return tuple(dict.fromkeys(found))


def _stored(studio: Studio, told: Plot) -> dict[str, JsonObject | None]:
    refs = _refs(studio, told)
    return {f"{ref.api_version}/{ref.kind}/{ref.namespace}/{ref.name}": studio.stored(ref) for ref in refs}


def _called(studio: Studio, told: Plot, call: Call) -> dict[str, Json]:
    """Call Helm and return all that is kept of it; ``chart`` is ``None`` where Helm cannot render it."""
    history, before = _history(studio, told.namespace), _stored(studio, told)
    own = ("-n", told.namespace, f"--kubeconfig={studio.cluster.kubeconfig}")
    with tempfile.TemporaryDirectory() as folder:
        chart = [str(write_chart(Path(folder, RELEASE), call.chart))] if call.chart else []
        template = studio.helm(call.program, "template", RELEASE, *chart, "-n", told.namespace) if chart else None
        done = studio.helm(call.program, call.action, RELEASE, *chart, *call.flags, *own)
    return {
        "action": call.action,
        "flags": list(call.flags),
        "namespace": told.namespace,
        "history": history,
        "chart": [] if template is None else None if template.code else _objects(template.stdout),
        "before": before,
        "exit": done.code,
        "stderr": done.stderr,
        "after": _stored(studio, told),
    }


def _objects(text: str) -> list[Json]:
    documents = (document for document in yaml.load_all(text, yaml.CSafeLoader) if document)
    return [json.loads(json.dumps(document, default=str)) for document in documents]


def _history(studio: Studio, namespace: str) -> list[Json]:
    """Return the revisions of the release as Helm's Secrets have them, the oldest first."""
    found = [
        json.loads(gzip.decompress(base64.b64decode(base64.b64decode(secret["data"]["release"]))))
        for secret in studio.cluster.get(_releases(namespace)).json["items"]
    ]
    return [
        {
            "version": release["version"],
            "status": release["info"]["status"],
            "applyMethod": release.get("apply_method", ""),
            "manifest": _objects(release["manifest"]),
        }
        for release in sorted(found, key=lambda release: release["version"])
    ]


def _releases(namespace: str) -> str:
    """Return the path of the Secrets in which Helm keeps the releases of a namespace."""
    return f"/api/v1/namespaces/{namespace}/secrets?labelSelector=owner%3Dhelm"


def _others_create(studio: Studio, told: Plot, call: Call, earlier: Sequence[Call]) -> None:
    """Create what exists before ``call`` names it for the first time."""
    named = {ref_of(item) for before in earlier for item in before.chart}
    for item, is_marked in told.existing:
        if item in call.chart and ref_of(item) not in named:
            body = {**item, "metadata": {**item["metadata"], **(_marks(told, item) if is_marked else {})}}
            studio.cluster.run("create", "-n", told.namespace, "-f", "-", stdin=json.dumps(body))


def _marks(told: Plot, item: JsonObject) -> JsonObject:
    old = item["metadata"]
    owner = {"meta.helm.sh/release-name": RELEASE, "meta.helm.sh/release-namespace": told.namespace}
    return {
        "labels": {**mapping(old.get("labels")), "app.kubernetes.io/managed-by": "Helm"},
        "annotations": {**mapping(old.get("annotations")), **owner},
    }


def _others_write(studio: Studio, rng: Random, told: Plot) -> None:
    for _ in range(rng.choices((0, 1, 2, 3), (25, 35, 25, 15))[0]):
        ref = rng.choice(_refs(studio, told))
        live = studio.stored(ref)
        if live is not None:
            _write(studio, rng, ref, live)


def _write(studio: Studio, rng: Random, ref: ObjectRef, live: JsonObject) -> None:
    """Let others change an object: kubectl, an autoscaler, a controller."""
    what = rng.choices(("scale", "env", "apply", "delete", "other"), (25, 12, 12, 5, 46))[0]
    kubectl, name = studio.cluster.run, f"{ref.kind.lower()}/{ref.name}"
    namespace = ("-n", ref.namespace) if ref.namespace else ()
    if what == "scale" and ref.kind in _SCALED:
        _scale(studio, rng, ref)
    elif what == "env" and ref.kind in _WITH_PODS:
        kubectl("set", "env", name, "HAND=1", *namespace)
    elif what == "delete":
        studio.cluster.delete(studio.path(ref))
    elif what == "apply":
        kept = {key: value for key, value in live.items() if key != "status"}
        metadata = {key: live["metadata"][key] for key in ("name", "labels", "annotations") if key in live["metadata"]}
        edited, _ = edit(rng, {**kept, "metadata": metadata}, studio.stock.donors, count=1)
        kubectl("apply", *namespace, "-f", "-", stdin=json.dumps(edited))
    else:
        writing = another_writer(rng, live, studio.stock.donors)
        studio.cluster.api.call(
            writing.method, f"{studio.path(ref)}{writing.suffix}", writing.body, writing.content_type
        )


def _scale(studio: Studio, rng: Random, ref: ObjectRef) -> None:
    replicas = rng.choice((2, 5, 7))
    if rng.random() < 0.6:
        studio.cluster.run("scale", f"{ref.kind.lower()}/{ref.name}", f"--replicas={replicas}", "-n", ref.namespace)
        return
    path = f"{studio.path(ref)}/scale?fieldManager=kube-controller-manager"
    studio.cluster.patch(path, {"spec": {"replicas": replicas}}, MERGE_PATCH)


def _sweep(studio: Studio, told: Plot) -> None:
    """Delete what the case has made; without controllers, objects of the namespace go one by one."""
    studio.cluster.delete(_releases(told.namespace))
    for ref in _refs(studio, told):
        studio.cluster.patch(studio.path(ref), {"metadata": {"finalizers": None}})
        studio.cluster.delete(studio.path(ref))
    studio.cluster.drop_namespace(told.namespace)


def recorded(studio: Studio, applier: str, seed: str, cases: int) -> Iterator[JsonObject]:
    """Yield the calls of so many cases as they are recorded."""
    for number in range(1, cases + 1):
        yield from record(studio, plot(studio.stock, applier, seed, number), applier)


def write(file: Path, head: JsonObject, stories: Iterable[JsonObject]) -> Counter[str]:
    """Write a recording and return how many calls of each action succeeded and failed."""
    counts: Counter[str] = Counter()
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.write(json.dumps(head) + "\n")
        for story in stories:
            out.write(json.dumps(story) + "\n")
            counts[f"{story['action']} {'failed' if story['exit'] else 'succeeded'}"] += 1
    return counts


def main(argv: Sequence[str] | None = None) -> int:
    """Record as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    bases = load_all(options.bases)
    began = time.monotonic()
    with started(os.environ) as cluster:
        installed = install(cluster.api, definitions(bases))
        try:
            here = studio(cluster, bases)
            head = {
                "server": cluster.version,
                "applier": options.applier,
                "helm": HELMS[options.applier].version,
                "seed": options.seed,
                "crds": definitions(bases),
            }
            counts = write(options.out, head, recorded(here, options.applier, options.seed, options.cases))
        finally:
            uninstall(cluster.api, installed)
    print(json.dumps({**counts, "seconds": round(time.monotonic() - began)}))
    return 0


def studio(cluster: Cluster, bases: Sequence[JsonObject]) -> Studio:
    """Return a studio for a cluster that serves the custom resources among ``bases``."""
    resources = discover(cluster.api)
    served = [item for item in bases if (item["apiVersion"], item["kind"]) in resources]
    programs = {applier: helm_program(applier, os.environ) for applier in HELMS}
    return Studio(cluster, Stock(resources, served, donors(served)), programs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--applier", choices=tuple(HELMS), required=True, help="whose calls to record")
    add("--seed", default="0", help="any text; the same cases for the same text")
    add("--cases", type=int, default=50, help="how many releases to record, about one in four seconds")
    add("--out", type=Path, required=True, help="the recording, *.jsonl.gz")
    add("--bases", type=Path, nargs="+", default=[BASES], help="files or folders of manifests to draw from")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
