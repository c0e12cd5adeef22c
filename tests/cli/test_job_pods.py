"""The containers of ``job`` played as processes that have the environment of an index of the Job."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_job import OFFLINE, objects
from tests.cli.test_merge import TREE
from tests.cli.test_units import WEB, Run
from tests.cluster.api import kubeconfig
from tests.cluster.cluster import Cluster, write_kubeconfig
from tests.sources.repositories import Repo, create


class Played:
    """The containers of printed Jobs as processes, in folders instead of volumes."""

    def __init__(self, printed: list[dict[str, Any]], folder: Path, token: Mapping[str, str] | None = None) -> None:
        """``token`` is the environment of pods that get one."""
        self.shards, self.merge = (one["spec"]["template"]["spec"] for one in printed if one["kind"] == "Job")
        self.folder = folder
        self.token = token or {}
        self.parts = folder / "parts"
        self.parts.mkdir()

    def start(self, pod: Mapping[str, Any], name: str, home: str, **more: str) -> "subprocess.Popen[str]":
        """Start a container; ``more`` is what the Job adds to its environment."""
        every = (*pod.get("initContainers", ()), *pod["containers"])
        (container,) = (one for one in every if one["name"] == name)
        (self.folder / home).mkdir(exist_ok=True)
        environment = {**{one["name"]: one["value"] for one in container["env"]}, **more}
        token = self.token if pod["automountServiceAccountToken"] else {}
        return subprocess.Popen(
            [self._here(_expanded(word, environment), home) for word in container["command"]],
            cwd=self._here(container.get("workingDir", "/tmp"), home),
            env={"PATH": _path(), **environment, "HOME": str(self.folder / home), "APPLYLINT_CACHE_DIR": "", **token},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, pod: Mapping[str, Any], name: str, home: str, **more: str) -> tuple[int, str]:
        """Run a container to its end, and return its exit code and output."""
        started = self.start(pod, name, home, **more)
        out, complaint = started.communicate(timeout=60)
        assert "Traceback" not in complaint
        return started.returncode, out

    def index(self, number: int) -> int:
        """Run the pod of an index."""
        home = f"pod-{number}"
        assert self.run(self.shards, "fetch", home)[0] == 0
        return self.run(self.shards, "check", home, JOB_COMPLETION_INDEX=str(number))[0]

    def _here(self, text: str, home: str) -> str:
        """Return a text with the paths of this machine; it waits for less time."""
        places = {"/tmp": str(self.folder / home), "/parts": str(self.parts), "sleep 5": "sleep 0.1"}
        return re.sub(r"(?<![\w.-])/tmp(?=/repository|$)|/parts(?=/|$)|sleep 5", lambda found: places[found[0]], text)


def _expanded(word: str, environment: Mapping[str, str]) -> str:
    """Return a word as the kubelet gives it to a process."""
    return re.sub(r"\$\$|\$\((\w+)\)", lambda found: environment.get(found[1], found[0]) if found[1] else "$", word)


def _path() -> str:
    return os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])


@pytest.fixture(name="origin")
def _origin(tmp_path: Path) -> Repo:
    repo = create(tmp_path / "origin")
    repo.commit(TREE)
    return repo


def killed(played: Played, number: int, seconds: float) -> None:
    """Run an index that dies after some time: what it has written is a whole part, or none."""
    home = f"killed-{number}-{seconds}"
    assert played.run(played.shards, "fetch", home)[0] == 0
    pod = played.start(played.shards, "check", home, JOB_COMPLETION_INDEX=str(number))
    time.sleep(seconds)
    os.killpg(pod.pid, signal.SIGKILL)
    pod.communicate(timeout=60)
    part = played.parts / f"part-{number}.json"
    assert not part.exists() or json.loads(part.read_text())


def play(played: Played) -> tuple[int, str]:
    """Run all pods, of which one dies several times, and return the exit code and the output of the merge."""
    waiting = played.start(played.merge, "wait", "merge")
    codes = [played.index(number) for number in (2, 0)]
    assert waiting.poll() is None
    for seconds in (0.1, 0.2, 0.3, 0.4):
        killed(played, 1, seconds)
    codes.append(played.index(1))

    assert codes == [0, 0, 0]
    assert (waiting.communicate(timeout=60), waiting.returncode) == (("", ""), 0)
    assert played.run(played.merge, "fetch", "merge")[0] == 0
    merged = played.run(played.merge, "merge", "merge")
    assert list(played.parts.glob("part-*")) == []
    return merged


def unshared(folder: Path, *words: str, **more: str) -> tuple[int, str]:
    """Return the exit code and the output of one process that does it all, where the parts were merged."""
    done = subprocess.run(
        ["applylint", "check", *words],
        cwd=folder / "merge" / "repository",
        env={"PATH": _path(), "HOME": str(folder), "APPLYLINT_CACHE_DIR": "", **more},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.slow
def test_pods_find_together_what_one_process_finds(run: Run, folder: Path, origin: Repo) -> None:
    words = ("--repository", str(origin.folder), *OFFLINE, "-o", "text", "-o", "sarif=/parts/applylint.sarif")
    played = Played(objects(run, *words), folder)

    merged = play(played)
    whole = unshared(folder, *OFFLINE[1:], "-o", "text", "-o", "sarif=../whole.sarif")

    assert merged == whole
    assert "all/broken/web.yaml" in whole[1]
    sarif = (played.parts / "applylint.sarif").read_bytes()
    assert sarif == (folder / "merge" / "whole.sarif").read_bytes()


@pytest.fixture(name="applied")
def _applied(run: Run, folder: Path, origin: Repo, cluster: Cluster, namespace: str) -> Iterator[list[dict[str, Any]]]:
    """What is printed for a check of the cluster, applied to it."""
    live = ("--", "all", "--against", "live", "-n", namespace)
    printed = objects(run, "-n", namespace, "--repository", str(origin.folder), *live)
    stdin = "\n---\n".join(map(json.dumps, printed))
    done = cluster.run("apply", "-f", "-", stdin=stdin)
    assert (done.code, done.stderr) == (0, "")
    yield printed
    assert cluster.run("delete", "--wait=false", "-f", "-", stdin=stdin).code == 0


@pytest.mark.slow
def test_pods_read_the_cluster_with_the_rights_that_are_printed(
    folder: Path, applied: list[dict[str, Any]], cluster: Cluster, namespace: str
) -> None:
    other = WEB.replace("app: web", "app: shop")
    assert cluster.run("apply", "-n", namespace, "-f", "-", stdin=other).code == 0
    token = cluster.run("create", "token", "applylint", "-n", namespace).stdout.strip()
    content = kubeconfig(cluster.api.url, token, str(cluster.authority or ""))
    access = {"KUBECONFIG": str(write_kubeconfig(folder, content))}

    merged = play(Played(applied, folder, access))

    assert merged == unshared(folder, "all", "--against", "live", "-n", namespace, **access)
    assert "selector-change-refused" in merged[1]


@pytest.mark.slow
def test_a_part_that_is_missing_in_the_end_is_reported(run: Run, folder: Path, origin: Repo) -> None:
    played = Played(objects(run, "--repository", str(origin.folder), "--deadline", "1", *OFFLINE), folder)
    assert [played.index(number) for number in (0, 2)] == [0, 0]
    assert [played.run(played.merge, name, "merge")[0] for name in ("fetch", "wait")] == [0, 0]

    code, out = played.run(played.merge, "merge", "merge")
    assert code == 3
    assert "part 2 of 3: problem: it is missing" in out


@pytest.mark.slow
def test_an_index_without_a_part_fails(run: Run, folder: Path, origin: Repo) -> None:
    played = Played(objects(run, "--repository", str(origin.folder), *OFFLINE, "--fail-on", "bogus"), folder)
    (played.parts / "part-0.json").write_text("of an earlier run")

    assert played.index(0) == 2
    assert list(played.parts.iterdir()) == []
