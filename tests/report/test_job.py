"""The objects of a check that pods share."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from kubectl_applylint.report.job import ShardedCheck, job_json, job_objects

WANTED = ShardedCheck(8, "applylint:1", "nightly", "ci", (".", "--fail-on=$(X)$"), ("-v2",), asks_cluster=True)


def made(wanted: ShardedCheck) -> dict[str, Any]:
    """Return the objects by kind and name."""
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in job_objects(wanted)}


def pods(wanted: ShardedCheck) -> list[dict[str, Any]]:
    return [one["spec"]["template"]["spec"] for one in made(wanted).values() if one["kind"] == "Job"]


def containers(wanted: ShardedCheck) -> Iterator[dict[str, Any]]:
    for pod in pods(wanted):
        yield from (*pod.get("initContainers", ()), *pod["containers"])


def test_rights_come_before_what_uses_them() -> None:
    assert list(made(WANTED)) == [
        "ServiceAccount/nightly",
        "ClusterRole/ci-nightly",
        "ClusterRoleBinding/ci-nightly",
        "PersistentVolumeClaim/nightly",
        "Job/nightly",
        "Job/nightly-merge",
    ]


def test_only_a_check_that_reads_the_cluster_has_a_role_and_a_token() -> None:
    alone = replace(WANTED, asks_cluster=False)

    assert [pod["automountServiceAccountToken"] for pod in pods(WANTED)] == [True, False]
    assert [pod["automountServiceAccountToken"] for pod in pods(alone)] == [False, False]
    assert [name for name in made(alone) if name.startswith("Cluster")] == []


def test_the_role_only_reads() -> None:
    (rule,) = made(WANTED)["ClusterRole/ci-nightly"]["rules"]
    binding = made(WANTED)["ClusterRoleBinding/ci-nightly"]

    assert rule["verbs"] == ["get", "list"]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": "nightly", "namespace": "ci"}]
    assert binding["roleRef"]["name"] == "ci-nightly"


@pytest.mark.parametrize(("shards", "failing"), [(1, 1), (4, 1), (9, 2), (100, 25)])
def test_an_index_a_shard(shards: int, failing: int) -> None:
    spec = made(replace(WANTED, shards=shards))["Job/nightly"]["spec"]

    assert (spec["completionMode"], spec["completions"], spec["parallelism"]) == ("Indexed", shards, shards)
    assert (spec["backoffLimitPerIndex"], spec["maxFailedIndexes"]) == (3, failing)
    assert spec["template"]["spec"]["restartPolicy"] == "Never"


def test_all_pods_are_restricted() -> None:
    wanted = replace(WANTED, repository="https://git.example/shop.git")

    for pod in pods(wanted):
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in containers(wanted):
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["resources"]["limits"]["memory"]
    assert [one["name"] for one in containers(wanted)] == ["fetch", "check", "fetch", "wait", "merge"]


def test_a_repository_is_fetched_before_it_is_the_working_directory() -> None:
    wanted = replace(WANTED, repository="https://git.example/shop.git", revision="v1")

    assert [one["name"] for one in containers(wanted) if "workingDir" in one] == ["check", "merge"]
    assert next(containers(wanted))["command"][-2:] == ["https://git.example/shop.git", "v1"]
    assert [one["name"] for one in containers(WANTED) if "workingDir" in one] == []


def test_arguments_pass_the_kubelet_unchanged() -> None:
    (check,) = (one for one in containers(WANTED) if one["name"] == "check")

    assert check["command"][-2:] == [".", "--fail-on=$$(X)$$"]


def test_a_storage_class_is_only_named_where_one_is_wanted() -> None:
    claims = [made(one)["PersistentVolumeClaim/nightly"] for one in (WANTED, replace(WANTED, storage_class="nfs"))]

    assert [claim["spec"].get("storageClassName") for claim in claims] == [None, "nfs"]
    assert claims[0]["spec"]["accessModes"] == ["ReadWriteMany"]


def test_json_is_a_list() -> None:
    told = json.loads(job_json(job_objects(WANTED)))

    assert (told["kind"], len(told["items"])) == ("List", 6)
