"""ApplySets whose parent is a custom resource: what is predicted from a snapshot is what kubectl does."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kubectl_applylint.appliers.applyset import ID, KINDS, NAMESPACES, PARENT_TYPE, TOOLING, ApplySet
from kubectl_applylint.cli import applylint
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from tests.cluster.cluster import Cluster, Run

Told = tuple[int, dict[str, str], str]


def definition(plural: str, kind: str, scope: str, labels: JsonObject) -> JsonObject:
    names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.sets.example.com", "labels": labels},
        "spec": {
            "group": "sets.example.com",
            "scope": scope,
            "names": names,
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


DEFINITIONS = [
    definition("teams", "Team", "Namespaced", {PARENT_TYPE: "true"}),
    definition("squads", "Squad", "Cluster", {PARENT_TYPE: ""}),
    definition("crowds", "Crowd", "Namespaced", {}),
]


@dataclass(frozen=True, slots=True)
class Set:
    """A namespace, a folder of manifests, and both programs that apply it."""

    cluster: Cluster
    namespace: str
    folder: Path

    def write(self, *names: str) -> None:
        """Let these ConfigMaps be the manifests."""
        for file in self.folder.glob("*.yaml"):
            file.unlink()
        for name in names:
            content = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n"
            (self.folder / f"{name}.yaml").write_text(content)

    def parent(self, kind: str, name: str, namespace: str) -> None:
        """Create a parent object as its documentation says that it has to be."""
        ref = ObjectRef("sets.example.com/v1", kind, namespace, name)
        annotations = {TOOLING: "kubectl/v1.36", KINDS: "", NAMESPACES: ""}
        metadata = {"name": name, "annotations": annotations, "labels": {ID: ApplySet(ref).id}}
        content = {"apiVersion": ref.api_version, "kind": kind, "metadata": metadata}
        done = self.cluster.run("create", "-n", self.namespace, "-f", "-", stdin=json.dumps(content))
        assert done.code == 0, done.stderr

    def apply(self, applyset: str) -> Run:
        """Apply the manifests with the real kubectl."""
        flags = ("--prune", f"--applyset={applyset}", "-n", self.namespace)
        return self.cluster.run("apply", *flags, "-f", str(self.folder))


@pytest.fixture(name="made")
def _applyset(cluster: Cluster, namespace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Set:
    monkeypatch.setenv("KUBECTL_APPLYSET", "true")
    for each in DEFINITIONS:
        cluster.run("apply", "-f", "-", stdin=json.dumps(each))
    cluster.run("wait", "crd/teams.sets.example.com", "crd/squads.sets.example.com", "--for=condition=established")
    (tmp_path / "deploy").mkdir()
    return Set(cluster, namespace, tmp_path / "deploy")


@pytest.fixture(name="plan")
def _plan(made: Set, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Told]:
    """Return what gives the code, the verdict of each object, and the rejection that ``plan`` predicts."""

    def plan(applyset: str) -> Told:
        kinds = "configmaps,customresourcedefinitions,teams.sets.example.com,squads.sets.example.com"
        listed = made.cluster.run("get", kinds, "-n", made.namespace, "-o", "json", "--show-managed-fields")
        (tmp_path / "live.json").write_text(listed.stdout)
        flags = ("--prune", f"--applyset={applyset}", "-n", made.namespace, "-o", "json")
        code = applylint(["plan", "-f", str(made.folder), f"--against=snapshot:{tmp_path / 'live.json'}", *flags])
        objects = json.loads(capsys.readouterr().out)["objects"]
        causes = {cause["message"] for item in objects for cause in item["causes"]}
        return code, {item["name"]: item["verdict"] for item in objects}, " ".join(causes)

    return plan


@pytest.mark.parametrize(
    ("kind", "word", "is_namespaced"),
    [("Team", "Team.sets.example.com", True), ("Squad", "squads.sets.example.com", False)],
)
def test_a_custom_resource_is_a_parent(
    made: Set, plan: Callable[[str], Told], kind: str, word: str, is_namespaced: bool
) -> None:
    name = f"of-{made.namespace}"
    made.parent(kind, name, made.namespace if is_namespaced else "")
    made.write("a", "b")
    first = made.apply(f"{word}/{name}")
    made.write("a")
    predicted = plan(f"{word}/{name}")
    second = made.apply(f"{word}/{name}")

    assert first.code == 0, first.stderr
    assert predicted == (0, {"a": "unchanged", "b": "pruned"}, "")
    assert second.stdout == "configmap/a unchanged\nconfigmap/b pruned\n"


@pytest.mark.parametrize("word", ["teams.sets.example.com", "crowds.sets.example.com"], ids=["missing", "not marked"])
def test_an_invalid_parent_stops_the_apply(made: Set, plan: Callable[[str], Told], word: str) -> None:
    made.write("a")
    code, verdicts, refusal = plan(f"{word}/nobody")

    assert (code, verdicts) == (1, {"a": "rejected"})
    assert made.apply(f"{word}/nobody").stderr == f"error: {refusal}\n"
