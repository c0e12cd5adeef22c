"""Each kind of bad input is one clear message and exit code 3, and the other files are still checked."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import SELECTOR

Run = Callable[..., tuple[int, str, str]]

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{key}: &{key} [{', '.join([f'*{before}'] * 9)}]\n" for before, key in zip("abcdefgh", "bcdefghi", strict=True)
)
CONTENTS = {
    "broken": b"a: [\n",
    "tab": b"a:\n\tb: 1\n",
    "binary": bytes(range(256)),
    "no utf-8": b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: \xff\xfe}\n",
    "deep": b"[" * 100_000,
    "laughs": LAUGHS.encode(),
    "large": b"a: " + b"x" * 50_000_000,
    "no kind": b"apiVersion: v1\nmetadata: {name: a}\n",
    "json": b'{"apiVersion": "v1",',
    "empty": b"",
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_one_message_and_the_others_are_checked(run: Run, folder: Path, content: bytes) -> None:
    (folder / "bad.yaml").write_bytes(content)

    code, out, err = run("check", "-f", "bad.yaml", "web.yaml", "--against", "snapshot:prod.json")

    problems = [line for line in out.splitlines() if ": problem: " in line]
    assert code == 3
    assert len(problems) == 1
    assert problems[0].startswith("bad.yaml")
    assert f"[{SELECTOR}]" in out
    assert out.partition("\n")[0].endswith("; incomplete: 1 problem")
    assert out.endswith("\nexit code 3: some input could not be read\n")
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["absent.yaml", "http://x.example/y.yaml"])
def test_a_missing_file_and_an_unreachable_url_are_named(run: Run, name: str) -> None:
    code, out, _ = run("check", name, "web.yaml", "--against", "snapshot:prod.json")

    assert code == 3
    assert out.splitlines()[-2].startswith(f"{name}: problem: ") or f"\n{name}: problem: " in out
    assert f"[{SELECTOR}]" in out


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_rights_is_named(run: Run, folder: Path) -> None:
    (folder / "closed").mkdir(mode=0)

    code, out, _ = run("check", "closed", "web.yaml")

    assert code == 3
    assert out.count(": problem: ") == 1
