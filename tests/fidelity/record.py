"""Records what a real kubectl and a real API server do with an apply.

    python -m tests.fidelity.record --seed t0 --cases 400 --out recorded.jsonl.gz

Each case: a base manifest is applied (or created), other writers touch the live object, the author edits the manifest,
and kubectl applies it through a recording proxy. Kept are live before, manifest, kubectl's writes with their status,
exit code, output and live after. A seed stands for the same cases on every machine.
"""

import argparse
import gzip
import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random

from kubectl_applylint.core.state import LAST_APPLIED, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from tests.cluster.api import APPLY_PATCH, Resources, collection_path, discover, is_namespaced, object_path
from tests.cluster.cluster import Cluster, start_cluster
from tests.cluster.crds import install, uninstall
from tests.cluster.proxy import Exchange, Recording, recording
from tests.fidelity.edits import Donors, donors, edit
from tests.fidelity.manifests import BASES, Version, load_all, load_pairs
from tests.fidelity.vocabulary import WEIGHTS
from tests.fidelity.writers import another_writer

MODES: Mapping[str, int] = {
    "client": 52,
    "server": 16,
    "server-force": 5,
    "client-to-server": 10,
    "server-to-client": 4,
    "create-client": 8,
    "create-server": 5,
}
"""How often the object was applied one way and is applied another (or the same) way now."""
FLAGS: Mapping[str, tuple[str, ...]] = {
    "server": ("--server-side",),
    "client-to-server": ("--server-side",),
    "create-server": ("--server-side",),
    "server-force": ("--server-side", "--force-conflicts"),
}


@dataclass(frozen=True, slots=True)
class Studio:
    """All that recording a case needs."""

    cluster: Cluster
    """Its kubectl goes through the proxy."""
    proxy: Recording
    resources: Resources
    donors: Donors

    def path(self, manifest: JsonObject) -> str:
        """Return where the object is."""
        return object_path(self.resources, ref_of(manifest))

    def live_object(self, manifest: JsonObject) -> JsonObject | None:
        """Return the live object, ``None`` if it does not exist."""
        reply = self.cluster.get(self.path(manifest))
        return reply.json if reply.ok else None


@dataclass(frozen=True, slots=True)
class Draw:
    """The beginning of a case. ``head`` is the real next version of ``base``; without one the edits are drawn."""

    id: str
    rng: Random
    base: JsonObject
    head: JsonObject | None


def record(studio: Studio, draw: Draw) -> JsonObject | None:
    """Return the case that ``draw`` begins, ``None`` if the server would not have what it begins with."""
    rng, base, head = draw.rng, draw.base, draw.head
    old, mode = begin(draw, studio.donors, namespaced=is_namespaced(studio.resources, base))
    out: dict[str, Json] = {
        "id": draw.id,
        "mode": mode,
        "base": f"{base['kind']}/{base['metadata']['name']}",
        "writers": [],
        "live": None,
    }
    if not mode.startswith("create"):
        before = _before(studio, rng, old, mode, writers=(45, 40, 15) if head is None else (65, 30, 5))
        if before is None:
            return None
        out.update(before)
    out.update(draw_manifest(rng, old, head, studio.donors))
    if not isinstance(out["manifest"].get("metadata"), dict):
        return None
    args = ["apply", "-f", "-", *FLAGS.get(mode, ())]
    if rng.random() < 0.1 and "--server-side" in args:
        args.append("--field-manager=ci")
    out.update(args=args, **_apply(studio, args, out["manifest"], old))
    if out["exit"] == 0 and out["after"] and out["live"] is not None and rng.random() < 0.35:
        out["again"] = _apply(studio, args, out["manifest"], old)
        out["revert"] = {"manifest": old, **_apply(studio, args, old, old)}
    _clean_up(studio, old, out["after"])
    return out


def begin(draw: Draw, given: Donors, *, namespaced: bool) -> tuple[JsonObject, str]:
    """Return the manifest that is there first, and the mode (see ``MODES``)."""
    old = with_unique_name(draw.base, draw.id, namespaced=namespaced)
    if draw.head is None and draw.rng.random() < 0.3:
        old, _ = edit(draw.rng, old, given, count=1)
    return old, draw.rng.choices(tuple(MODES), tuple(MODES.values()))[0]


