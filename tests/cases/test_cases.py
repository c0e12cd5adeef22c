"""Reading rule cases: what a whole story becomes, and what is said about each fault."""

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import Absent, ObjectRef, Present, Unknown
from tests.cases.case_steps import Action, CaseWrite, PatchType
from tests.cases.cases import MARKER, Case, Expected, Verified, read_case

WEB = ObjectRef("apps/v1", "Deployment", "", "web")
CONFIG = ObjectRef("v1", "ConfigMap", "", "settings")
MANIFEST = """
manifest: |
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec: {replicas: 2}
"""
STORY = f"""
summary: the autoscaler's replicas are lost
steps:
  - apply: {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web}}}}
  - apply-server-side: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: settings}}}}
    manager: flux
    force: true
  - patch: {{spec: {{replicas: 5}}}}
    manager: hpa
    subresource: scale
  - patch: [{{op: remove, path: /data/a}}]
    type: json
    target: {{apiVersion: v1, kind: ConfigMap, name: settings}}
crds:
  - {{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {{name: widgets.example.com}}}}
peers:
  - {{apiVersion: v1, kind: ConfigMap, metadata: {{name: other}}}}
flags: [--server-side, --force-conflicts, --field-manager=ci]
{MANIFEST}
findings:
  - {{path: spec.replicas, message: scales}}
  - {{path: spec, rule: other-rule}}
"""
RECORDED = f"""
{MARKER}
verified: {{kubernetes: v1.36.3, kubectl: v1.36.3, date: 2026-11-21}}
verdict: configured
live: {{kind: Deployment}}
after: null
"""


def read(text: str, file: str = "rules/scale/cases/story.yaml") -> Case:
    return read_case(text, file=file, rule="scale")


def test_a_story_becomes_its_steps_and_expectations() -> None:
    case = read(STORY)

    assert case.ref == WEB
    assert case.manifest.startswith("apiVersion: apps/v1\nkind: Deployment\n")
    assert case.steps == (
        CaseWrite(Action.APPLY, {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}, WEB),
        CaseWrite(
            Action.APPLY_SERVER_SIDE,
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}},
            CONFIG,
            manager="flux",
            force=True,
        ),
        CaseWrite(Action.PATCH, {"spec": {"replicas": 5}}, WEB, manager="hpa", subresource="scale"),
        CaseWrite(Action.PATCH, [{"op": "remove", "path": "/data/a"}], CONFIG, patch_type=PatchType.JSON),
    )
    assert [crd["metadata"]["name"] for crd in case.crds] == ["widgets.example.com"]
    assert [peer["metadata"]["name"] for peer in case.peers] == ["other"]
    assert case.findings == (Expected("scale", "spec.replicas", "scales"), Expected("other-rule", "spec"))


def test_flags_choose_how_the_case_is_applied() -> None:
    case, plain = read(STORY), read("summary: s" + MANIFEST)

    assert (case.server_side, case.force_conflicts, case.field_manager) == (True, True, "ci")
    assert (plain.server_side, plain.force_conflicts, plain.field_manager) == (False, False, None)


def test_results_of_a_replay_are_read() -> None:
    case = read(STORY + RECORDED)

    assert case.verified == Verified("v1.36.3", "v1.36.3", "2026-11-21")
    assert case.verdict is Verdict.CONFIGURED
    assert case.live == Present({"kind": "Deployment"})
    assert case.after == Absent()


def test_before_a_replay_only_a_story_without_steps_knows_its_live_state() -> None:
    assert isinstance(read(STORY).live, Unknown)
    assert isinstance(read(STORY).after, Unknown)
    assert read("summary: s" + MANIFEST).live == Absent()
    assert read("summary: s\nlive: {kind: Deployment}" + MANIFEST).live == Present({"kind": "Deployment"})


FAULTS = {
    "not YAML": ("a: b: c", ":1:5: not readable as YAML: "),
    "not JSON": ("a: !!binary aGk=", ": not readable as YAML: "),
    "empty": ("", ": is not a map"),
    "no summary": (MANIFEST, ": summary is missing"),
    "no manifest": ("summary: s", ": manifest is missing"),
    "unknown key": ("summary: s\nstep: []" + MANIFEST, ": unknown key 'step'; valid keys: summary, steps, "),
    "wrong type": ("summary: s\nlive: 5" + MANIFEST, ": live is not a map or null"),
    "key twice": ("summary: s\nsummary: t" + MANIFEST, ": summary is set twice"),
    "inner key twice": ("summary: s\npeers: [{a: 1, a: 2}]" + MANIFEST, ": a is set twice"),
    "manifest without name": ("summary: s\nmanifest: '{kind: Pod}'", ": manifest: is not one object with apiVersion"),
    "manifest not YAML": ("summary: s\nmanifest: 'a: b: c'", ": manifest:1:5: not readable as YAML"),
    "peer without name": ("summary: s\npeers: [{kind: Pod}]" + MANIFEST, ": peers[0]: is not one object"),
    "base beside steps": ("summary: s\nsteps: []\nbase: []" + MANIFEST, ": base cannot be used with steps or live"),
    "base beside live": ("summary: s\nlive: null\nbase: []" + MANIFEST, ": base cannot be used with steps or live"),
    "kustomize": ("summary: s\nkustomize: {source: {}}" + MANIFEST, ": kustomize: kustomization is missing"),
    "flag": ("summary: s\nflags: [prune]" + MANIFEST, ": flags[0]: is not a flag of kubectl apply"),
    "finding without path": ("summary: s\nfindings: [{rule: x}]" + MANIFEST, ": findings[0]: path is missing"),
    "verdict": ("summary: s\nverdict: changed" + MANIFEST, ": verdict is not one of created, configured"),
    "verified": ("summary: s\nverified: {kubectl: v1}" + MANIFEST, ": verified: kubernetes is missing"),
    "bad without finding": ("summary: s" + MANIFEST, ": a bad- case expects at least one finding"),
}


@pytest.mark.parametrize(("text", "complaint"), FAULTS.values(), ids=FAULTS)
def test_each_fault_is_named_with_the_file(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="bad-x") as caught:
        read(text, "rules/scale/cases/bad-x.yaml")

    assert f"rules/scale/cases/bad-x.yaml{complaint}" in str(caught.value)


def test_an_ok_case_expects_nothing() -> None:
    with pytest.raises(ValueError, match="an ok- case expects no findings"):
        read(STORY, "rules/scale/cases/ok-x.yaml")


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(ValueError, match="peers") as caught:
        read("summary: s\npeers: [1]\nflags: [1]" + MANIFEST)

    assert len(str(caught.value).splitlines()) == 2
