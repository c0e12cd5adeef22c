"""Records what a real kubectl and a real API server do with a change of a whole folder of manifests.

    python -m tests.fidelity.record_sets --seed st1 --cases 300 --out sets.jsonl.gz

Each case has a namespace of its own: a folder is applied (base), changed as a pull request would change it (edits,
removals, renames, moves between files, new objects), and applied again with the same command (head). Kept are the files
of both folders, the arguments (``{DIR}`` stands for the folder), and for both steps exit code, output and every object
concerned afterwards (null: not there). A seed stands for the same cases on every machine.
"""

import argparse
import gzip
import json
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random

import yaml

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.api import Resource, Resources, discover, is_namespaced, object_path
from tests.cluster.cluster import Cluster, run, start_cluster
from tests.cluster.crds import install, uninstall
from tests.fidelity.edits import Donors, donors, edit
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.record import definitions

DRAWN = frozenset(
    {
        "ClusterRole",
        "ClusterRoleBinding",
        "ConfigMap",
        "CronJob",
        "DaemonSet",
        "Deployment",
        "HorizontalPodAutoscaler",
        "Ingress",
        "Job",
        "Lease",
        "LimitRange",
        "NetworkPolicy",
        "PersistentVolumeClaim",
        "PodDisruptionBudget",
        "PriorityClass",
        "ResourceQuota",
        "Role",
        "RoleBinding",
        "Secret",
        "Service",
        "ServiceAccount",
        "StatefulSet",
    }
)
"""The kinds that sets consist of: those in a namespace of an application."""
FORMS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "plain": (34, ()),
    "recursive": (6, ("-R",)),
    "server-side": (12, ("--server-side",)),
    "prune-selector": (20, ("--prune", "-l", "part-of=SET")),
    "prune-allowlist": (
        8,
        (
            "--prune",
            "-l",
            "part-of=SET",
            "--prune-allowlist=core/v1/ConfigMap",
            "--prune-allowlist=apps/v1/Deployment",
        ),
    ),
    "prune-all": (8, ("--prune", "--all", "-n", "SET")),
    "applyset": (14, ("--prune", "--applyset=SET", "-n", "SET")),
}
"""Commands that apply a folder, and how often; ``SET`` stands for the name of the case and of its namespace."""
FILES = ("00-base.yaml", "app.yaml", "config.yml", "db.yaml", "z-net.yaml")
DEEP_FILE = "sub/more.yaml"
_ESTABLISHED = 1.0
"""Seconds after which a server serves a new kind."""


@dataclass(frozen=True, slots=True)
class Stock:
    """The input from which cases are drawn."""

    resources: Resources
    bases: Sequence[JsonObject]
    donors: Donors


@dataclass(frozen=True, slots=True)
class Studio:
    """All that recording a case needs."""

    cluster: Cluster
    stock: Stock


@dataclass(frozen=True, slots=True)
class CasePlan:
    """A case before it happens."""

    id: str
    form: str
    args: tuple[str, ...]
    names_namespace: bool
    """Whether the manifests name their namespace; else ``-n`` does."""
    creates_namespace: bool
    base: tuple[JsonObject, ...]
    head: tuple[JsonObject, ...]
    base_files: Mapping[str, str]
    head_files: Mapping[str, str]

    @property
    def namespace(self) -> str:
        """The namespace of the case."""
        return f"set-{self.id}"

    @property
    def objects(self) -> Sequence[JsonObject]:
        """One manifest of every object of either folder."""
        return tuple({ref_of(item): item for item in (*self.base, *self.head)}.values())


class Dumper(yaml.SafeDumper):
    """Quotes the words that kubectl's YAML reads as booleans and PyYAML does not."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if text.lower() in ("y", "n") else None)


Dumper.add_representer(str, _represent_text)


def plan_case(stock: Stock, seed: str, number: int) -> CasePlan | None:
    """Return what the case ``number`` of a seed is about, ``None`` where the draw makes no manifests."""
    rng, case = Random(f"sets:{seed}:{number}"), f"{seed}-{number}"
    names_namespace = rng.random() < 0.6
    creates_namespace = names_namespace and rng.random() < 0.4
    form = rng.choices(tuple(FORMS), [weight for weight, _ in FORMS.values()])[0]
    flags = [flag.replace("SET", f"set-{case}") for flag in FORMS[form][1]]
    args = ["apply", "-f", "{DIR}", *flags, *([] if names_namespace or "-n" in flags else ["-n", f"set-{case}"])]
    base = _base(stock, rng, case, named=names_namespace)
    if creates_namespace:
        base.append(_namespace(f"set-{case}"))
    head = _head(stock, rng, case, base, named=names_namespace, prunes="--prune" in flags)
    if any(not isinstance(item.get("metadata"), dict) for item in head):
        return None
    files = rng.sample([*FILES, *([DEEP_FILE] if form == "recursive" else [])], rng.randint(1, 4))
    layout: dict[ObjectRef, str] = {}
    texts = [_file_texts(rng, objects, files, layout) for objects in (base, head)]
    return CasePlan(case, form, tuple(args), names_namespace, creates_namespace, tuple(base), tuple(head), *texts)


def _namespace(name: str) -> JsonObject:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": {"part-of": name}}}


def _base(stock: Stock, rng: Random, case: str, *, named: bool) -> list[JsonObject]:
    pool = [item for item in stock.bases if item["kind"] in DRAWN]
    chosen = rng.sample(pool, rng.randint(2, 9))
    own = [_with_own_name(stock, item, case, named=named) for item in chosen]
    return own + (_custom(stock.bases, case, named=named) if rng.random() < 0.1 else [])


def _with_own_name(stock: Stock, item: JsonObject, case: str, *, named: bool) -> JsonObject:
    """Return the manifest under a name and with a label of the case's own."""
    old, namespaced = item["metadata"], is_namespaced(stock.resources, item)
    metadata = {key: value for key, value in old.items() if key != "namespace"}
    metadata["name"] = old["name"] if namespaced else f"{old['name']}-{case}"
    if namespaced and named:
        metadata["namespace"] = f"set-{case}"
    return {**item, "metadata": {**metadata, "labels": {**(old.get("labels") or {}), "part-of": f"set-{case}"}}}


