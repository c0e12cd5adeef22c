"""Records what the real Metacontroller does with the children of a parent on a real API server.

    python -m tests.fidelity.record_children --seed k1 --cases 200 --out metacontroller-children.jsonl.gz

Each case has a parent in a namespace of its own, whose spec is what the hook wants. The controller makes the children;
while it is held, others write to them, and the parent begins to want something else. Kept are the controller, the
parent, what is wanted, the revisions of the parent, all objects concerned before and after (by
``apiVersion/Kind/namespace/name``, null: not there), and what the controller says that went wrong.
"""

import argparse
import gzip
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Final

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.api import Resources, discover, object_path
from tests.cluster.cluster import Cluster, start_cluster
from tests.cluster.metacontroller_programs import VERSION, metacontroller_programs
from tests.fidelity.controllers import GROUP, Controller, Hook, Running, answering, controllers, running
from tests.fidelity.edits import Donors, donors, edit
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.record import definitions
from tests.fidelity.writers import another_writer

_DRAWN: Final = frozenset({"ConfigMap", "Secret", "Service", "ServiceAccount", "Deployment", "StatefulSet", "Widget"})
_STEP: Final = 0.1
"""Seconds between two looks at what changes."""
_STILL: Final = 8
"""How many looks have to find the same until a controller counts as done."""
_STILL_FAILING: Final = 15
"""The same for a sync that fails, and is tried again later and later."""
_MOST_LOOKS: Final = 30
"""Some children are recreated forever: an update that the server undoes is seen again at once."""
_MOST_WAITS: Final = 150
"""How many looks a hook is waited for that was not asked yet: a sync that failed is tried again later and later."""
_LAST_WORDS: Final = 0.5
"""Seconds until an answer of the hook has come to something."""
_MOST_ANSWERS: Final = 15
"""How many steps are waited for a hook that answers again and again."""
_LOOKS_AT_ENDLESS: Final = 10
"""How often to search for children that are recreated forever."""
_COPIED: Final = 0.4
"""Seconds until the controller knows what happened while it was held."""
_PARENT: Final = "family"
_REVISIONS: Final = "/apis/metacontroller.k8s.io/v1alpha1"
_NOISE: Final = ("sync hook failed", "ControllerRevision", " not found", "the object has been modified")
"""Messages of a controller that was stopped or used an old copy; the next sync succeeds."""
_LOST: Final = "already exists"
"""Its message at every sync about the revision of a parent without labels for it."""


@dataclass(frozen=True, slots=True)
class Studio:
    """All that recording a case needs."""

    cluster: Cluster
    resources: Resources
    hook: Hook
    program: Running
    controllers: Sequence[Controller]
    bases: Sequence[JsonObject]
    donors: Donors


@dataclass(frozen=True, slots=True)
class Draft:
    """Common properties of the children of one family."""

    rng: Random
    namespace: str
    names_namespace: bool
    """Whether the hook names the namespace; older versions of Metacontroller do not note the parent's."""

    def child(self, item: JsonObject) -> JsonObject:
        """Return a manifest as the hook wants it; few do not match the selector of the parent."""
        old = item["metadata"]
        labels = {} if self.rng.random() < 0.04 else {"family": self.namespace}
        metadata = {key: value for key, value in old.items() if key != "namespace"}
        place = {"namespace": self.namespace} if self.names_namespace else {}
        return {**item, "metadata": {**metadata, **place, "labels": {**mapping(old.get("labels")), **labels}}}


