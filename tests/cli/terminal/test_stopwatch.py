"""The time limit of a run: whatever hangs, it ends in time, with one line."""

import json
import threading
import time
from importlib import import_module
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint, kubectl_applylint
from kubectl_applylint.cli.terminal import stopwatch
from kubectl_applylint.cli.terminal.progress import with_progress
from kubectl_applylint.cli.terminal.stopwatch import TimeIsUp, limit_time, stall_limit
from tests.sources.apiserver import BASICS, Reply, serving


@pytest.fixture(autouse=True)
def _import_modules() -> None:
    """Import what a run would: a module that an alarm interrupts stays half of one for the tests that follow."""
    import_module("kubectl_applylint.cli.run")
    import_module("kubectl_applylint.sources.cluster.client")


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_work_ends_when_its_time_is_over() -> None:
    start = time.monotonic()
    with pytest.raises(TimeIsUp), limit_time(0.2):
        busy(5)

    assert time.monotonic() - start < 3


@pytest.mark.parametrize("seconds", [0.0, -1.0, 60.0])
def test_work_that_ends_in_time_is_left_alone(seconds: float) -> None:
    with limit_time(seconds):
        busy(0.01)


def test_a_run_without_progress_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "STALLED", 0.3)
    start = time.monotonic()
    with pytest.raises(TimeIsUp), stall_limit():
        busy(5)

    assert time.monotonic() - start < 3


def test_each_unit_is_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "STALLED", 0.5)
    start = time.monotonic()
    with stall_limit():
        for _ in with_progress(range(4), "checking unit"):
            busy(0.2)

    assert time.monotonic() - start > 0.5


@pytest.mark.parametrize(
    ("configuration", "flags", "message"),
    [
        pytest.param("", [], "no progress for 0.2 s, while ", id="the default"),
        pytest.param("timeout: 1h\n", [], "no progress for 0.2 s, while ", id="an untrusted configuration"),
        pytest.param("", ["--timeout", "0.1s"], "not finished within 0.1 s, while ", id="a flag"),
    ],
)
def test_a_check_without_progress_is_incomplete(
    configuration: str,
    flags: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".applylint.yaml").write_text(configuration)
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stopwatch, "STALLED", 0.2)
    monkeypatch.setattr("kubectl_applylint.cli.run.check_units", lambda *arguments, **words: busy(5))

    assert applylint(["check", "-f", "a.yaml", "--against", "none", *flags]) == 3
    assert message in capsys.readouterr().err


def test_nothing_that_catches_faults_catches_it() -> None:
    assert not issubclass(TimeIsUp, Exception)


def test_another_thread_leaves_the_alarm_alone() -> None:
    done: list[bool] = []

    def work() -> None:
        with limit_time(60):
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert done == [True]


def kubeconfig(path: Path, url: str, user: object) -> str:
    content = {
        "current-context": "prod",
        "contexts": [{"name": "prod", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": url}}],
        "users": [{"name": "u", "user": user}],
    }
    path.write_text(json.dumps(content))
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_run_on_a_cluster_that_hangs_ends_in_time(
    form: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    start = time.monotonic()
    with serving({**BASICS, "/apis": Reply(hangs=True)}) as server:
        config = kubeconfig(folder / "config", server.url, {})
        code = kubectl_applylint(["check", "web.yaml", "--kubeconfig", config, "--timeout=3s", "-o", form])
        seconds = time.monotonic() - start
    out, err = capsys.readouterr()

    assert (code, err.count("\n"), seconds < 12) == (3, 1, True)
    assert "not finished within 3 s, while reading the manifests and the live objects: no result is rep" in err
    assert out == "" if form == "text" else len(json.loads(out)["problems"]) == 1


@pytest.mark.slow
def test_a_credential_plugin_obeys_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "sleep", "args": ["30"]}}
    start = time.monotonic()
    config = kubeconfig(folder / "config", "https://127.0.0.1:9", user)
    code = kubectl_applylint(["plan", "web.yaml", "--kubeconfig", config, "--timeout=3s"])

    assert (code, time.monotonic() - start < 12) == (3, True)
    assert "while reading what the manifests are compared with" in capsys.readouterr().err


def test_the_variable_is_enough(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APPLYLINT_TIMEOUT", "1x")

    assert applylint(["check", "web.yaml"]) == 2
    assert "APPLYLINT_TIMEOUT: not a length of time: '1x'" in capsys.readouterr().err
