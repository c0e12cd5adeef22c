"""The command ``job``: what it prints, and what servers and applylint say of that."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.test_units import Run
from tests.cluster.cluster import READ_ONLY, Cluster

NEEDED = ("--shards", "3", "--image", "registry.example/applylint:1")
REPOSITORY = ("--repository", "https://git.example/shop.git")
OFFLINE = ("--", "all", "--against", "none", "-v")


def objects(run: Run, *words: str) -> list[dict[str, Any]]:
    code, out, complaint = run("job", *NEEDED, *words)
    assert (code, complaint) == (0, "")
    return list(yaml.safe_load_all(out))


def commands(run: Run, *words: str) -> dict[str, list[str]]:
    """Return the commands of containers by their name, but for those that all have."""
    specs = [one["spec"]["template"]["spec"] for one in objects(run, *words) if one["kind"] == "Job"]
    each = [one for spec in specs for one in (*spec.get("initContainers", ()), *spec["containers"])]
    return {one["name"]: one["command"][4:] for one in each}


def test_a_check_of_the_cluster_is_the_default(run: Run, folder: Path) -> None:
    assert commands(run)["check"] == [".", "--against", "live"]
    assert "ClusterRole" in [one["kind"] for one in objects(run)]


@pytest.mark.parametrize(
    ("words", "has_role"),
    [
        (["."], True),
        ([".", "--against", "live"], True),
        ([".", "--against=last-applied"], True),
        ([".", "--against", "none"], False),
        ([".", "--against", "snapshot:prod.json"], False),
    ],
)
def test_a_check_that_reads_no_cluster_has_no_role(run: Run, folder: Path, words: list[str], has_role: bool) -> None:
    assert ("ClusterRole" in [one["kind"] for one in objects(run, "--", *words)]) is has_role


def test_the_role_is_the_documented_one(run: Run, folder: Path) -> None:
    (role,) = (one for one in objects(run) if one["kind"] == "ClusterRole")

    assert role["rules"] == list(READ_ONLY)


def test_outputs_are_those_of_the_merge(run: Run, folder: Path) -> None:
    words = [
        "-o",
        "text",
        "-ojson=a.json",
        "--output=sarif=/parts/a.sarif",
        "--fail-on",
        "warning",
        "-v",
        "--exit-zero",
    ]
    found = commands(run, "--", ".", *words, "--rules", "own", "--config", "c.yaml")

    assert found["check"] == [".", "--fail-on", "warning", "-v", "--exit-zero", "--rules", "own", "--config", "c.yaml"]
    assert found["merge"] == [
        *("--output=text", "--output=json=a.json", "--output=sarif=/parts/a.sarif", "--fail-on=warning"),
        *("--rules=own", "-v1", "--exit-zero", "--config=c.yaml"),
    ]


def test_names_after_a_second_double_dash_are_files(run: Run, folder: Path) -> None:
    assert commands(run, "--", "--against", "none", "--", "-o")["check"] == ["--against", "none", "--", "-o"]


def test_json_holds_the_same(run: Run, folder: Path) -> None:
    told = json.loads(run("job", *NEEDED, "-o", "json")[1])

    assert told["items"] == objects(run)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--shards", "0"], "--shards: 0 is not valid: use a number from 1 to 10000"),
        (["--shards", "10001"], "--shards: 10001 is not valid: use a number from 1 to 10000"),
        (["--image", "a b"], "--image: 'a b' is not valid: use an image, as registry.example/applylint:1.0"),
        (["--image", ""], "--image: '' is not valid: use an image, as registry.example/applylint:1.0"),
        (["--name", "Night"], "--name: 'Night' is not valid: use up to 45 lower case letters, digits and -"),
        (["--name", "a" * 46], f"--name: '{'a' * 46}' is not valid: use up to 45 lower case letters, digits and -"),
        (["-n", "a.b"], "--namespace: 'a.b' is not valid: use up to 63 lower case letters, digits and -"),
        (
            ["--repository=-u x"],
            "--repository: '-u x' is not valid: use an address for git fetch, as https://git.example/shop.git",
        ),
        (
            ["--repository", "https://me:secret@git.example/x"],
            "--repository: the address contains a password, which everyone who may read Jobs could see; leave it out",
        ),
        (["--revision=-x"], "--revision: '-x' is not valid: use a commit, branch or tag"),
        (["--deadline", "0"], "--deadline: 0 is not valid: use a number of seconds from 1"),
        (["-o", "sarif"], "--output: job has no format sarif; it has text, yaml, json"),
        (["--", ".", "--shard", "1/2"], "--shard is not possible in a Job: each pod has its own"),
        (["--", ".", "--fix"], "--fix is not possible in a Job: no one reads the files of a pod afterwards"),
        (["--", "-"], "- is not possible in a Job: pods have no standard input"),
    ],
)
def test_a_wrong_value_is_one_message(run: Run, folder: Path, words: list[str], complaint: str) -> None:
    assert run("job", *NEEDED, *words) == (2, "", f"applylint: {complaint}\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--shards", "2"], "applylint job: the following arguments are required: --image"),
        ([*NEEDED, "--", "--agianst", "live"], "applylint check: unrecognized arguments: --agianst"),
    ],
)
def test_wrong_flags_are_one_message(folder: Path, words: list[str], complaint: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_applylint", "job", *words], capture_output=True, encoding="utf-8", check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(complaint)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [(), REPOSITORY, OFFLINE], ids=["live", "repository", "offline"])
def test_applylint_finds_nothing_in_it(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    (folder / "job.yaml").write_text(run("job", *NEEDED, *words)[1])
    code, out, _ = run("check", "job.yaml", "--against", "none", "-o", "json")

    told = json.loads(out)
    assert (code, told["findings"]) == (0, [])


@pytest.mark.parametrize(
    "more", [(), REPOSITORY, ("--shards", "10000", "--name", "a" * 45)], ids=["image", "repository", "largest"]
)
def test_the_server_takes_it(run: Run, folder: Path, cluster: Cluster, namespace: str, more: tuple[str, ...]) -> None:
    mode = [f"pod-security.kubernetes.io/{mode}=restricted" for mode in ("warn", "enforce")]
    assert cluster.run("label", "namespace", namespace, *mode).code == 0

    printed = run("job", *NEEDED, "-n", namespace, *more)[1]
    done = cluster.run("apply", "--dry-run=server", "--validate=strict", "-f", "-", stdin=printed)

    assert (done.code, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 6


@pytest.mark.parametrize("more", [(), REPOSITORY], ids=["image", "repository"])
def test_pods_are_admitted_where_they_are_restricted(
    run: Run, folder: Path, cluster: Cluster, namespace: str, more: tuple[str, ...]
) -> None:
    assert cluster.run("label", "namespace", namespace, "pod-security.kubernetes.io/enforce=restricted").code == 0
    account, *_, shards, merge = objects(run, "-n", namespace, *more)
    assert cluster.run("apply", "-f", "-", stdin=json.dumps(account)).code == 0

    for job in (shards, merge):
        metadata = {"name": job["metadata"]["name"], "namespace": namespace}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": job["spec"]["template"]["spec"]}
        done = cluster.run("apply", "--dry-run=server", "-f", "-", stdin=json.dumps(pod))
        assert (done.code, done.stderr) == (0, "")