def record(studio: Studio, seed: str, number: int) -> JsonObject:
    """Let a case happen and return it as recordings keep it."""
    rng, namespace = Random(f"children:{seed}:{number}"), f"kids-{seed}-{number}"
    controller = rng.choice(studio.controllers)
    studio.cluster.make_namespace(namespace)
    draft = Draft(rng, namespace, names_namespace=rng.random() < 0.5)
    first = [draft.child(item) for item in rng.sample(studio.bases, rng.randint(1, 3))]
    second, foreign = _later_children(studio, draft, first)
    path = f"/apis/{GROUP}/v1/namespaces/{namespace}/{controller.parent.lower()}s"
    keeps_revisions = Random(f"revisions:{seed}:{number}").random() < 0.85
    refs = sorted({_in_namespace(ref_of(item), namespace) for item in (*first, *second)})
    reply = studio.cluster.post(path, _parent(controller, namespace, first, keeps_revisions=keeps_revisions))
    assert reply.ok, reply.json
    _settle(studio, refs, called=0)
    with studio.program.held():
        _meddle(studio, rng, refs, foreign)
        before = _live_objects(studio, refs)
        revisions = _revisions(studio, namespace)
        parent = studio.cluster.patch(f"{path}/{_PARENT}", {"spec": {"wanted": second}})
        assert parent.ok, parent.json
        studio.hook.least[namespace] = parent.json["metadata"]["generation"] + 1
        called = studio.hook.calls[namespace]
    time.sleep(_COPIED)
    studio.hook.least[namespace] -= 1
    # A sync that has failed is tried again late: a parent that changes, at once.
    studio.cluster.patch(f"{path}/{_PARENT}", {"metadata": {"annotations": {"seen": "true"}}})
    _settle(studio, refs, called=called)
    is_quiet = _is_quiet(studio, namespace)
    after = _live_objects(studio, refs) if is_quiet else _seen_at_times(studio, refs)
    studio.cluster.delete(f"{path}/{_PARENT}")
    _clear(studio, refs)
    return {
        "id": f"{seed}-{number}",
        "controller": controller.manifest,
        "parent": parent.json,
        "namespace": namespace,
        "wanted": parent.json["spec"]["wanted"],
        "before": before,
        "revisions": revisions,
        "after": after,
        "errors": _errors(studio, namespace, answers=1 if is_quiet else 3, keeps_revisions=keeps_revisions),
    }


def _parent(
    controller: Controller, namespace: str, wanted: Sequence[JsonObject], *, keeps_revisions: bool
) -> JsonObject:
    # Revisions get these labels: without them a parent releases its own, and no rolling update ends.
    template = {"template": {"metadata": {"labels": {"family": namespace}}}} if keeps_revisions else {}
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": controller.parent,
        "metadata": {"name": _PARENT, "namespace": namespace},
        "spec": {
            "selector": {"matchLabels": {"family": namespace}},
            **template,
            "wanted": [*wanted],
        },
    }


def _later_children(
    studio: Studio, draft: Draft, first: Sequence[JsonObject]
) -> tuple[list[JsonObject], list[JsonObject]]:
    """Return the children that the hook wants later, and objects without an owner that exist under their names."""
    rng, names = draft.rng, {ref_of(item).identity for item in first}
    second = [item for old in first for item in _later(studio, rng, old)]
    new = [draft.child(item) for item in rng.sample(studio.bases, rng.randint(0, 1))]
    added = [item for item in new if ref_of(item).identity not in names]
    return [*second, *added], [item for item in added if rng.random() < 0.3]


def _later(studio: Studio, rng: Random, item: JsonObject) -> Iterator[JsonObject]:
    what = rng.choices(("same", "edit", "remove", "rename"), (25, 55, 12, 8))[0]
    if what == "edit":
        edited = edit(rng, item, studio.donors, count=rng.randint(1, 2))[0]
        metadata = mapping(edited.get("metadata"))
        is_there = all(metadata.get(key) == item["metadata"].get(key) for key in ("name", "namespace"))
        yield edited if is_there else item
    elif what == "rename":
        yield {**item, "metadata": {**item["metadata"], "name": f"{item['metadata']['name']}-v2"}}
    elif what == "same":
        yield item


def _in_namespace(ref: ObjectRef, namespace: str) -> ObjectRef:
    return ObjectRef(ref.api_version, ref.kind, namespace, ref.name)


def _meddle(studio: Studio, rng: Random, refs: Sequence[ObjectRef], foreign: Sequence[JsonObject]) -> None:
    """Write to the children as others do, delete a few, and create objects without an owner."""
    for ref in refs:
        path = object_path(studio.resources, ref)
        reply = studio.cluster.get(path)
        if reply.ok and rng.random() < 0.08:
            studio.cluster.delete(path)
        elif reply.ok and rng.random() < 0.6:
            writing = another_writer(rng, reply.json, studio.donors)
            studio.cluster.api.call(writing.method, path + writing.suffix, writing.body, writing.content_type)
    for item in foreign:
        namespace = refs[0].namespace
        collection = object_path(studio.resources, _in_namespace(ref_of(item), namespace)).rpartition("/")[0]
        studio.cluster.post(collection, item)


def _clear(studio: Studio, refs: Sequence[ObjectRef]) -> None:
    """Delete objects for good: a Service that waits for a finalizer keeps the node port that later cases ask for."""
    for _ in range(_MOST_LOOKS):
        left = [path for ref in refs if studio.cluster.get(path := object_path(studio.resources, ref)).ok]
        if not left:
            return
        for path in left:
            studio.cluster.patch(path, {"metadata": {"finalizers": None}})
            studio.cluster.delete(path)
        time.sleep(_STEP)


