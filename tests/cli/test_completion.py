"""Completions, as kubectl and the shells request them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from kubectl_applylint.cli import kubectl_complete
from kubectl_applylint.cli.completion import candidates
from kubectl_applylint.cli.parsing.arguments import commands
from kubectl_applylint.cli.parsing.options import COMMANDS, SHELLS
from tests.cli.conftest import SELECTOR
from tests.cli.test_live import write_kubeconfig
from tests.sources.apiserver import BASICS, Reply, Request, serving

BIN = Path(sys.executable).parent


def offered_words(*words: str) -> tuple[list[str], str]:
    """Return the candidates without their words, and the directive."""
    *lines, directive = candidates("kubectl applylint", words).splitlines()
    return [line.partition("\t")[0] for line in lines], directive


@pytest.mark.parametrize(
    ("words", "wanted", "directive"),
    [
        ([""], list(commands()), ":4"),
        (["ch"], ["check"], ":4"),
        (["--v"], ["--version"], ":4"),
        ([], list(commands()), ":4"),
        (["nonsense", ""], [], ":4"),
        (["check", ""], ["yaml", "yml", "json"], ":8"),
        (["plan", "web.yaml", "-f", ""], ["yaml", "yml", "json"], ":8"),
        (["check", "--sel"], ["--selector", "--select"], ":4"),
        (
            ["check", "--against", ""],
            ["live", "last-applied", "none", "index", "HEAD", "snapshot:", "dir:", "file:"],
            ":4",
        ),
        (["check", "--against=s"], ["snapshot:"], ":6"),
        (["check", "--color", "a"], ["auto", "always"], ":4"),
        (["check", "-o", "s"], ["sarif"], ":4"),
        (["check", "--fail-on", "w"], ["warning"], ":4"),
        (["check", "--kubernetes-version", "1.29"], ["1.29"], ":4"),
        (["check", "--kubeconfig", ""], [], ":0"),
        (["check", "--rules", ""], [], ":16"),
        (["check", "--token", ""], [], ":4"),
        (["check", "--bogus=", ""], ["yaml", "yml", "json"], ":8"),
        (["check", "--bogus=x"], [], ":4"),
        (["check", "--select", "selector-change-r"], [SELECTOR], ":4"),
        (["check", "--ignore", f"{SELECTOR},selector-change-r"], [f"{SELECTOR},{SELECTOR}"], ":4"),
        (["check", "--select", "immu"], ["immutable-data-rejected", "immutable"], ":4"),
        (["rules", "--family", "kustomize,kus"], ["kustomize,kustomize"], ":4"),
        (["explain", "selector-change-r"], [SELECTOR], ":4"),
        (["explain", SELECTOR, "selector-change-r"], [], ":4"),
        (["rules", ""], [], ":4"),
        (["config", ""], ["show", "schema"], ":4"),
        (["config", "show", ""], [], ":4"),
        (["baseline", ""], ["create", "prune"], ":4"),
        (["baseline", "create", ""], ["yaml", "yml", "json"], ":8"),
        (["check", "--baseline", ""], [], ":0"),
        (["completion", ""], list(SHELLS), ":4"),
        (["completion", "bash", ""], [], ":4"),
        (["check", "-A", "--disable-compression", "-v", ""], ["yaml", "yml", "json"], ":8"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_completions_are_offered_with_a_directive(words: list[str], wanted: list[str], directive: str) -> None:
    assert offered_words(*words) == (wanted, directive)


def test_flags_come_with_their_help() -> None:
    assert "--as-group\tgroup to impersonate, can be repeated\n" in candidates("applylint", ["plan", "-"])


@pytest.fixture(name="kubeconfig")
def _kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "config"


@pytest.mark.parametrize(
    ("flag", "wanted"), [("--context", ["prod"]), ("--cluster", ["c"]), ("--user", ["jane"])], ids=str
)
def test_entries_of_the_kubeconfig_are_offered(flag: str, wanted: list[str], kubeconfig: Path) -> None:
    write_kubeconfig(kubeconfig, "https://127.0.0.1:1")

    assert offered_words("check", flag, "") == (wanted, ":4")


def test_a_kubeconfig_that_cannot_be_read_offers_nothing(kubeconfig: Path) -> None:
    kubeconfig.write_text("[")

    assert offered_words("check", "--context", "") == ([], ":4")
    assert offered_words("check", "-n", "") == ([], ":4")


def test_namespaces_are_those_of_the_cluster_that_the_flags_choose(kubeconfig: Path) -> None:
    listed = [{"metadata": {"name": name}} for name in ("shop", "bank", "shed")]
    asked: list[Request] = []

    def namespaces(request: Request) -> Reply:
        asked.append(request)
        return Reply(200, {"metadata": {}, "items": listed})

    with serving({**BASICS, "/api/v1/namespaces": namespaces}) as server:
        write_kubeconfig(kubeconfig, "https://127.0.0.1:1")
        flags = ["-s", server.url, "--as=jane", "--as-group", "a", "--disable-compression"]
        found = offered_words("check", *flags, "-n", "sh")

    assert found == (["shed", "shop"], ":4")
    assert (asked[0].header("Impersonate-User"), asked[0].header("Impersonate-Group")) == (["jane"], ["a"])
    assert asked[0].header("Accept-Encoding") == ["identity"]


def test_rules_of_ones_own_are_offered(tmp_path: Path) -> None:
    folder = files("kubectl_applylint.rules").joinpath("immutable", SELECTOR)
    shutil.copytree(str(folder), tmp_path / "own-rule")
    text = (tmp_path / "own-rule" / "rule.yaml").read_text()
    (tmp_path / "own-rule" / "rule.yaml").write_text(text.replace(f"id: {SELECTOR}", "id: own-rule"))

    assert offered_words("check", "--rules", str(tmp_path), "--select", "own-") == (["own-rule"], ":4")


def test_kubectl_is_answered_with_code_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubectl_complete(["pl"]) == 0
    assert capsys.readouterr() == ("plan\tpredict what the apply does to each object\n:4\n", "")


def in_bash(line: str, folder: Path, environ: Mapping[str, str]) -> list[str]:
    """Return what bash replaces the word at the end of ``line`` by."""
    ask = "COMP_LINE=$1; COMP_POINT=${#1}; _applylint"
    script = f'source <(applylint completion bash); {ask}; printf "%s\\n" "${{COMPREPLY[@]}}"'
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script, "bash", line],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environ, "PATH": path},
        cwd=folder,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("applylint pl", ["plan"]),
        ("applylint explain selector-change-r", [SELECTOR]),
        ("applylint check --context ar", ["arn:aws:prod"]),
        ("applylint check --context arn:aw", ["aws:prod"]),
        ("applylint check --context=arn:aw", ["aws:prod"]),
        ("applylint check --against=l", ["last-applied", "live"]),
        ("applylint check ", ["sub", "web.yaml"]),
        ("applylint check sub/", ["sub/a b.json"]),
        ("applylint check --rules ", ["sub"]),
        ("applylint check --kubeconfig ", ["config", "notes.txt", "sub", "web.yaml"]),
    ],
    ids=str,
)
@pytest.mark.slow
def test_bash_completes(line: str, wanted: list[str], tmp_path: Path) -> None:
    write_kubeconfig(tmp_path / "config", "https://127.0.0.1:1")
    text = (tmp_path / "config").read_text()
    (tmp_path / "config").write_text(text.replace('"name": "prod"', '"name": "arn:aws:prod"'))
    (tmp_path / "sub").mkdir()
    for name in ("web.yaml", "notes.txt", "sub/a b.json"):
        (tmp_path / name).touch()

    assert sorted(in_bash(line, tmp_path, {"KUBECONFIG": "config"})) == wanted


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell != "bash"])
def test_other_shells_can_read_their_script(shell: str) -> None:
    text = files("kubectl_applylint.cli").joinpath(f"completions/applylint.{shell}").read_text(encoding="utf-8")
    program = shutil.which(shell)

    assert "applylint __complete" in text
    if program is None:
        pytest.skip(f"no {shell} here")
    assert subprocess.run([program, "-n"], input=text, encoding="utf-8", check=False).returncode == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_the_words_of_each_command_are_completed(command: str) -> None:
    assert candidates("applylint", [command, ""]).rpartition(":")[2].strip().isdecimal()


def test_units_are_completed_by_their_folders() -> None:
    assert candidates("applylint", ["units", ""]) == ":16\n"
