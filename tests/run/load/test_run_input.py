import json
import os
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.outcome import Level, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import (
    LAST_APPLIED,
    Absent,
    ClusterView,
    Knowledge,
    ObjectRef,
    Present,
    Unknown,
    last_applied,
)
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Report, Scenario, Subject
from kubectl_applylint.run.compare.base import in_folder
from kubectl_applylint.run.compare.live_source import no_live_source, source_of_base
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.load.applied_objects import input_of_applied_objects
from kubectl_applylint.run.load.run_input import RunInput, input_of_files, random_notes
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.cluster.read_results import Neighbours, Objects
from kubectl_applylint.sources.text.manifests import read_text
from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT, live_deployment

NAMES = {"kind": "Lamp", "plural": "lamps", "singular": "lamp"}
DEFINITION: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "lamps.x.io"},
    "spec": {
        "group": "x.io",
        "names": NAMES,
        "scope": "Cluster",
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}
LAMP = "apiVersion: x.io/v1\nkind: Lamp\nmetadata: {name: lamp}\n"


@pytest.fixture(name="files", autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "web.yaml").write_text(DEPLOYMENT)
    (tmp_path / "settings.yaml").write_text(CONFIG_MAP)
    (tmp_path / "lamp.yaml").write_text(LAMP)
    (tmp_path / "crd.json").write_text(json.dumps(DEFINITION))
    (tmp_path / "prod.json").write_text(
        json.dumps({"apiVersion": "v1", "kind": "List", "items": [live_deployment(), DEFINITION]})
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_input_of(*names: str, snapshot: str = "", namespace: str = "", stdin: bytes = b"") -> RunInput:
    known = in_snapshot(snapshot) if snapshot else no_live_source()
    return input_of_files(names, stdin=lambda: stdin, source=known, flags=Flags(namespace=namespace))


def test_objects_meet_what_the_snapshot_holds() -> None:
    found = run_input_of("web.yaml", "settings.yaml", snapshot="prod.json")

    assert [type(subject.state.live) for subject in found.subjects] == [Present, Absent]
    assert found.origin == "snapshot prod.json (written today)"
    assert [subject.predict(Scenario.FRESH).verdict for subject in found.subjects] == [Verdict.CREATED] * 2


@pytest.mark.parametrize(
    ("days", "age", "doubts"),
    [
        (0, "written today", []),
        (1, "1 day old", ["the snapshot prod.json is 1 day old"]),
        (3, "3 days old", ["the snapshot prod.json is 3 days old"]),
    ],
    ids=["today", "yesterday", "earlier"],
)
def test_the_age_of_a_snapshot_is_reported_and_lowers_the_confidence(
    files: Path, days: int, age: str, doubts: list[str]
) -> None:
    made = time.time() - days * 86400 - 60
    os.utime(files / "prod.json", (made, made))

    found = run_input_of("web.yaml", snapshot="prod.json")
    confidence = found.subjects[0].predict(Scenario.APPLY).confidence

    assert found.origin == f"snapshot prod.json ({age})"
    assert [reason for reason in confidence.reasons if "snapshot" in reason] == doubts
    assert confidence.level is not Level.HIGH or not doubts


def test_versions_and_kinds_without_a_schema_are_noted() -> None:
    found = input_of_files(["lamp.yaml", "web.yaml"], stdin=bytes, kubernetes_version="1.99")

    assert found.notes == (
        "no schema for Kubernetes 1.99, using 1.37",
        "not validated, because no definition of the kind was found: 1 Lamp (x.io/v1)",
    )


def test_without_a_snapshot_nothing_is_known() -> None:
    found = run_input_of("web.yaml")

    assert found.subjects[0].state.live == Unknown("no cluster was read")
    assert found.origin == ""


def test_an_unreadable_snapshot_is_a_problem_and_leaves_the_state_unknown(files: Path) -> None:
    (files / "bad.json").write_text("{")

    found = run_input_of("web.yaml", snapshot="bad.json")

    assert found.subjects[0].state.live == Unknown("the snapshot could not be read")
    assert [problem.where for problem in found.problems] == ["bad.json:1:2"]


@pytest.mark.parametrize(("namespace", "own"), [("", "default"), ("test", "test")], ids=["none", "given"])
def test_an_object_without_a_namespace_gets_one(namespace: str, own: str) -> None:
    bare = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare}\n"

    found = run_input_of("-", namespace=namespace, stdin=bare)

    assert [subject.ref.namespace for subject in found.subjects] == [own]


