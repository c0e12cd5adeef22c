"""Recorded calls of Helm: how they are read, and what counts as right."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.helm.flags import HelmFlags, ServerSide
from tests.fidelity.helm_calls import HelmCall, Recording, predict_call, read_recording, score_recording
from tests.fidelity.judge import Judgement
from tests.fidelity.set_calls import Prediction, judge

REF = "v1/ConfigMap/shop/web"
INVALID = 'ConfigMap "web" is invalid: data[a b]: Invalid value: "a b": a valid config key must consist of'
FAILED = f'Error: UPGRADE FAILED: cannot patch "web" with kind ConfigMap: {INVALID}'


def manifest(**data: str) -> JsonObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": data}


def stored_object(version: str, **data: str) -> JsonObject:
    """Return a ConfigMap as Helm 3 leaves it in the cluster."""
    claimed: JsonObject = {f"f:{name}": {} for name in data}
    fields = {
        "f:data": {".": {}, **claimed},
        "f:metadata": {
            "f:annotations": {
                ".": {},
                "f:meta.helm.sh/release-name": {},
                "f:meta.helm.sh/release-namespace": {},
            },
            "f:labels": {".": {}, "f:app.kubernetes.io/managed-by": {}},
        },
    }
    entry = {"manager": "helm", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields}
    metadata = {
        "name": "web",
        "namespace": "shop",
        "uid": "u",
        "resourceVersion": version,
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": {"app.kubernetes.io/managed-by": "Helm"},
        "annotations": {"meta.helm.sh/release-name": "app", "meta.helm.sh/release-namespace": "shop"},
        "managedFields": [{**entry, "time": "2026-01-01T00:00:00Z"}],
    }
    return {**manifest(**data), "metadata": metadata}


UPGRADE: JsonObject = {
    "id": "t-1/1",
    "action": "upgrade",
    "flags": [],
    "namespace": "shop",
    "history": [{"version": 1, "status": "deployed", "applyMethod": "", "manifest": [manifest(a="1")]}],
    "chart": [manifest(a="2")],
    "before": {REF: stored_object("1", a="1")},
    "exit": 0,
    "stderr": "",
    "after": {REF: stored_object("2", a="2")},
}


def write_recording(folder: Path, *calls: Mapping[str, Json]) -> Path:
    """Write a recording and return its file."""
    file = folder / "helm3.jsonl.gz"
    head = {"server": "1.36", "applier": "helm3", "crds": []}
    with gzip.open(file, "wt") as out:
        out.writelines(json.dumps(line) + "\n" for line in (head, *calls))
    return file


def read(folder: Path, **changed: Json) -> tuple[HelmCall, Recording]:
    """Return the call above with some of it changed, and its recording."""
    recording = read_recording(write_recording(folder, {**UPGRADE, **changed}))
    return recording.calls[0], recording


def wrong(call: HelmCall, prediction: Prediction) -> set[str]:
    """Return the names of the figures that are not right."""
    return {name for name, found in judge(call, prediction).items() if not all(each.right for each in found)}


def test_objects_get_the_namespace_that_helm_fills_in(tmp_path: Path) -> None:
    call, _ = read(tmp_path)

    assert call.chart[0]["metadata"] == {"name": "web", "namespace": "shop"}
    assert call.history[0].manifests[0]["metadata"]["namespace"] == "shop"
    assert [str(ref) for ref in call.before] == ["configmap/web"]


def test_flags_are_understood(tmp_path: Path) -> None:
    call, _ = read(tmp_path, flags=["--server-side=false", "--force-replace", "--take-ownership"])

    assert call.options == HelmFlags(ServerSide.FALSE, force_replace=True, take_ownership=True)
    assert replace(call, flags=("--force", "--cleanup-on-fail")).options == HelmFlags(
        force_replace=True, cleanup_on_fail=True
    )


def test_the_message_is_what_follows_the_command(tmp_path: Path) -> None:
    call, _ = read(tmp_path, exit=1, stderr=f"level=WARN msg=other\n{FAILED}\n")

    assert call.message == FAILED.removeprefix("Error: UPGRADE FAILED: ")
    assert replace(call, exit=0).message == ""


def test_a_correct_prediction_has_all_figures(tmp_path: Path) -> None:
    call, recording = read(tmp_path)
    found = judge(call, predict_call(call, recording))

    assert {name: len(each) for name, each in found.items()} == {
        "run": 1,
        "message": 0,
        "pruned": 0,
        "verdict": 1,
        "result": 1,
        "owners": 1,
    }
    assert wrong(call, predict_call(call, recording)) == set()


@pytest.mark.parametrize(
    ("changed", "figures"),
    [
        ({"exit": 1, "stderr": FAILED}, {"run", "verdict"}),
        ({"after": {REF: stored_object("1", a="1")}}, {"verdict"}),
        ({"after": {REF: stored_object("2", a="3")}}, {"result"}),
        ({"after": {REF: stored_object("2", a="2", b="1")}}, {"result", "owners"}),
        ({"after": {REF: None}}, {"verdict", "pruned"}),
        ({"chart": []}, {"verdict", "pruned"}),
        ({"chart": [manifest(**{"a b": "1"})]}, {"run", "verdict"}),
    ],
    ids=["fails", "not written", "other value", "other owner", "deleted", "not deleted", "does not fail"],
)
def test_a_wrong_prediction_is_counted(tmp_path: Path, changed: Mapping[str, Json], figures: set[str]) -> None:
    call, recording = read(tmp_path, **changed)

    assert wrong(call, predict_call(call, recording)) == figures


@pytest.mark.parametrize(
    ("message", "right"),
    [
        (FAILED, True),
        (FAILED.replace('"a b": a valid', '"another value": a valid'), True),
        (FAILED.replace("data[a b]", "data[c d]"), False),
        (f"{FAILED} && cannot patch more", False),
        (f"{FAILED}\n@@ -1 +1 @@\n-1\n+2\n", True),
        (f"{FAILED}\n@@ -1 +1 @@\n  }},\n && cannot patch more", False),
    ],
    ids=["same", "other value", "other field", "one more", "with differences", "one more after differences"],
)
def test_messages_are_compared_without_the_values_that_go_prints(tmp_path: Path, message: str, right: bool) -> None:
    before = {REF: stored_object("1", a="1")}
    call, _ = read(tmp_path, exit=1, stderr=message, before=before, after=before)
    prediction = Prediction(FAILED.removeprefix("Error: UPGRADE FAILED: "), {}, frozenset())

    assert [each.right for each in judge(call, prediction)["message"]] == [right]


def test_hooks_are_not_predicted(tmp_path: Path) -> None:
    hook = {**manifest(a="2"), "metadata": {"name": "hook", "annotations": {"helm.sh/hook": "pre-upgrade"}}}
    ref = "v1/ConfigMap/shop/hook"
    before, after = {**UPGRADE["before"], ref: None}, {**UPGRADE["after"], ref: stored_object("2", a="2")}
    call, recording = read(tmp_path, chart=[*UPGRADE["chart"], hook], before=before, after=after)

    assert wrong(call, predict_call(call, recording)) == set()


def test_a_crash_is_a_wrong_run(tmp_path: Path) -> None:
    recording = read_recording(write_recording(tmp_path, {**UPGRADE, "before": {}}))
    (found,) = score_recording(recording)

    assert found.judgements == {"run": [Judgement(False)]}
    assert "KeyError" in found.crash