def _custom(bases: Sequence[JsonObject], case: str, *, named: bool) -> list[JsonObject]:
    """Return a definition in a group of the case's own, and a custom resource of it."""
    crd, group = definitions(bases)[0], f"g{case.replace('-', '')}.example.com"
    resource = next(item for item in bases if item["kind"] == crd["spec"]["names"]["kind"])
    metadata = {"name": resource["metadata"]["name"], **({"namespace": f"set-{case}"} if named else {})}
    return [
        {
            **crd,
            "metadata": {**crd["metadata"], "name": f"{crd['spec']['names']['plural']}.{group}"},
            "spec": {**crd["spec"], "group": group},
        },
        {**resource, "apiVersion": f"{group}/{resource['apiVersion'].rpartition('/')[2]}", "metadata": metadata},
    ]


def _head(
    stock: Stock, rng: Random, case: str, base: Sequence[JsonObject], *, named: bool, prunes: bool
) -> list[JsonObject]:
    """Return the set as a pull request leaves it."""
    head = [changed for item in base if (changed := _change(stock, rng, item, prunes=prunes)) is not None]
    if rng.random() < 0.3:
        new = _with_own_name(
            stock, rng.choice([item for item in stock.bases if item["kind"] in DRAWN]), case, named=named
        )
        taken = {(item["kind"], mapping(item["metadata"]).get("name")) for item in head}
        head += [new] if (new["kind"], new["metadata"]["name"]) not in taken else []
    if head and rng.random() < 0.06:
        head.append(rng.choice(head))
    return head


def _change(stock: Stock, rng: Random, item: JsonObject, *, prunes: bool) -> JsonObject | None:
    what = rng.choices(("same", "edit", "remove", "rename"), (52, 24, 18 if prunes else 10, 8))[0]
    match what:
        case "remove" if item["kind"] != "Namespace":
            return None
        case "edit":
            return edit(rng, item, stock.donors, count=1)[0]
        case "rename" if item["kind"] not in ("Namespace", "CustomResourceDefinition"):
            return {**item, "metadata": {**item["metadata"], "name": f"{item['metadata']['name']}-v2"}}
        case _:
            return item


def _file_texts(
    rng: Random, objects: Sequence[JsonObject], files: Sequence[str], layout: dict[ObjectRef, str]
) -> dict[str, str]:
    """Return the texts of the files; ``layout`` has the file of each object, and few objects move."""
    texts: dict[str, list[str]] = {}
    for item in objects:
        ref = ref_of(item)
        if ref not in layout or rng.random() < 0.05:
            layout[ref] = rng.choice(files)
        texts.setdefault(layout[ref], []).append(yaml.dump(item, Dumper=Dumper, sort_keys=rng.random() < 0.3))
    return {file: "---\n".join(texts[file]) for file in sorted(texts)}


def record(studio: Studio, plan: CasePlan) -> JsonObject:
    """Let a case happen, clean up, and return it as recordings keep it."""
    if not plan.creates_namespace:
        studio.cluster.post("/api/v1/namespaces", {"metadata": {"name": plan.namespace}})
    resources = {**studio.stock.resources, **_own_kinds(plan.base)}
    try:
        base = _step(studio, plan, plan.base_files)
        if definitions(plan.base):
            time.sleep(_ESTABLISHED)
            base = _step(studio, plan, plan.base_files)
        base["after"] = _after(studio, resources, plan)
        head = _step(studio, plan, plan.head_files)
        head["after"] = _after(studio, resources, plan)
    finally:
        _sweep(studio, resources, plan)
    return {
        "id": plan.id,
        "form": plan.form,
        "args": list(plan.args),
        "namespace": plan.namespace,
        "namespaceExisted": not plan.creates_namespace,
        "namespacePassed": not plan.names_namespace,
        "base": base,
        "head": head,
    }