def test_another_namespace_than_the_flag_is_rejected() -> None:
    found = run_input_of("settings.yaml", "web.yaml", namespace="test")

    assert found.subjects == ()
    assert [problem.where for problem in found.problems] == ["settings.yaml:1:1", "web.yaml:1:1"]
    assert [item["metadata"]["name"] for item in found.objects] == ["settings", "web"]


@pytest.mark.parametrize("sources", [("crd.json", "lamp.yaml"), ("lamp.yaml",)], ids=["files", "snapshot"])
def test_custom_resources_are_known_from_files_and_from_the_snapshot(sources: tuple[str, ...]) -> None:
    lamp = run_input_of(*sources, snapshot="" if len(sources) == 2 else "prod.json").subjects[-1]

    assert lamp.kind is not None
    assert (lamp.ref.namespace, lamp.kind.resource) == ("", "lamps")


def test_objects_that_the_selector_does_not_choose_are_left_out() -> None:
    found = input_of_files(["web.yaml", "settings.yaml"], stdin=bytes, flags=Flags(selector="app=shop"))

    assert found.subjects == ()
    assert found.notes == ("skipped, not matching the selector: 2 objects",)


def test_the_namespace_and_the_version_of_the_cluster_hold_where_no_flag_says_otherwise() -> None:
    known = replace(no_live_source(), version="v1.30.4-eks-1", namespace="bank")
    bare = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare}\n"

    (subject,) = input_of_files(["-"], stdin=lambda: bare, source=known).subjects
    (flagged,) = input_of_files(
        ["-"], stdin=lambda: bare, source=known, flags=Flags(namespace="x"), kubernetes_version="1.33"
    ).subjects

    assert (subject.ref.namespace, subject.schema.asked) == ("bank", "1.30")
    assert (flagged.ref.namespace, flagged.schema.asked) == ("x", "1.33")


def test_definitions_come_from_the_cluster_for_kinds_that_are_not_built_in() -> None:
    asked: list[Gvk] = []

    def definitions(kinds: Collection[Gvk]) -> Objects:
        asked.extend(kinds)
        return Objects((DEFINITION,), (Problem("cluster", "half of it"),))

    known = replace(no_live_source(), definitions=definitions)
    found = input_of_files(["web.yaml", "lamp.yaml"], stdin=bytes, source=known)

    assert asked == [("x.io/v1", "Lamp")]
    assert found.subjects[-1].kind is not None
    assert [problem.message for problem in found.problems] == ["half of it"]


def test_no_definitions_are_requested_for_built_in_kinds() -> None:
    def definitions(kinds: Collection[Gvk]) -> Objects:
        pytest.fail("looking for definitions takes longer than all else")

    found = input_of_files(["web.yaml"], stdin=bytes, source=replace(no_live_source(), definitions=definitions))

    assert found.problems == ()


def applied_subject(live: JsonObject) -> Subject:
    """Return the subject of a live object alone."""
    known = replace(no_live_source(), applied=lambda namespace, selector: Objects((live,), ()))
    (subject,) = input_of_applied_objects(known).subjects
    return subject


def test_live_objects_are_judged_by_what_is_known_around_them() -> None:
    quotas = ClusterView(whole=frozenset({("", "ResourceQuota", "shop")}))
    asked: list[ObjectRef] = []

    def cluster_view(states: Mapping[ObjectRef, Knowledge]) -> Neighbours:
        asked.extend(states)
        return Neighbours(quotas, ("a note",))

    live = Objects((live_deployment(),), ())
    found = input_of_applied_objects(
        replace(no_live_source(), applied=lambda namespace, selector: live, cluster_view=cluster_view)
    )

    assert asked == [subject.ref for subject in found.subjects]
    assert found.notes == ("a note",)
    assert found.subjects[0].state.cluster_view() == quotas


def test_the_last_applied_annotation_is_the_manifest() -> None:
    subject = applied_subject(live_deployment())

    assert str(subject.document.locate(())) == "shop/deployment.apps/web"
    assert subject.document.has_manifest
    assert subject.manifest["spec"]["selector"] == {"matchLabels": {"app": "web"}}
    assert subject.state.live == Present(live_deployment())


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "not JSON",
        "[]",
        json.dumps({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "other"}}),
        json.dumps({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "x"}}),
        json.dumps({"apiVersion": "apps/v1beta1", "kind": "Deployment", "metadata": {"name": "web"}}),
    ],
    ids=["lost", "empty", "not JSON", "no object", "of another object", "of another namespace", "of an old version"],
)
def test_an_annotation_without_a_manifest_keeps_the_name(text: str | None) -> None:
    live = live_deployment()
    annotations = {} if text is None else {LAST_APPLIED: text}

    subject = applied_subject({**live, "metadata": {**live["metadata"], "annotations": annotations}})

    assert not subject.document.has_manifest
    assert subject.manifest == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop"},
    }