def with_unique_name(base: JsonObject, case: str, *, namespaced: bool) -> JsonObject:
    """Return the manifest under a name that no other case uses."""
    name = base["metadata"]["name"]
    if base["kind"] == "CustomResourceDefinition":
        group = f"g{case.replace('-', '')}.example.com"
        metadata = {**base["metadata"], "name": f"{base['spec']['names']['plural']}.{group}"}
        return {**base, "metadata": metadata, "spec": {**base["spec"], "group": group}}
    metadata = {**base["metadata"], "name": f"{case}.{name}" if "." in name else f"{name}-{case}"}
    return {**base, "metadata": {**metadata, "namespace": "default"} if namespaced else metadata}


def _before(
    studio: Studio, rng: Random, old: JsonObject, mode: str, *, writers: tuple[int, int, int]
) -> JsonObject | None:
    """Create the object and let others write to it; return the lines of the case about that."""
    history: dict[str, Json] = {"writers": []}
    if mode.startswith("server"):
        reply = studio.cluster.patch(f"{studio.path(old)}?fieldManager=kubectl", old, APPLY_PATCH)
    else:
        history["birth"] = rng.choices(("apply", "create", "alice"), (82, 10, 8))[0]
        born = _born(rng, old, history["birth"], studio.donors)
        if born is None:
            return None
        manager = "kubectl-create" if history["birth"] == "create" else "kubectl-client-side-apply"
        collection = collection_path(studio.resources, ref_of(old))
        reply = studio.cluster.post(f"{collection}?fieldManager={manager}", born)
    if not reply.ok:
        return None
    for _ in range(rng.choices((0, 1, 2), writers)[0]):
        live = studio.live_object(old)
        if live is not None:
            writing = another_writer(rng, live, studio.donors)
            path = studio.path(old) + writing.suffix
            answer = studio.cluster.api.call(writing.method, path, writing.body, writing.content_type)
            history["writers"].append([writing.said, answer.status])
    live = studio.live_object(old)
    return None if live is None else {**history, "live": live}


