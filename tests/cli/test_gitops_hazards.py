"""Each hazard of a change under Argo CD is found in a repository, and not if an option avoids it; some under Flux."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import pytest

from kubectl_applylint.cli import applylint
from tests.sources.repositories import Repo

pytestmark = pytest.mark.slow

URL: Final = "https://example.com/org/gitops.git"
APPLICATION: Final = f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: %s, namespace: argocd%s}}
spec:
  project: default
  source: {{repoURL: "{URL}", path: %s}}
  destination: {{server: "https://kubernetes.default.svc", namespace: %s}}
  syncPolicy: {{automated: {{prune: true}}, syncOptions: [%s]}}
"""
ROOT: Final = APPLICATION % ("root", "", "argocd", "argocd", "")
IGNORED: Final = "  ignoreDifferences: [{group: apps, kind: Deployment, jsonPointers: [/spec/replicas]}]\n"
DELETING: Final = ", finalizers: [resources-finalizer.argocd.argoproj.io]"
WEB: Final = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {%s}}
spec:
  %s
  selector: {matchLabels: {app: %s}}
  template:
    metadata: {labels: {app: %s}}
    spec: {containers: [{name: web, image: "web:1"%s}]}
"""
JOB: Final = """\
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {%s}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: migrate, image: "web:%d"}]}}}
"""
CLAIM: Final = """\
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, annotations: {%s}}
spec: {accessModes: [ReadWriteOnce], storageClassName: %s, resources: {requests: {storage: 1Gi}}}
"""
SETTINGS: Final = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, annotations: {%s}}\ndata:\n  a: %s\n"
NAMESPACE: Final = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop-data, annotations: {%s}}\n"
LARGE: Final = "x" * 270_000
USES_SETTINGS: Final = ", envFrom: [{configMapRef: {name: settings}}]"


def option(text: str) -> str:
    return f"argocd.argoproj.io/sync-options: '{text}'"


def hook(policy: str) -> str:
    return f"argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/hook-delete-policy: {policy}"


def wave(number: int) -> str:
    return f"argocd.argoproj.io/sync-wave: '{number}'"


def web(spec: str = "replicas: 3", label: str = "web", annotations: str = "", container: str = "") -> str:
    return WEB % (annotations, spec, label, label, container)


@dataclass(frozen=True, slots=True)
class Hazard:
    """Objects of an Application before and after a change, its sync options, and the rules that find something."""

    before: str
    after: str
    found: frozenset[str] = frozenset()
    options: str = ""
    more: str = ""
    """Further lines of the Application."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Files that both revisions have."""


def files(objects: str, hazard: Hazard) -> Mapping[str, str]:
    application = APPLICATION % ("web", "", "web", "shop", hazard.options) + hazard.more
    own = {"argocd/web.yaml": application, "web/all.yaml": objects}
    return {"bootstrap/root.yaml": ROOT, **hazard.others, **own}


def finds(*rules: str) -> frozenset[str]:
    return frozenset(rules)