def test_an_annotation_without_a_namespace_gets_that_of_its_object() -> None:
    live = live_deployment()
    manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {}}
    annotations = {LAST_APPLIED: json.dumps(manifest)}

    subject = applied_subject({**live, "metadata": {**live["metadata"], "annotations": annotations}})

    assert subject.manifest == {**manifest, "metadata": {"name": "web", "namespace": "shop"}}


def test_a_kustomization_that_is_named_is_no_manifest(files: Path) -> None:
    (files / "kustomization.yaml").write_text("resources: [web.yaml]\n")
    (problem,) = run_input_of("kustomization.yaml").problems

    assert (problem.message, problem.advice) == ("not a manifest: kustomization", "name its directory with -k")


def test_a_report_is_completed_with_what_came_up_before() -> None:
    early, late = Problem("a", "early"), Problem("b", "late")
    found = RunInput(problems=(early,), notes=("first",))

    report = found.complete(Report(problems=(late,), notes=("second",)))

    assert (report.problems, report.notes) == ((early, late), ("first", "second"))


SHOP = b"apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n"
SETTINGS = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n---\n"


@pytest.mark.parametrize(
    ("manifests", "verdicts"),
    [
        pytest.param(SHOP + SETTINGS, [Verdict.CREATED, Verdict.CREATED], id="after its namespace"),
        pytest.param(SETTINGS + SHOP, [Verdict.REJECTED, Verdict.CREATED], id="before its namespace"),
    ],
)
def test_an_object_needs_its_namespace_before_it(files: Path, manifests: bytes, verdicts: list[Verdict]) -> None:
    (files / "all.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system}\n")
    found = run_input_of("-", snapshot="all.yaml", stdin=manifests)

    assert [subject.predict(Scenario.APPLY).verdict for subject in found.subjects] == verdicts
    assert found.notes == ()


def test_namespaces_outside_of_a_snapshot_are_unknown() -> None:
    found = run_input_of("-", snapshot="prod.json", stdin=SETTINGS.replace(b"shop", b"bank"))

    assert [subject.predict(Scenario.APPLY).verdict for subject in found.subjects] == [Verdict.CREATED]
    assert found.notes == ("could not check whether these namespaces exist: bank",)


def test_objects_of_a_snapshot_without_a_manifest_are_peers(files: Path) -> None:
    name = {"name": "web", "namespace": "shop"}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": name}
    owned = {**service, "metadata": {**name, "name": "made", "ownerReferences": [{"name": "x"}]}}
    endpoints = {"apiVersion": "v1", "kind": "Endpoints", "metadata": name}
    there = {"apiVersion": "v1", "kind": "List", "items": [live_deployment(), service, owned, endpoints, DEFINITION]}
    (files / "prod.json").write_text(json.dumps(there))
    (web,) = run_input_of("web.yaml", snapshot="prod.json").subjects

    assert [str(peer.locate(())) for peer in web.peers] == ["shop/service/web"]
    assert web.cluster_diff.before(web.peers[0].ref) == web.cluster_diff.after(web.peers[0].ref) == Present(service)


BUDGET = (
    "kind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 1, selector: {matchLabels: {app: web}}}"
)


def verdicts(before: str, after: str, folder: Path) -> dict[str, str]:
    """Return the verdicts on the objects of a change of one file, those that left it included."""
    for name, text in (("before", before), ("after", after)):
        (folder / name).mkdir()
        (folder / name / "all.yaml").write_text(text)
    known = source_of_base(in_folder(str(folder / "before"), recursive=False))
    found = input_of_files([str(folder / "after")], stdin=bytes, source=known, kubernetes_version="1.37")
    applied = found.whole.outcomes if found.whole else ()
    unapplied = (outcome for _, outcome in found.unapplied_outcomes)
    return {str(outcome.ref): outcome.verdict.value for outcome in (*applied, *unapplied)}


def test_objects_of_a_change_are_known_without_predicting_them(files: Path) -> None:
    for name, text in (("before", f"{CONFIG_MAP}---\n{DEPLOYMENT}"), ("after", CONFIG_MAP)):
        (files / name).mkdir()
        (files / name / "all.yaml").write_text(text)
    known = source_of_base(in_folder(str(files / "before"), recursive=False))
    found = input_of_files([str(files / "after")], stdin=bytes, source=known)

    assert {item["metadata"]["name"] for item in found.objects} == {"settings", "web"}
    assert found.whole is not None
    assert not found.whole._outcomes


