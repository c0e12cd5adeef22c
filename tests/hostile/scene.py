"""A stranger's repository on a user's machine: built from data, read by the real program, searched for damage."""

import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests import libyaml
from tests.cli.test_process import as_in_foreground
from tests.hostile.trees import commit_of
from tests.sources.apiserver import Reply, serving
from tests.sources.repositories import Repo, create

CASES: Final = Path(__file__).parent / "cases"
SECRET: Final = "c4nary-of-a-secret"
"""The value in Secrets of the cases; it is never shown."""
MEMORY: Final = 2 * 1024**3
"""Bytes of address space that the program gets."""
PATIENCE: Final = 60.0
"""Seconds until a run is ended from outside, on a machine that has other work."""
CPU: Final = 10
"""Seconds of processor time that a run may take."""


@dataclass(frozen=True, slots=True)
class Case:
    """A repository, what is run in it, and what has to come out.

    In texts and arguments ``%outside%``, ``%repo%``, ``%marks%``, ``%bin%``, ``%listener%`` and ``%server%`` stand for
    the places of this run. A file is a text, or ``{repeat, times, before, after}``.
    """

    name: str
    run: tuple[str, ...]
    exit: tuple[int, ...]
    says: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    files: Mapping[str, Any] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, int] = field(default_factory=dict)
    """The modification time of files, in seconds since 1970."""
    folder: str = "."
    """The folder of the repository in which the program is started."""
    commits: tuple[Mapping[str, str], ...] = ()
    tree: Mapping[str, Any] = field(default_factory=dict)
    """A commit called ``hostile`` whose folders are mappings; names are written as they are, whatever they hold."""
    stream: Any = ""
    """The input of ``git fast-import``, a text or ``{repeat, times, before, after}``."""
    git_config: str = ""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Scripts on the PATH, before all others."""
    path: tuple[Path, ...] = ()
    """Folders on the PATH, before those of this process and after the scripts."""
    server: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The answers of an API server on loopback, by path; the user's kubeconfig leads to it."""
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: str = ""
    signal: str = ""
    """Sent as soon as a program has left the mark ``started``."""
    writes: tuple[str, ...] = ()
    """Files of the repository that the caller asked for."""

    def __str__(self) -> str:
        return self.name.replace(" ", "-")


def cases(file: Path) -> Iterator[Case]:
    """Yield the cases of a file."""
    for raw in libyaml.load(file.read_text()):
        code = raw["exit"]
        lists = {key: tuple(raw[key]) for key in ("run", "says", "silent", "commits", "writes") if key in raw}
        yield Case(**{**raw, **lists, "exit": tuple(code) if isinstance(code, list) else (code,)})


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a run: its output, and its side effects."""

    code: int
    text: str
    """Standard output and standard error."""
    damage: tuple[str, ...]
    """Side effects that it should not have had, a line each."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The folders of a run: the repository, what lies outside, the home, temporary files, marks, programs."""

    root: Path

    def place(self, name: str) -> Path:
        """Return one of the folders."""
        return self.root / name


def play(case: Case, root: Path) -> Ending:
    """Build the case in an empty folder, run it, and return the result."""
    scene = _built(Scene(root))
    with listening() as heard, _answering(case, scene) as server:
        words = {**_words(scene), "listener": heard.address, "server": server}
        _fill(case, scene, words)
        before = _snapshot(scene)
        code, text, seconds = _run(case, scene, words)
        damage = tuple(_damage(case, scene, before, text, seconds, heard.count))
    return Ending(code, text, damage)


def _built(scene: Scene) -> Scene:
    for name in ("outside", "home", "tmp", "marks", "bin"):
        scene.place(name).mkdir(parents=True)
    (scene.place("outside") / "kept").write_text("what the user has\n")
    create(scene.place("repo"))
    return scene


def _words(scene: Scene) -> Mapping[str, str]:
    return {name: str(scene.place(name)) for name in ("repo", "outside", "marks", "tmp", "bin")}


def _fill_in(text: str, words: Mapping[str, str]) -> str:
    for name, value in words.items():
        text = text.replace(f"%{name}%", value)
    return text


