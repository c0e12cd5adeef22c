"""Objects in unchanged files that decide about a change."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS
from kubectl_applylint.core.state import UNSEEN, ClusterView, Present
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.history import in_git
from kubectl_applylint.run.load.unchanged_deciders import unchanged_admission_inputs
from kubectl_applylint.schema.load import load
from kubectl_applylint.sources.text.manifests import Input
from tests.rules.stories import document
from tests.sources.repositories import create


def item(kind: str, name: str, version: str = "v1", **content: JsonObject) -> JsonObject:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "shop"}, **content}


def known_around(changed: Sequence[JsonObject], *others: JsonObject) -> ClusterView:
    """Return what is known around ``changed`` where files that are as they were hold ``others``."""

    def context_of(index_query: IndexQuery) -> Input:
        return Input(
            tuple(document(one) for one in others if any(k.startswith(f"{one['kind']}.") for k in index_query))
        )

    base = Base("HEAD", Input(), context_of=context_of)
    return unchanged_admission_inputs(base, [document(one) for one in changed], load("1.36"), NO_FLAGS, "shop")


LIMITS = item("LimitRange", "l", spec={"limits": [{"type": "Container", "max": {"cpu": "1"}}]})
ACCOUNT = item("ServiceAccount", "robot")
SETTINGS = item("ConfigMap", "s")
POD = item("Pod", "p", spec={"containers": [{"name": "a", "image": "i"}]})
POLICY = item(
    "ValidatingAdmissionPolicy",
    "p",
    "admissionregistration.k8s.io/v1",
    spec={"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}, "validations": [{"expression": "true"}]},
)
RULES = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["pods"]}
POLICY["spec"]["matchConstraints"] = {"resourceRules": [RULES]}


def test_deciders_are_known_with_their_defaults() -> None:
    (limits,) = known_around([POD], LIMITS).known_objects("", "LimitRange", "shop")

    assert dig(limits, "spec", "limits") == [
        {"type": "Container", "max": {"cpu": "1"}, "default": {"cpu": "1"}, "defaultRequest": {"cpu": "1"}}
    ]


def test_only_files_with_the_namespace_are_read_for_a_frequent_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = create(tmp_path)
    homes = {f"{n}.yaml": f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: team-{n}}}\n" for n in range(60)}
    repo.commit({**homes, "pod.yaml": json.dumps({**POD, "metadata": {"name": "p", "namespace": "team-7"}})})
    monkeypatch.chdir(repo.folder)
    base = in_git("HEAD", (), recursive=False)
    assert isinstance(base, Base)
    changed = document({**POD, "metadata": {"name": "p", "namespace": "team-7"}})
    cluster_view = unchanged_admission_inputs(base, [changed], load("1.36"), NO_FLAGS, "shop")

    assert [dig(home, "metadata", "name") for home in cluster_view.known_objects("", "Namespace")] == ["team-7"]


def test_nothing_is_looked_for_where_nothing_changed_and_what_changes_counts_for_itself() -> None:
    assert known_around([], LIMITS) is UNSEEN
    assert known_around([LIMITS], LIMITS) is UNSEEN


def test_accounts_matter_to_pods() -> None:
    assert len(known_around([POD], ACCOUNT).known_objects("", "ServiceAccount", "shop")) == 1
    assert known_around([SETTINGS], ACCOUNT) is UNSEEN


def test_the_parameters_of_policies_are_looked_for() -> None:
    assert isinstance(known_around([POD], POLICY, SETTINGS).lookup("", "ConfigMap", "s", "shop"), Present)
    assert known_around([POD], SETTINGS) is UNSEEN