def test_an_object_is_the_same_in_a_newer_version(tmp_path: Path) -> None:
    found = verdicts(f"apiVersion: policy/v1beta1\n{BUDGET}", f"apiVersion: policy/v1\n{BUDGET}", tmp_path)

    assert found == {"poddisruptionbudget.policy/web": "configured"}


def test_an_object_is_the_same_in_the_group_to_which_it_moved(tmp_path: Path) -> None:
    rest = (
        "kind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n"
        "    metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: nginx}]}\n"
    )
    found = verdicts(f"apiVersion: extensions/v1beta1\n{rest}", f"apiVersion: apps/v1\n{rest}", tmp_path)

    assert found == {"deployment.apps/web": "configured"}


def test_an_unchanged_object_of_a_removed_version_is_rejected(tmp_path: Path) -> None:
    found = verdicts(f"apiVersion: policy/v1beta1\n{BUDGET}", f"apiVersion: policy/v1beta1\n{BUDGET} ", tmp_path)

    assert found == {"poddisruptionbudget.policy/web": "rejected"}


def test_a_removed_object_of_an_older_version_is_kept(tmp_path: Path) -> None:
    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}"
    found = verdicts(f"apiVersion: policy/v1beta1\n{BUDGET}\n---\n{other}", other, tmp_path)

    assert found == {"configmap/web": "unchanged", "poddisruptionbudget.policy/web": "kept"}


def test_the_annotation_of_an_older_version_is_remembered(tmp_path: Path) -> None:
    for name, version in (("before", "policy/v1beta1"), ("after", "policy/v1")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.yaml").write_text(f"apiVersion: {version}\n{BUDGET}")
    known = source_of_base(in_folder(str(tmp_path / "before"), recursive=False))
    (subject,) = input_of_files([str(tmp_path / "after")], stdin=bytes, source=known).subjects
    applied = last_applied(subject.state.live)

    assert isinstance(applied, Present)
    assert (applied.object["apiVersion"], applied.object["metadata"]["namespace"]) == ("policy/v1beta1", "default")


CERTIFICATE = (
    "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a, namespace: x}\nspec: {secretName: s}\n"
)
OTHER_VERSION: JsonObject = {
    **DEFINITION,
    "spec": {
        **DEFINITION["spec"],
        "group": "cert-manager.io",
        "names": {"kind": "Certificate", "plural": "certificates"},
        "versions": [{**DEFINITION["spec"]["versions"][0], "name": "v9"}],
    },
}


@pytest.mark.parametrize(
    ("definitions", "is_cluster", "is_bundled"),
    [
        (Objects((), ()), False, True),
        (Objects((OTHER_VERSION,), ()), False, False),
        (Objects((), ()), True, False),
        (Objects((), (Problem("cluster", "definitions are forbidden"),)), True, True),
    ],
    ids=["no definition", "definition of another version", "cluster without the kind", "cluster that hides it"],
)
def test_a_bundled_definition_is_used_if_there_is_no_other(
    definitions: Objects, is_cluster: bool, is_bundled: bool
) -> None:
    Path("certificate.yaml").write_text(CERTIFICATE)
    source = replace(no_live_source(), definitions=lambda kinds: definitions, is_cluster=is_cluster)
    found = input_of_files(["certificate.yaml"], stdin=bytes, source=source)
    (outcome,) = (subject.predict(Scenario.APPLY) for subject in found.subjects)

    assert outcome.verdict is Verdict.CREATED
    assert outcome.bundled_definition.startswith("cert-manager v") is is_bundled
    assert [cause.field for cause in outcome.possible_errors] == (["spec.issuerRef"] if is_bundled else [])
    assert any("1 of cert-manager v" in note for note in found.notes) is is_bundled


@pytest.mark.parametrize(
    ("origin", "is_random", "has_note"), [("cluster a", True, True), ("", True, False), ("cluster a", False, False)]
)
def test_random_values_of_charts_differ_from_live_ones(origin: str, is_random: bool, has_note: bool) -> None:
    given = replace(read_text(LAMP, "release.yaml"), is_random=is_random)
    found = [*random_notes(given, replace(no_live_source(), origin=origin))]

    assert [one.partition(" make")[0] for one in found] == ["release.yaml: its charts"] * has_note
