import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kubectl_applylint.cli.external_diff import show_diffs
from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.report.formats.unified_diff import ObjectDiff

DIFFS = [ObjectDiff("v1.Secret.shop.a", "a: 1\n", "a: 2\n"), ObjectDiff("v1.Secret.shop.new", "", "a: 1\n")]
LIST = """\
import os, stat, sys
for folder in sys.argv[1:]:
    print(os.path.basename(folder).partition("-")[0], oct(stat.S_IMODE(os.stat(folder).st_mode)))
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        print(name, oct(stat.S_IMODE(os.stat(path).st_mode)), open(path).read().strip())
sys.exit(1)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def script(folder: Path, text: str) -> str:
    (folder / "diff.py").write_text(text)
    return f"{sys.executable} {folder / 'diff.py'}"


def test_the_program_reads_two_private_directories(
    tmp_path: Path, temporary: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    show_diffs(script(tmp_path, LIST), DIFFS)

    assert capfd.readouterr().out.splitlines() == [
        "LIVE 0o700",
        "v1.Secret.shop.a 0o600 a: 1",
        "MERGED 0o700",
        "v1.Secret.shop.a 0o600 a: 2",
        "v1.Secret.shop.new 0o600 a: 1",
    ]
    assert [*temporary.iterdir()] == []


def test_a_program_that_fails_is_named(tmp_path: Path, temporary: Path) -> None:
    with pytest.raises(ConfigError, match=r"KUBECTL_EXTERNAL_DIFF: .*diff.py failed with exit code 2"):
        show_diffs(script(tmp_path, "import sys; sys.exit(2)"), DIFFS)
    reason = "KUBECTL_EXTERNAL_DIFF: /nowhere cannot be started: No such file or directory"
    with pytest.raises(ConfigError, match=f"^{reason}$"):
        show_diffs("/nowhere -u", DIFFS)
    assert [*temporary.iterdir()] == []


@pytest.mark.skipif(not hasattr(signal, "SIGTERM") or os.name == "nt", reason="POSIX signals")
def test_nothing_remains_after_a_signal(tmp_path: Path) -> None:
    for name, replicas in (("before", 1), ("after", 2)):
        (tmp_path / name).mkdir()
        text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 'REPLICAS'}\n"
        (tmp_path / name / "a.yaml").write_text(text.replace("REPLICAS", str(replicas)))
    (tmp_path / "temporary").mkdir()
    waiting = script(tmp_path, "import time; print('started', flush=True); time.sleep(60)")
    environment = {**os.environ, "KUBECTL_EXTERNAL_DIFF": waiting, "TMPDIR": str(tmp_path / "temporary")}
    command = [sys.executable, "-m", "kubectl_applylint", "plan", "after", "--against", "dir:before", "-o", "diff"]

    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "started\n"
        (folder,) = (tmp_path / "temporary").iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        run.terminate()

    assert run.returncode == 128 + signal.SIGTERM
    assert [*(tmp_path / "temporary").iterdir()] == []