def _fill(case: Case, scene: Scene, words: Mapping[str, str]) -> None:
    repo = Repo(scene.place("repo"))
    for files in case.commits:
        repo.commit({name: _fill_in(text, words) for name, text in files.items()})
    if case.tree:
        repo.git("branch", "-f", "hostile", commit_of(repo, case.tree, lambda text: _fill_in(text, words)))
    if case.stream:
        command = ["git", "fast-import", "--quiet", "--force"]
        subprocess.run(command, cwd=repo.folder, input=_text(case.stream).encode(), check=True)
    for name, content in case.files.items():
        path = repo.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_fill_in(_text(content), words).encode("utf-8", "surrogateescape"))
    for name, target in case.links.items():
        (repo.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (repo.folder / name).symlink_to(_fill_in(target, words))
    for name, modified in case.times.items():
        os.utime(repo.folder / name, (modified, modified))
    with (repo.folder / ".git/config").open("a") as config:
        config.write(_fill_in(case.git_config, words))
    for name, script in case.programs.items():
        program = scene.place("bin") / name
        program.write_text(f"#!/bin/sh\n{_fill_in(script, words)}\n")
        program.chmod(0o755)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return f"{content.get('before', '')}{content['repeat'] * content['times']}{content.get('after', '')}"


def _run(case: Case, scene: Scene, words: Mapping[str, str]) -> tuple[int, str, float]:
    program, *arguments = (_fill_in(word, words) for word in case.run)
    code = f"import sys; from kubectl_applylint import cli; sys.exit(cli.{program}(sys.argv[1:]))"
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=scene.place("repo") / case.folder,
        env=_environment(case, scene, words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=_set_bounds,
    ) as process:
        _send_signal(case, scene, process)
        try:
            out, _ = process.communicate(_fill_in(case.stdin, words).encode(), timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    return process.returncode, out.decode("utf-8", "replace"), seconds


def _set_bounds() -> None:
    """Bound the memory of the program, and let signals reach it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    as_in_foreground()


def _environment(case: Case, scene: Scene, words: Mapping[str, str]) -> Mapping[str, str]:
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "PYTHONDONTWRITEBYTECODE") if name in os.environ}
    return {
        **kept,
        "PATH": os.pathsep.join([str(scene.place("bin")), *map(str, case.path), os.environ["PATH"]]),
        "HOME": str(scene.place("home")),
        "TMPDIR": str(scene.place("tmp")),
        **{name: _fill_in(text, words) for name, text in case.environment.items()},
    }


def _send_signal(case: Case, scene: Scene, process: subprocess.Popen[bytes]) -> None:
    if not case.signal:
        return
    deadline = time.monotonic() + PATIENCE
    while not (scene.place("marks") / "started").exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(getattr(signal, f"SIG{case.signal}"))


def _snapshot(scene: Scene) -> Mapping[str, bytes]:
    """Return the content of all files of the repository (but git's own) and outside of it."""
    files = (path for name in ("repo", "outside", "home") for path in scene.place(name).rglob("*"))
    return {
        str(path.relative_to(scene.root)): path.read_bytes()
        for path in files
        if path.is_file() and ".git" not in path.parts and ".cache" not in path.parts
    }


def _damage(
    case: Case, scene: Scene, before: Mapping[str, bytes], text: str, seconds: float, connections: int
) -> Iterator[str]:
    asked_for = {f"repo/{name}" for name in case.writes}
    after = {name: content for name, content in _snapshot(scene).items() if name not in asked_for}
    if after != {name: content for name, content in before.items() if name not in asked_for}:
        yield f"files changed: {sorted(name for name in {*before, *after} if before.get(name) != after.get(name))}"
    yield from (f"left in the temporary folder: {path.name}" for path in scene.place("tmp").iterdir())
    marks = (mark for mark in scene.place("marks").iterdir() if mark.name != "started" and mark.suffix != ".pid")
    yield from (f"ran: {mark.name}" for mark in marks)
    yield from (f"still runs: {number}" for number in _running(scene))
    yield from ([f"{connections} connections were made"] if connections else [])
    yield from ([f"took {seconds:.1f} s of processor time"] if seconds > CPU else [])
    shown = ("Traceback (most recent call last)", "bug in applylint", SECRET)
    yield from (f"shows {word!r}" for word in shown if word in text)


def _running(scene: Scene) -> Iterator[int]:
    """Yield the numbers that programs of the case wrote down and that are processes still."""
    for note in scene.place("marks").glob("*.pid"):
        number = int(note.read_text())
        if Path(f"/proc/{number}").exists():
            yield number


@dataclass(slots=True)
class Heard:
    """A listener that should hear nothing."""

    address: str
    count: int = 0


@contextmanager
def listening() -> Iterator[Heard]:
    """Listen on loopback until the block ends, and count who connects."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        heard = Heard(f"127.0.0.1:{server.getsockname()[1]}")
        thread = threading.Thread(target=_count, args=(server, heard), daemon=True)
        thread.start()
        yield heard
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


def _count(server: socket.socket, heard: Heard) -> None:
    while True:
        try:
            server.accept()[0].close()
        except OSError:
            return
        heard.count += 1


@contextmanager
def _answering(case: Case, scene: Scene) -> Iterator[str]:
    """Run the API server of a case, and have the user's kubeconfig lead to it."""
    if not case.server:
        yield ""
        return
    with serving({path: _reply(**answer) for path, answer in case.server.items()}) as server:
        config = scene.place("home") / ".kube/config"
        config.parent.mkdir()
        config.write_text(_kubeconfig(server.url))
        yield server.url


def _reply(status: int = 200, json: Any = None, text: str = "", headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status, text.encode() if text else json, headers or {})


def _kubeconfig(url: str) -> str:
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": url}}],
        "users": [{"name": "u", "user": {"token": SECRET}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    return libyaml.dump(config)


def missing_words(case: Case, text: str) -> Sequence[str]:
    """Return what should have been said and was not, and what should not have been said and was."""
    unsaid = [f"not said: {word}" for word in case.says if word not in text]
    return [*unsaid, *(f"said: {word}" for word in case.silent if word in text)]
