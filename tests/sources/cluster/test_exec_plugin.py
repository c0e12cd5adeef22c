"""Credential plugins that do not behave: they hang, leave children, or want a terminal."""

import json
import os
import stat
import time
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.exec_plugin import PluginError, credential

VERSION = "client.authentication.k8s.io/v1"
GRANTED = json.dumps({"apiVersion": VERSION, "kind": "ExecCredential", "status": {"token": "t"}})


def plugin(folder: Path, script: str, **settings: Json) -> JsonObject:
    path = folder / "login"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(stat.S_IRWXU)
    return {"apiVersion": VERSION, "command": str(path), **settings}


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_a_plugin_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    script = f"sleep 60 & echo $! > {tmp_path}/pid; wait"
    start = time.monotonic()

    with pytest.raises(PluginError, match=r"it timed out after 0.5 s"):
        credential(plugin(tmp_path, script), {}, seconds=0.5)

    assert time.monotonic() - start < 5
    child = int((tmp_path / "pid").read_text())
    for _ in range(50):
        if not is_running(child):
            break
        time.sleep(0.05)
    assert not is_running(child)


def test_without_a_terminal_a_plugin_cannot_ask(tmp_path: Path) -> None:
    script = f"read answer; (: < /dev/tty) 2> /dev/null && exit 9; echo '{GRANTED}'"

    assert credential(plugin(tmp_path, script), {}) == {"token": "t"}


def test_a_plugin_that_has_to_ask_is_not_run_without_a_terminal(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=r"stdin is not a terminal"):
        credential(plugin(tmp_path, f"touch {tmp_path}/ran", interactiveMode="Always"), {})

    assert not os.path.exists(tmp_path / "ran")


def test_a_plugin_gets_the_extension_of_the_cluster(tmp_path: Path) -> None:
    cluster = {
        "server": "https://x",
        "extensions": [{"name": "client.authentication.k8s.io/exec", "extension": {"a": 1}}],
    }
    script = f"printf %s \"$KUBERNETES_EXEC_INFO\" > {tmp_path}/info; echo '{GRANTED}'"

    credential(plugin(tmp_path, script, provideClusterInfo=True), cluster)

    info = json.loads((tmp_path / "info").read_text())
    assert info["spec"]["cluster"]["config"] == {"a": 1}
    assert info["spec"]["interactive"] is False


@pytest.mark.parametrize("script", ["exec yes", "exec yes >&2"], ids=["output", "messages"])
def test_a_plugin_that_prints_without_end_is_ended(tmp_path: Path, script: str) -> None:
    with pytest.raises(PluginError, match="it printed more than 16 MiB"):
        credential(plugin(tmp_path, script), {})
