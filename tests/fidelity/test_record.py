"""The recorder: a seed stands for the cases of the recording, and a new recording scores like any other."""

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.proxy import Exchange
from tests.fidelity.edits import donors
from tests.fidelity.manifests import BASES, PAIRS, load_all, load_pairs
from tests.fidelity.record import as_json, begin, draw_manifest, draws, record_cases, studio, with_unique_name, write
from tests.fidelity.recording import open_recording
from tests.fidelity.test_recorded import HERE

DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 1}}


def test_a_seed_stands_for_the_recorded_cases() -> None:
    bases = load_all([BASES])
    given = donors(bases)
    with gzip.open(HERE / "recorded-1.36.jsonl.gz", "rt") as lines:
        seed = json.loads(next(lines))["seed"]
        cases = {case["id"]: case for case in map(json.loads, islice(lines, 400))}
    seen = 0
    for draw in islice(draws(seed, bases, []), 300):
        namespaced = "namespace" in cases.get(draw.id, {}).get("manifest", {}).get("metadata", {})
        old, mode = begin(draw, given, namespaced=namespaced)
        if draw.id in cases and mode.startswith("create"):
            seen += 1
            assert draw_manifest(draw.rng, old, None, given)["manifest"] == cases[draw.id]["manifest"]

    assert seen > 20


def test_each_case_has_a_name_of_its_own() -> None:
    crd = {
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "names": {"plural": "widgets"}},
    }

    assert with_unique_name(DEPLOYMENT, "s-1", namespaced=True)["metadata"] == {
        "name": "web-s-1",
        "namespace": "default",
    }
    assert with_unique_name({**crd, "kind": "X"}, "s-1", namespaced=False)["metadata"] == {
        "name": "s-1.widgets.example.com"
    }
    assert with_unique_name(crd, "s-1", namespaced=False)["metadata"] == {"name": "widgets.gs1.example.com"}


def test_one_file_has_the_changes_of_one_manifest(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(
        """
manifest: {kind: Thing, spec: {list: [{a: 1}, {a: 2}], gone: 1, "x/y": 1}}
changes:
  value: {/spec/list/0/a: 3}
  element: {/spec/list/-: {a: 9}, /spec/x~1y: 2}
  away: {/spec/list/0: null, /spec/gone: null}
  deep: {/spec/new/inner: 1}
"""
    )
    spec = {"list": [{"a": 1}, {"a": 2}], "gone": 1, "x/y": 1}
    before = {"kind": "Thing", "spec": spec}

    assert load_pairs(tmp_path) == [
        (before, {"kind": "Thing", "spec": {**spec, "list": [{"a": 3}, {"a": 2}]}}),
        (before, {"kind": "Thing", "spec": {**spec, "list": [{"a": 1}, {"a": 2}, {"a": 9}], "x/y": 2}}),
        (before, {"kind": "Thing", "spec": {"list": [{"a": 2}], "x/y": 1}}),
        (before, {"kind": "Thing", "spec": {**spec, "new": {"inner": 1}}}),
    ]


def test_the_pairs_are_changes() -> None:
    pairs = load_pairs(PAIRS)

    assert len(pairs) > 200
    assert [before for before, after in pairs if before == after] == []


def test_real_versions_are_taken_in_turn(tmp_path: Path) -> None:
    for name in ("a.before.yaml", "a.after.yaml"):
        (tmp_path / name).write_text(json.dumps({**DEPLOYMENT, "spec": name}))
    pairs = load_pairs(tmp_path)
    (draw,) = islice(draws("s", [], pairs), 1)

    assert (draw.base["spec"], (draw.head or {})["spec"]) == ("a.before.yaml", "a.after.yaml")
    old, _ = begin(draw, donors([]), namespaced=True)
    authorship = draw_manifest(draw.rng, old, draw.head, donors([]))
    assert authorship["manifest"] == {**DEPLOYMENT, "spec": "a.after.yaml", "metadata": old["metadata"]}


def test_an_exchange_is_recorded_as_json() -> None:
    exchange = Exchange("PATCH", "/p", (("a", "1"), ("a", "2")), "t", "{}", 409, {"reason": "Conflict"})

    assert as_json(exchange) == {
        "method": "PATCH",
        "path": "/p",
        "query": {"a": ["1", "2"]},
        "contentType": "t",
        "body": "{}",
        "status": 409,
        "error": {"reason": "Conflict"},
    }


@pytest.mark.cluster
def test_a_new_recording_reads_like_any_other(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "recorded.jsonl.gz"
    bases = load_all([BASES])
    with studio(cluster, bases) as here:
        head = {"server": cluster.version, "kubectl": cluster.version, "crds": []}
        counts = write(file, head, islice(record_cases(here, draws("t0", bases, [])), 8))
    with open_recording(file) as (_, fresh), open_recording(HERE / "recorded-1.36.jsonl.gz") as (_, known):
        both = list(zip(fresh, known, strict=False))

    assert counts.total() == 8
    assert [(f.id, f.manifest, f.exit) for f, _ in both] == [(k.id, k.manifest, k.exit) for _, k in both]
    assert [[r.method for r in f.requests] for f, _ in both] == [[r.method for r in k.requests] for _, k in both]