SCALES: Final = finds("argo-cd-replicas-removed-scales-to-one")
DELETES: Final = finds("argo-cd-prune-deletes-data")
RECREATES: Final = finds("argo-cd-force-recreates-object")
TOO_LONG: Final = finds("argo-cd-last-applied-too-long-rejected")
REST: Final = "---\n" + SETTINGS % ("", "b")
OTHER: Final = {"argocd/other.yaml": APPLICATION % ("other", "", "other", "shop", ""), "other/all.yaml": web()}
HAZARDS: Final[Mapping[str, Hazard]] = {
    "replicas": Hazard(web(), web("paused: false"), SCALES),
    "replicas, server-side": Hazard(web(), web("paused: false"), SCALES, "ServerSideApply=true"),
    "replicas, ignored but not respected": Hazard(web(), web("paused: false"), SCALES, more=IGNORED),
    "replicas, ignored": Hazard(web(), web("paused: false"), options="RespectIgnoreDifferences=true", more=IGNORED),
    "claim": Hazard(CLAIM % ("", "a") + REST, REST, DELETES),
    "claim, Prune=false": Hazard(
        CLAIM % (option("Prune=false"), "a") + REST, REST, finds("argo-cd-option-keeps-removed-object")
    ),
    "claim, Prune=confirm": Hazard(
        CLAIM % (option("Prune=confirm"), "a") + REST, REST, finds("argo-cd-prune-waits-for-confirmation")
    ),
    "claim, Prune=false of the Application": Hazard(CLAIM % ("", "a") + REST, REST, options="Prune=false"),
    "namespace": Hazard(NAMESPACE % "" + REST, REST, DELETES),
    "namespace, Prune=false": Hazard(
        NAMESPACE % option("Prune=false") + REST, REST, finds("argo-cd-option-keeps-removed-object")
    ),
    "selector": Hazard(web(), web(label="shop"), finds("selector-change-rejected")),
    "selector, forced": Hazard(
        web(annotations=option("Force=true")),
        web(label="shop", annotations=option("Force=true")),
        RECREATES | {"template-labels-restart-pods"},
    ),
    "claim, replaced and forced": Hazard(
        CLAIM % (option("Force=true,Replace=true"), "a"), CLAIM % (option("Force=true,Replace=true"), "b"), RECREATES
    ),
    "job": Hazard(JOB % ("", 1), JOB % ("", 2), finds("argo-cd-job-change-rejected")),
    "job, replaced and forced": Hazard(
        JOB % (option("Force=true,Replace=true"), 1), JOB % (option("Force=true,Replace=true"), 2)
    ),
    "hook, HookFailed": Hazard(
        JOB % (hook("HookFailed"), 1), JOB % (hook("HookFailed"), 2), finds("argo-cd-hook-change-rejected")
    ),
    "hook, HookSucceeded": Hazard(JOB % (hook("HookSucceeded"), 1), JOB % (hook("HookSucceeded"), 2)),
    "hook, BeforeHookCreation": Hazard(JOB % (hook("BeforeHookCreation"), 1), JOB % (hook("BeforeHookCreation"), 2)),
    "paused in a wave": Hazard(
        web() + "---\n" + SETTINGS % (wave(1), "b"),
        web("paused: true\n  replicas: 3") + "---\n" + SETTINGS % (wave(1), "c"),
        finds("argo-cd-suspended-holds-later-waves"),
    ),
    "paused in the last wave": Hazard(web() + REST, web("paused: true\n  replicas: 3", annotations=wave(1)) + REST),
    "settings of a later wave": Hazard(
        NAMESPACE % "",
        NAMESPACE % "" + "---\n" + web(container=USES_SETTINGS) + "---\n" + SETTINGS % (wave(1), "b"),
        finds("argo-cd-object-waits-for-later-wave"),
    ),
    "settings of an earlier wave": Hazard(
        NAMESPACE % "",
        NAMESPACE % "" + "---\n" + web(container=USES_SETTINGS) + "---\n" + SETTINGS % (wave(-1), "b"),
    ),
    "in two Applications": Hazard(
        REST, REST + "---\n" + web(), finds("argo-cd-object-in-two-applications"), others=OTHER
    ),
    "in two Applications, one exclusive": Hazard(
        REST,
        REST + "---\n" + web(),
        finds("argo-cd-shared-object-fails-sync"),
        "FailOnSharedResource=true",
        others={
            **OTHER,
            "argocd/other.yaml": APPLICATION % ("other", "", "other", "shop", "FailOnSharedResource=true"),
        },
    ),
    "not server-side anymore": Hazard(
        SETTINGS % (option("ServerSideApply=true"), "b") + "  c: d\n",
        SETTINGS % ("", "b"),
        finds("argo-cd-forgets-server-side-fields"),
    ),
    "too long": Hazard(SETTINGS % ("", "b"), SETTINGS % ("", LARGE), TOO_LONG),
    "too long, server-side": Hazard(SETTINGS % ("", "b"), SETTINGS % ("", LARGE), options="ServerSideApply=true"),
    "too long, server-side for the object": Hazard(
        SETTINGS % (option("ServerSideApply=true"), "b"), SETTINGS % (option("ServerSideApply=true"), LARGE)
    ),
}


