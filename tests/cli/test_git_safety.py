"""Commands on repositories whose own configuration would start programs or reach the network."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test

Run = Callable[..., tuple[int, str, str]]
HOOKS = ("post-index-change", "reference-transaction", "pre-auto-gc", "post-checkout", "fsmonitor-watchman")
PROGRAMS = (
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.askPass",
    "core.sshCommand",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "credential.helper",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.process",
    "filter.evil.smudge",
    "filter.e=v.il.clean",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.x509.program",
    "interactive.diffFilter",
    "merge.evil.driver",
    "pager.log",
    "pager.diff",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "sequence.editor",
    "ssh.variant",
    "trailer.x.command",
    "uploadpack.packObjectsHook",
    "alias.cat-file",
    "alias.diff-index",
)
"""Keys of the configuration whose values git starts as programs."""
SETTINGS = {
    "color.ui": "always",
    "diff.ignoreSubmodules": "none",
    "filter.evil.required": "true",
    "filter.e=v.il.required": "true",
    "grep.fullName": "false",
    "log.showSignature": "true",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "protocol.file.allow": "always",
    "protocol.git.allow": "always",
    "submodule.recurse": "true",
}
FORMS = (
    ("check", "--against", "HEAD"),
    ("check", "--against", "HEAD", "web.yaml", "settings.yaml"),
    ("check", "--against", "index"),
    ("check", "--against", "HEAD..index"),
    ("check", "--against", "HEAD~1..HEAD"),
    ("check", "--against", "HEAD~1..."),
    ("check", "--against", "HEAD~1:web.yaml", "web.yaml"),
    ("plan", "--against", "HEAD~1"),
    ("revert", "--against", "HEAD~1..HEAD"),
    ("again", "--every-commit", "--against", "HEAD~2..HEAD"),
    ("owners", "--against", "HEAD", "deploy/web"),
)


@pytest.fixture(name="mark")
def _mark(tmp_path: Path) -> Path:
    """Return the file that the program of the repository writes when it is started."""
    (tmp_path / "programs").mkdir()
    script = tmp_path / "programs" / "leave-a-mark"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path / "mark"}\nexit 1\n')
    script.chmod(0o755)
    return tmp_path / "mark"


@pytest.fixture(name="repo")
def _repo(folder: Path, mark: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return a repository with three commits and changes in the work tree, all of whose programs leave a mark."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    repo = create(folder / "repo")
    for image in ("web:1", "web:3", "web:4"):
        repo.commit({"web.yaml": DEPLOYMENT.replace("web:2", image), "settings.yaml": CONFIG_MAP})
    repo.write({"settings.yaml": CONFIG_MAP.replace("b}", "c}"), "web.yaml": DEPLOYMENT})
    script = mark.parent / "programs" / "leave-a-mark"
    repo.write({".gitattributes": "*.yaml filter=evil diff=evil merge=evil\nsettings.yaml filter=e=v.il\n"})
    for name in HOOKS:
        (repo.folder / ".git/hooks" / name).unlink(missing_ok=True)
        (repo.folder / ".git/hooks" / name).symlink_to(script)
    with (repo.folder / ".git/config").open("a") as config:
        config.writelines(_lines(dict.fromkeys(PROGRAMS, str(script)) | SETTINGS))
    monkeypatch.chdir(repo.folder)
    assert not mark.exists()
    return repo


def _lines(settings: dict[str, str]) -> Iterator[str]:
    for name, value in settings.items():
        section, _, rest = name.partition(".")
        inner, _, key = rest.rpartition(".")
        heading = f'{section} "{inner}"' if inner else section
        yield f"[{heading}]\n\t{key} = {value}\n"


@pytest.mark.parametrize("argv", FORMS, ids=" ".join)
def test_no_program_of_the_repository_runs(repo: Repo, mark: Path, run: Run, argv: tuple[str, ...]) -> None:
    code, out, err = run(*argv)

    assert not mark.exists(), mark.read_text()
    assert code in ((2,) if argv[0] == "owners" else (0, 1)), out + err


def test_a_file_that_git_has_to_filter_counts_as_it_is(repo: Repo, mark: Path, run: Run) -> None:
    """Git reads a file again that was written in the second of the index; its filter would see it."""
    (repo.folder / ".git/config").write_text("[core]\n\trepositoryformatversion = 0\n")
    repo.git("-c", "core.attributesFile=/dev/null", "add", "web.yaml")
    script = mark.parent / "programs" / "leave-a-mark"
    with (repo.folder / ".git/config").open("a") as config:
        config.writelines(_lines({"filter.evil.process": str(script), "filter.evil.clean": str(script)}))
    stamp = (repo.folder / "web.yaml").stat().st_mtime_ns
    os.utime(repo.folder / ".git/index", ns=(stamp, stamp))
    mark.unlink(missing_ok=True)
    code, out, err = run("plan", "--against", "HEAD", "-o", "concise")

    assert (code, mark.exists()) == (0, False), out + err


@pytest.fixture(name="listener")
def _listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        yield server


@pytest.mark.parametrize("url", ["git://127.0.0.1:{port}/x", "http://127.0.0.1:{port}/x", "ext::{script} x", "{path}"])
@pytest.mark.parametrize("kind", ["blob:none", "tree:0"])
def test_a_partial_clone_fetches_nothing_and_ends_with_3(
    repo: Repo, mark: Path, run: Run, listener: socket.socket, url: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.folder / ".git/config").write_text("[core]\n\tbare = false\n[uploadpack]\n\tallowFilter = true\n")
    partial = repo.clone(mark.parent / "partial", f"--filter={kind}", "-q")
    script = mark.parent / "programs" / "leave-a-mark"
    there = url.format(port=listener.getsockname()[1], script=script, path=repo.folder)
    with (partial.folder / ".git/config").open("a") as config:
        config.writelines(_lines({"remote.origin.url": there, "remote.origin.uploadpack": str(script)} | SETTINGS))
    monkeypatch.chdir(partial.folder)
    code, out, err = run("check", "--against", "HEAD~1")

    assert code == 3, out + err
    assert "objects of a compared revision are missing, and nothing is fetched" in out + err
    assert "git fetch --refetch" in out + err
    assert not mark.exists(), mark.read_text()
    with pytest.raises(TimeoutError):
        listener.accept()