def _born(rng: Random, old: JsonObject, birth: str, given: Donors) -> JsonObject | None:
    """Return the object as a client-side apply creates it; ``alice`` applied another manifest than was stored."""
    if birth == "create":
        return old
    applied = edit(rng, old, given, count=2)[0] if birth == "alice" else old
    applied_annotations = applied["metadata"].get("annotations", {})
    annotations = old["metadata"].get("annotations", {})
    if not isinstance(applied_annotations, dict) or not isinstance(annotations, dict):
        return None
    applied = {**applied, "metadata": {**applied["metadata"], "annotations": applied_annotations}}
    text = json.dumps(applied, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    return {**old, "metadata": {**old["metadata"], "annotations": {**annotations, LAST_APPLIED: text}}}


def draw_manifest(rng: Random, old: JsonObject, head: JsonObject | None, given: Donors) -> JsonObject:
    """Return the manifest to apply, and the edits that led to it."""
    if head is None:
        manifest, edits = edit(rng, old, given) if rng.random() < 0.93 else (old, [])
        return {"manifest": manifest, "edits": edits}
    if not isinstance(head.get("metadata"), dict):
        return {"manifest": head, "edits": []}
    same = {key: old["metadata"][key] for key in ("name", "namespace") if key in old["metadata"]}
    manifest = {**head, "metadata": {**head["metadata"], **same}}
    if old["kind"] == "CustomResourceDefinition":
        manifest = {**manifest, "spec": {**head["spec"], "group": old["spec"]["group"]}}
    return {"manifest": manifest, "edits": []}


def _apply(studio: Studio, args: Sequence[str], manifest: JsonObject, old: JsonObject) -> dict[str, Json]:
    studio.proxy.take()
    run = studio.cluster.run(*args, stdin=json.dumps(manifest))
    return {
        "exit": run.code,
        "stdout": run.stdout,
        "stderr": run.stderr,
        "requests": [as_json(exchange) for exchange in studio.proxy.take() if exchange.writes],
        "after": studio.live_object(old),
    }


def as_json(exchange: Exchange) -> JsonObject:
    """Return an exchange as recordings keep it."""
    query: dict[str, list[str]] = {}
    for name, value in exchange.query:
        query.setdefault(name, []).append(value)
    return {
        "method": exchange.method,
        "path": exchange.path,
        "query": query,
        "contentType": exchange.content_type,
        "body": exchange.body,
        "status": exchange.status,
        **({"error": exchange.error} if exchange.error is not None else {}),
    }


def _clean_up(studio: Studio, old: JsonObject, after: JsonObject | None) -> None:
    path = studio.path(old)
    studio.cluster.delete(path)
    if after and after["metadata"].get("finalizers"):
        studio.cluster.patch(path, {"metadata": {"finalizers": None}})


def draws(seed: str, bases: Sequence[JsonObject], pairs: Sequence[Version]) -> Iterator[Draw]:
    """Yield the beginning of one case after the other, forever: from ``pairs`` in turn, else drawn from ``bases``."""
    weights = [WEIGHTS.get(base["kind"], 1) for base in bases]
    for number in count(1):
        rng = Random(f"{seed}:{number}")
        base, head = pairs[number % len(pairs)] if pairs else (rng.choices(bases, weights)[0], None)
        yield Draw(f"{seed}-{number}", rng, base, head)


def record_cases(studio: Studio, beginnings: Iterable[Draw]) -> Iterator[JsonObject]:
    """Yield cases as they are recorded, without those whose first object the server rejects."""
    for draw in beginnings:
        try:
            case = record(studio, draw)
        except subprocess.TimeoutExpired:
            continue
        if case is not None:
            yield case


def write(file: Path, head: JsonObject, cases: Iterable[JsonObject]) -> Counter[str]:
    """Write a recording and return how many cases were accepted and rejected."""
    counts: Counter[str] = Counter()
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.write(json.dumps(head) + "\n")
        for case in cases:
            out.write(json.dumps(case) + "\n")
            counts["rejected" if case["exit"] else "accepted"] += 1
    return counts


@contextmanager
def studio(cluster: Cluster, bases: Sequence[JsonObject]) -> Iterator[Studio]:
    """Give a studio in which the custom resources among ``bases`` can be applied."""
    installed = install(cluster.api, definitions(bases))
    try:
        with recording(cluster.api) as proxy:
            yield Studio(cluster.reached_through(proxy.url), proxy, discover(cluster.api), donors(bases))
    finally:
        uninstall(cluster.api, installed)


def definitions(objects: Iterable[JsonObject]) -> list[JsonObject]:
    """Return the custom resource definitions among ``objects``."""
    return [item for item in objects if item["kind"] == "CustomResourceDefinition"]


def main(argv: Sequence[str] | None = None) -> int:
    """Record as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    bases = load_all(options.bases)
    pairs = load_pairs(options.pairs) if options.pairs else []
    started_at = time.monotonic()
    with start_cluster(os.environ) as cluster, studio(cluster, bases) as here:
        chosen = [base for base in bases if is_drawn(base, here.resources, options.kinds)]
        cases = record_cases(here, draws(options.seed, chosen, pairs))
        counts = write(options.out, recording_head(here, options.seed, bases), islice(cases, options.cases))
    print(json.dumps({**counts, "seconds": round(time.monotonic() - started_at)}))
    return 0


def is_drawn(base: JsonObject, resources: Resources, kinds: Sequence[str]) -> bool:
    """Return whether cases begin with ``base``: the server knows its kind, and ``kinds``, if any, has it."""
    return (base["apiVersion"], base["kind"]) in resources and (not kinds or base["kind"] in kinds)


def recording_head(here: Studio, seed: str, bases: Sequence[JsonObject]) -> JsonObject:
    """Return the first line of a recording: versions, seed and definitions."""
    return {
        "server": here.cluster.version,
        "kubectl": here.cluster.kubectl_version(),
        "seed": seed,
        "crds": definitions(bases),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--seed", default="0", help="any text; the same cases for the same text")
    add("--cases", type=int, default=100, help="how many to record, about 5 a second")
    add("--out", type=Path, required=True, help="the recording, *.jsonl.gz")
    add("--bases", type=Path, nargs="+", default=[BASES], help="files or folders of manifests to draw from")
    add("--kinds", nargs="+", default=(), help="draw only from these kinds")
    add("--pairs", type=Path, help="a folder of changes, like tests/fidelity/pairs: record these instead")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