def _own_kinds(objects: Iterable[JsonObject]) -> Resources:
    """Return how the custom resources of a case are served."""
    crds = definitions(objects)
    return {
        (f"{crd['spec']['group']}/{version['name']}", crd["spec"]["names"]["kind"]): Resource(
            f"/apis/{crd['spec']['group']}/{version['name']}",
            crd["spec"]["names"]["plural"],
            crd["spec"]["scope"] == "Namespaced",
        )
        for crd in crds
        for version in crd["spec"]["versions"]
    }


def _step(studio: Studio, plan: CasePlan, files: Mapping[str, str]) -> dict[str, Json]:
    """Apply a folder and return what kubectl said."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        cluster = studio.cluster
        program = [str(cluster.kubectl), f"--kubeconfig={cluster.kubeconfig}"]
        done = run(["env", "KUBECTL_APPLYSET=true", *program, *(word.replace("{DIR}", folder) for word in plan.args)])
        outputs = (text.replace(folder, "{DIR}") for text in (done.stdout, done.stderr))
    return {"files": dict(files), "exit": done.code, **dict(zip(("stdout", "stderr"), outputs, strict=True))}


def _after(studio: Studio, resources: Resources, plan: CasePlan) -> dict[str, JsonObject | None]:
    """Return every object of the case as it is now."""
    found: dict[str, JsonObject | None] = {}
    for ref in _refs(resources, plan):
        reply = studio.cluster.get(object_path(resources, ref))
        found[f"{ref.api_version}/{ref.kind}/{ref.namespace}/{ref.name}"] = reply.json if reply.ok else None
    return found


def _refs(resources: Resources, plan: CasePlan) -> Iterator[ObjectRef]:
    for item in plan.objects:
        ref, kind = ref_of(item), resources.get((item.get("apiVersion"), item.get("kind")))  # type: ignore[arg-type]  # edits may retype them
        if kind is not None and ref.name:
            yield ObjectRef(ref.api_version, ref.kind, plan.namespace if kind.namespaced else "", ref.name)


def _sweep(studio: Studio, resources: Resources, plan: CasePlan) -> None:
    """Delete what the case has made, with finalizers, which no controller removes here."""
    cluster = studio.cluster
    for ref in reversed([*_refs(resources, plan)]):
        if ref.kind != "Namespace":
            cluster.patch(object_path(resources, ref), {"metadata": {"finalizers": None}})
            cluster.delete(object_path(resources, ref))
    path = f"/api/v1/namespaces/{plan.namespace}"
    cluster.delete(path)
    left = cluster.get(path)
    if left.ok and not cluster.has_controllers:
        cluster.put(f"{path}/finalize", {**left.json, "spec": {"finalizers": []}})


def record_cases(studio: Studio, seed: str) -> Iterator[JsonObject]:
    """Yield cases as they are recorded, without end; only some of those whose base is rejected."""
    for number in count(1):
        plan = plan_case(studio.stock, seed, number)
        if plan is None:
            continue
        try:
            case = record(studio, plan)
        except subprocess.TimeoutExpired:
            continue
        if case["base"]["exit"] == 0 or Random(plan.id).random() < 0.1:
            yield case


def write(file: Path, head: JsonObject, cases: Iterable[JsonObject]) -> Counter[str]:
    """Write a recording and return how many heads were accepted and rejected."""
    counts: Counter[str] = Counter()
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.write(json.dumps(head) + "\n")
        for case in cases:
            out.write(json.dumps(case) + "\n")
            counts["rejected" if case["head"]["exit"] else "accepted"] += 1
    return counts


def main(argv: Sequence[str] | None = None) -> int:
    """Record as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    bases = load_all(options.bases)
    started_at = time.monotonic()
    with start_cluster(os.environ) as cluster:
        installed = install(cluster.api, definitions(bases))
        try:
            here = studio(cluster, bases)
            head = {"server": cluster.version, "kubectl": cluster.kubectl_version(), "seed": options.seed}
            counts = write(options.out, head, islice(record_cases(here, options.seed), options.cases))
        finally:
            uninstall(cluster.api, installed)
    print(json.dumps({**counts, "seconds": round(time.monotonic() - started_at)}))
    return 0


def studio(cluster: Cluster, bases: Sequence[JsonObject]) -> Studio:
    """Return a studio for a cluster that serves the custom resources among ``bases``."""
    resources = discover(cluster.api)
    served = [item for item in bases if (item["apiVersion"], item["kind"]) in resources]
    return Studio(cluster, Stock(resources, served, donors(served)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--seed", default="0", help="any text; the same cases for the same text")
    add("--cases", type=int, default=100, help="how many to record, about one a second")
    add("--out", type=Path, required=True, help="the recording, *.jsonl.gz")
    add("--bases", type=Path, nargs="+", default=[BASES], help="files or folders of manifests to draw from")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
