"""Properties of a separate process: start-up, imports, streams, signals."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import SELECTOR

pytestmark = pytest.mark.slow

PROGRAM = (sys.executable, "-m", "kubectl_applylint")
CHECK = (*PROGRAM, "check", "web.yaml", "--against", "snapshot:prod.json")


def run(*command: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, **(env or {})}
    return subprocess.run(command, capture_output=True, env=environ, encoding="utf-8", check=False)


def seconds(*command: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def test_the_version_takes_no_longer_than_two_and_a_half_empty_programs(folder: Path) -> None:
    """The quickest of several turns of each, since others use the machine too; 1.1 was measured."""
    empty, version = [], []
    for _ in range(7):
        empty.append(seconds(sys.executable, "-c", "pass"))
        version.append(seconds(*PROGRAM, "--version"))

    assert min(version) <= 2.5 * min(empty)


def test_an_offline_check_loads_neither_client_nor_jsonpath_nor_templates(folder: Path) -> None:
    heavy = ("kubernetes", "jsonpath_ng", "jinja2", "urllib3", "tomllib")
    script = (
        "import sys; from kubectl_applylint.cli import applylint; applylint(sys.argv[1:]);"
        f"sys.stderr.write(' '.join(m for m in sys.modules if m in {heavy}))"
    )
    done = run(sys.executable, "-c", script, *CHECK[3:])

    assert SELECTOR in done.stdout
    assert done.stderr == "applylint: compared with snapshot prod.json (written today)\n"


def test_rendering_from_the_store_loads_no_client_for_downloads() -> None:
    modules = ("http.client", "ssl", "urllib.request")
    script = (
        "import sys; from kubectl_applylint.run.sides import flux_builds, release_builds;"
        f"print([name for name in {modules} if name in sys.modules])"
    )

    assert run(sys.executable, "-c", script).stdout == "[]\n"


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["check", "settings.yaml"], 0),
        (["check", "web.yaml", "--against", "snapshot:prod.json"], 1),
        (["check", "--bogus"], 2),
        (["check", "absent.yaml"], 3),
    ],
    ids=["clean", "findings", "wrong use", "incomplete"],
)
def test_the_process_ends_with_the_code(folder: Path, argv: list[str], code: int) -> None:
    assert run(*PROGRAM, *argv).returncode == code


def test_output_is_utf_8_in_every_locale(folder: Path) -> None:
    (folder / "web.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: w}\ndata: {a: größe 你好}\n")

    done = run(*PROGRAM, "plan", "web.yaml", "-v", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})

    assert "größe 你好" in done.stdout


def test_a_reader_who_has_seen_enough_gets_no_complaint(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(CHECK, stdout=writer, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    os.close(writer)

    assert (done.returncode, done.stderr) == (1, "applylint: compared with snapshot prod.json (written today)\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_reported(folder: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(CHECK, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False)

    assert done.returncode == 3
    assert done.stderr.endswith("applylint: check failed: standard output: No space left on device\n")


def test_a_closed_output_is_no_crash(folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *CHECK], stderr=subprocess.PIPE, encoding="utf-8", check=False
    )

    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def as_in_foreground() -> None:
    """Let signals reach a program: a shell has its background ignore interrupts and SIGQUIT, and nohup hangups."""
    for ignored in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_DFL)


def test_an_interrupt_ends_with_130(folder: Path) -> None:
    with subprocess.Popen(
        [*PROGRAM, "check", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=as_in_foreground,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"#" * 1_000_000)  # more than a pipe holds: when it is written, the program reads
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)

    assert process.returncode == 130
    assert err.decode().endswith("applylint: interrupted\n")


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("check - <&-", 3, '"-" cannot be read: it is closed'),
        ("check settings.yaml <&-", 0, "no findings in 1 object"),
        ("defaults - <&-", 3, '"-" cannot be read: it is closed'),
        ("diagnose <&-", 3, "standard input cannot be read: it is closed"),
        ("check settings.yaml >&-", 3, "standard output: it is closed"),
        ("rules >&-", 3, "standard output: it is closed"),
        ("check settings.yaml 2>&-", 0, "no findings in 1 object"),
        ("check absent.yaml >&- 2>&-", 3, ""),
        ("check settings.yaml >/dev/full", 3, "standard output: No space left on device"),
        ("check settings.yaml 2>/dev/full", 0, "no findings in 1 object"),
        ("--version >/dev/full", 3, "standard output: No space left on device"),
        ("__complete check '' >/dev/full", 3, "standard output: No space left on device"),
        ("check settings.yaml -o json=/absent/x", 2, "/absent/x: cannot be written"),
        ("check settings.yaml --grace-period $(printf '9%.0s' $(seq 5000))", 2, "invalid int value: '999"),
        ("check settings.yaml --kubernetes-version 1.$(printf '9%.0s' $(seq 5000))", 2, "is not a version"),
    ],
)
def test_streams_that_are_closed_or_full_are_reported(folder: Path, line: str, code: int, words: str) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = run("sh", "-c", f'"{sys.executable}" -m kubectl_applylint {line}')
    text = done.stdout + done.stderr

    assert (done.returncode, "Traceback" in text, "bug in applylint" in text) == (code, False, False), text
    assert words in text
    assert max(map(len, text.splitlines()), default=0) < 500


@pytest.mark.parametrize("line", ["check ../web.yaml", "check ../web.yaml --against HEAD", "config show"])
def test_a_folder_that_was_deleted_is_reported(folder: Path, line: str) -> None:
    (folder / "gone").mkdir()
    program = f'cd gone; rmdir ../gone; "{sys.executable}" -P -m kubectl_applylint {line}'
    done = run("sh", "-c", program, env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})

    assert done.returncode == 3, done.stderr
    assert "the current directory cannot be read: No such file or directory" in done.stderr