def findings(capsys: pytest.CaptureFixture[str]) -> list[Mapping[str, str]]:
    capsys.readouterr()
    applylint(["check", "--against", "HEAD~1..HEAD", "-o", "json"])
    found: list[Mapping[str, str]] = json.loads(capsys.readouterr().out)["findings"]
    return found


@pytest.mark.parametrize("name", HAZARDS)
def test_a_hazard_is_one_finding(name: str, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    hazard = HAZARDS[name]
    repo.git("remote", "add", "origin", URL)
    for objects in (hazard.before, hazard.after):
        repo.commit(files(objects, hazard))

    assert sorted(one["rule"] for one in findings(capsys)) == sorted(hazard.found)


def commit_renaming(repo: Repo, finalizer: str, claim: str) -> None:
    """Commit an Application with a claim, and then the same one with another name."""
    repo.git("remote", "add", "origin", URL)
    rest = {"bootstrap/root.yaml": ROOT, "web/all.yaml": claim}
    for name in ("web", "shop"):
        repo.commit({**rest, "argocd/web.yaml": APPLICATION % (name, finalizer, "web", "shop", "")})


def test_a_renamed_application_deletes_its_objects(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    commit_renaming(repo, DELETING, CLAIM % ("", "a"))
    (found,) = findings(capsys)

    assert found["rule"] == "argo-cd-prune-deletes-data"
    assert found["fix"].startswith("# keep Application web, under this name\n")
    assert "Delete=false" in found["fix"]
    assert "Prune=false" not in found["fix"]


@pytest.mark.parametrize(
    ("finalizer", "claim"),
    [("", CLAIM % ("", "a")), (DELETING, CLAIM % (option("Delete=false"), "a"))],
    ids=["no finalizer", "Delete=false"],
)
def test_a_renamed_application_may_leave_its_objects(
    repo: Repo, capsys: pytest.CaptureFixture[str], finalizer: str, claim: str
) -> None:
    commit_renaming(repo, finalizer, claim)

    assert findings(capsys) == []


KUSTOMIZATION: Final = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec: {interval: 10m, prune: true, path: %s, sourceRef: {kind: GitRepository, name: flux-system}%s}
"""


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", ["flux-prune-deletes-data"]),
        (", targetNamespace: shop", ["flux-prune-deletes-data"]),
        (", targetNamespace: shop, deletionPolicy: Orphan", []),
        (", deletionPolicy: Orphan", []),
    ],
    ids=["plain", "built", "built, orphans", "orphans"],
)
def test_a_renamed_kustomization_of_flux_deletes_its_objects(
    repo: Repo, capsys: pytest.CaptureFixture[str], policy: str, expected: list[str]
) -> None:
    source = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
    source += f"metadata: {{name: flux-system, namespace: flux-system}}\nspec: {{url: '{URL}'}}\n---\n"
    repo.git("remote", "add", "origin", URL)
    for name in ("web", "shop"):
        repo.commit(
            {
                "clusters/prod/flux-system/gotk-sync.yaml": source
                + KUSTOMIZATION % ("flux-system", "clusters/prod", ""),
                "clusters/prod/web.yaml": KUSTOMIZATION % (name, "web", policy),
                "web/all.yaml": CLAIM % ("", "a"),
            }
        )
    found = findings(capsys)

    assert [one["rule"] for one in found] == expected
    assert all("spec.deletionPolicy: Orphan" in one["fix"] for one in found)