def _live_objects(studio: Studio, refs: Sequence[ObjectRef]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for ref in refs:
        reply = studio.cluster.get(object_path(studio.resources, ref))
        found[f"{ref.api_version}/{ref.kind}/{ref.namespace}/{ref.name}"] = reply.json if reply.ok else None
    return found


def _revisions(studio: Studio, namespace: str) -> list[Json]:
    """Return which revision of the parent has claimed which children."""
    listed = studio.cluster.get(f"{_REVISIONS}/namespaces/{namespace}/controllerrevisions").json["items"]
    named = {"apiVersion": "metacontroller.k8s.io/v1alpha1", "kind": "ControllerRevision"}
    kept = ("name", "namespace", "uid", "labels", "ownerReferences")
    return [
        {**named, **item, "metadata": {key: item["metadata"][key] for key in kept if key in item["metadata"]}}
        for item in listed
    ]


def _settle(studio: Studio, refs: Sequence[ObjectRef], *, called: int) -> None:
    """Wait until the hook has answered more often and nothing has changed for a while, but not forever."""
    namespace, still, last = refs[0].namespace, 0, ""
    for _ in range(_MOST_WAITS):
        time.sleep(_STEP)
        if studio.hook.calls[namespace] > called:
            break
    for _ in range(_MOST_LOOKS):
        time.sleep(_STEP)
        now = json.dumps(_live_objects(studio, refs))
        still = still + 1 if now == last else 0
        last = now
        if still == _STILL_FAILING or (still == _STILL and not _failures(studio, namespace)):
            return


def _is_quiet(studio: Studio, namespace: str) -> bool:
    """Wait until the last answer of the hook has taken effect; return whether it was the last one."""
    for _ in range(_MOST_ANSWERS):
        if (datetime.now() - studio.hook.times[namespace][-1]).total_seconds() > _LAST_WORDS:
            return True
        time.sleep(_STEP)
    return False


def _seen_at_times(studio: Studio, refs: Sequence[ObjectRef]) -> dict[str, Json]:
    """Return objects as they were seen last, where they come and go."""
    looks = [_live_objects(studio, refs) for _ in range(_LOOKS_AT_ENDLESS)]
    return {key: next((look[key] for look in reversed(looks) if look[key]), None) for key in looks[0]}


def _errors(studio: Studio, namespace: str, *, answers: int, keeps_revisions: bool) -> list[Json]:
    """Return how the last syncs of a namespace have failed, without temporary failures."""
    failures = _failures(studio, namespace, answers=answers)
    return [text for text in failures if not _is_noise(text, keeps_revisions=keeps_revisions)]


def _is_noise(text: str, *, keeps_revisions: bool) -> bool:
    found = [noise for noise in _NOISE if noise in text]
    return found != ["ControllerRevision"] or keeps_revisions or _LOST not in text if found else False


def _failures(studio: Studio, namespace: str, *, answers: int = 1) -> list[str]:
    """Return what was said of failures in a namespace since one of the last answers of the hook."""
    since = studio.hook.times[namespace][-answers:][0]
    lines = studio.program.log.read_text(encoding="utf-8", errors="replace").splitlines()
    failed = [line for line in lines if line.startswith("E") and namespace + "/" in line.replace(":", "/")]
    last = [line for line in failed if _time_of(line) >= since]
    return list(dict.fromkeys(line.partition("] ")[2] for line in last))


def _time_of(line: str) -> datetime:
    """Return when a line was logged: ``E1123 16:22:10.606452``, in local time."""
    return datetime.strptime(f"{datetime.now().year}{line[1:21]}", "%Y%m%d %H:%M:%S.%f")


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--cases", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args(argv)
    every = load_all([BASES])
    hook, programs = Hook(), metacontroller_programs(os.environ)
    with start_cluster(os.environ) as cluster, answering(hook) as url:
        ways = controllers(url)
        with running(programs, cluster, ways, definitions(every)) as program:
            bases = [item for item in every if item["kind"] in _DRAWN]
            studio = Studio(cluster, discover(cluster.api), hook, program, ways, bases, donors(every))
            cases = [record(studio, asked.seed, number) for number in range(1, asked.cases + 1)]
    head = {"server": cluster.version, "metacontroller": VERSION}
    lines = (json.dumps(each, separators=(",", ":")) for each in (head, *cases))
    asked.out.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
