"""Changes with an object that no server accepts, in repositories of many layouts, and disguises that may hide it.

A gate that compares such a change ends with 1, or with 3 where it could not look, and never with 0:

    python -m tests.hostile.planted --seed anything --cases 3000
"""

import argparse
import contextlib
import io
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from kubectl_applylint.cli import applylint
from tests.sources.repositories import Repo, create

Files: TypeAlias = Mapping[str, str | bytes]
"""The files of a tree by their paths; a text that begins with ``-> `` is the target of a symlink."""
Change: TypeAlias = Callable[[random.Random, Files, str], Files]
"""Changes a tree around the file that holds the planted object."""
LINK: Final = "-> "
POINTER: Final = "version https://git-lfs.github.com/spec/v1"
GATES: Final = (("check",), ("plan",), ("check", "--no-ignores", "--config", "/dev/null"))


def settings(name: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: shop}}\ndata: {{a: b}}\n"


INVALID: Final = (
    settings("Wrong_Name"),
    "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 0}]}\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd}\ndta: {a: b}\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n",
    "apiversion: v1\nkind: ConfigMap\nmetadata: {name: odd}\n",
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A repository before and after a change, and how the gate is run."""

    name: str
    before: Files
    after: Files
    gate: tuple[str, ...]
    has_renderers: bool = True


def folder(rng: random.Random) -> tuple[Files, str]:
    root = rng.choice(["", "deploy/", "a/b/"])
    files = {f"{root}{name}.yaml": settings(name) for name in rng.sample(["web", "db", "cache"], rng.randint(1, 3))}
    return files, rng.choice(sorted(files))


def kustomization(rng: random.Random) -> tuple[Files, str]:
    more = rng.choice(["", "namePrefix: a-\n", "commonAnnotations: {a: b}\n", "namespace: shop\n"])
    files = {"k/kustomization.yaml": f"resources: [web.yaml, db.yaml]\n{more}", "k/web.yaml": settings("web")}
    return {**files, "k/db.yaml": settings("db")}, "k/web.yaml"


def overlays(rng: random.Random) -> tuple[Files, str]:
    over = {
        f"over/{name}/kustomization.yaml": "resources: [../../base]\n" for name in ("dev", "prod")[: rng.randint(1, 2)]
    }
    base = {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": settings("web")}
    return {**base, **over}, "base/web.yaml"


def chart(rng: random.Random) -> tuple[Files, str]:
    root = rng.choice(["chart/", ""])
    files = {
        f"{root}Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
        f"{root}values.yaml": "a: 1\n",
        f"{root}templates/web.yaml": settings("web"),
        f"{root}templates/db.yaml": settings("db").replace("{a: b}", "{a: {{ .Values.a | quote }}}"),
    }
    return files, rng.choice([f"{root}templates/web.yaml", f"{root}templates/web.yaml", f"{root}extra/web.yaml"])


LAYOUTS: Final = (folder, folder, kustomization, overlays, chart)


def plant_text(rng: random.Random, files: Files, path: str) -> str | bytes:
    """Return the text of a file with an invalid object, in one of the ways in which manifests are written."""
    bad, old = rng.choice(INVALID), files.get(path, settings("web"))
    text = old if isinstance(old, str) else ""
    match rng.randrange(8):
        case 0:
            return bad
        case 1:
            return f"{text}---\n{bad}"
        case 2:
            return f"{bad}---\n{text}"
        case 3:
            return "apiVersion: v1\nkind: List\nitems:\n- " + bad.strip().replace("\n", "\n  ") + "\n"
        case 4:
            return f"---\n# made by hand\n{bad}...\n"
        case 5:
            return f"\N{ZERO WIDTH NO-BREAK SPACE}{bad}"
        case 6:
            return bad.replace("\n", "\r\n")
        case _:
            return f"{text}--- # next\n{bad}---\n"


def _home(path: str) -> str:
    return path.rpartition("/")[0] + "/" if "/" in path else ""


def nothing(rng: random.Random, files: Files, path: str) -> Files:
    return files


def braces(rng: random.Random, files: Files, path: str) -> Files:
    text = _text(files, path)
    # Git LFS knows a pointer by its first line: behind a comment it is a text without any object.
    return files if text.startswith(POINTER) else {**files, path: f"# {{{{ x }}}} - {{% y %}}\n{text}"}


def broken_end(rng: random.Random, files: Files, path: str) -> Files:
    end = rng.choice(["a: [\n", "# {{ y }}\napiVersion: v1\nkind: A\nmetadata: {\n", "\t- x\n", "{{ if .Values.a }}\n"])
    return {**files, path: f"{_text(files, path)}\n---\n{end}"}


def other_end(rng: random.Random, files: Files, path: str) -> Files:
    return {**files, path: f"{_text(files, path)}\n---\n{rng.choice(['foo', '{}', 'a: b', '- x'])}\n"}


def stray_chart(rng: random.Random, files: Files, path: str) -> Files:
    text = rng.choice(
        [
            "name: c\n",
            "apiVersion: v2\nname: c\nversion: 1.0.0\n",
            "apiVersion: v2\nname: c\nversion: 1\ntype: library\n",
        ]
    )
    home = rng.choice(["", _home(path)])
    return files if f"{home}Chart.yaml" in files else {**files, f"{home}Chart.yaml": text}


def as_link(rng: random.Random, files: Files, path: str) -> Files:
    target = rng.choice(["data/n.txt", "data/m.yaml", f"{_home(path)}n.txt"])
    text = LINK + os.path.relpath(target, _home(path) or ".")
    return files if path.startswith("data/") else {**files, target: _text(files, path), path: text}


def remote(rng: random.Random, files: Files, path: str) -> Files:
    far = rng.choice(["'https://example.com/x'", "missing.yaml", "../../../etc"])
    found = [one for one in files if one.endswith("kustomization.yaml")]
    return {**files, **{one: _text(files, one).replace("resources: [", f"resources: [{far}, ") for one in found}}


def plugin(rng: random.Random, files: Files, path: str) -> Files:
    found = [one for one in files if one.endswith("kustomization.yaml")]
    more = {f"{_home(one)}ksops.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: s}\n" for one in found}
    return {**files, **more, **{one: f"{_text(files, one)}generators: [ksops.yaml]\n" for one in found}}


def dependency(rng: random.Random, files: Files, path: str) -> Files:
    found = [one for one in files if one.endswith("Chart.yaml")]
    needs = "dependencies: [{name: redis, version: 1.0.0, repository: 'https://example.com'}]\n"
    return {**files, **{one: f"{_text(files, one)}{needs}" for one in found}}


def pointer(rng: random.Random, files: Files, path: str) -> Files:
    return {**files, path: f"{POINTER}\noid sha256:0\nsize 1\n"}


def conflict(rng: random.Random, files: Files, path: str) -> Files:
    return {**files, path: f"<<<<<<< HEAD\n{_text(files, path)}=======\n{settings('b')}>>>>>>> other\n"}


def accept_incomplete(rng: random.Random, files: Files, path: str) -> Files:
    return {**files, ".applylint.yaml": "incomplete: [{unit: '**', reason: trust me}]\n"}


def noise(rng: random.Random, files: Files, path: str) -> Files:
    more = {".github/workflows/ci.yaml": "on: push\n", "values.yaml": "a: 1\n", "docs/a.md": "x\n"}
    return {**files, **{one: text for one, text in more.items() if one not in files}}


def new_file(rng: random.Random, files: Files, path: str) -> Files:
    """Move the planted object into a file that the earlier revision does not have."""
    name = f"{_home(path)}new.yaml"
    kept = {
        one: _text(files, one).replace("web.yaml", "new.yaml") for one in files if one.endswith("kustomization.yaml")
    }
    rest = {one: text for one, text in files.items() if one != path}
    return {**rest, **kept, name: files[path]}


DISGUISES: Final[tuple[Change, ...]] = (
    nothing, braces, broken_end, other_end, stray_chart, as_link, remote, plugin, dependency, pointer, conflict,
    accept_incomplete, noise, new_file,
)  # fmt: skip


def _text(files: Files, path: str) -> str:
    text = files[path]
    return text if isinstance(text, str) else text.decode("utf-8", "replace")


def plant(seed: str, count: int) -> Iterator[Planted]:
    """Yield so many changes; the same seed gives the same ones."""
    for number in range(count):
        rng = random.Random(f"{seed}-{number}")
        layout = rng.choice(LAYOUTS)
        before, path = layout(rng)
        after: Files = {**before, path: plant_text(rng, before, path)}
        chosen = rng.sample(DISGUISES, rng.choice([1, 1, 2, 3]))
        for change in chosen:
            after = change(rng, after, path if path in after else f"{_home(path)}new.yaml")
        base = remote(rng, before, path) if rng.random() < 0.1 else before
        name = f"{number}-{layout.__name__}-{'-'.join(one.__name__ for one in chosen)}"
        yield Planted(name, base, after, rng.choice(GATES), has_renderers=rng.random() < 0.8)


def _write(repo: Repo, files: Files) -> None:
    for path in repo.git("ls-files").splitlines():
        (repo.folder / path).unlink()
    for path, text in files.items():
        place = repo.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, str) and text.startswith(LINK):
            place.symlink_to(text.removeprefix(LINK))
        else:
            place.write_bytes(text.encode() if isinstance(text, str) else text)


def outcome(case: Planted, folder: Path, programs: str) -> tuple[int, str]:
    """Return the exit code of the gate on a change, and what it prints; ``programs`` is the PATH with renderers."""
    repo = create(folder)
    for files in (case.before, case.after):
        _write(repo, files)
        repo.git("add", "-A", "-f")
        repo.git("commit", "-q", "--allow-empty", "-m", "x")
    command, *flags = case.gate
    environment = {"PATH": programs if case.has_renderers else _only_git(folder.parent), "HOME": str(folder.parent)}
    kept = {name: os.environ.get(name) for name in environment}
    here, out = os.getcwd(), io.StringIO()
    os.chdir(repo.folder)
    os.environ.update(environment)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = applylint([command, "--against", "HEAD~1..HEAD", *flags])
    finally:
        os.chdir(here)
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    return code, out.getvalue()


def _only_git(folder: Path) -> str:
    bin_folder = folder / "only-git"
    if not bin_folder.exists():
        bin_folder.mkdir()
        found = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
        (bin_folder / "git").symlink_to(found)
    return str(bin_folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="planted")
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--case", type=int, help="run one of them, and print what the gate prints")
    given = parser.parse_args()
    wrong, codes = 0, {0: 0, 1: 0, 3: 0}
    for number, case in enumerate(plant(given.seed, given.cases)):
        if given.case not in (None, number):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            code, output = outcome(case, Path(scratch, "repo"), os.environ["PATH"])
        codes[code] = codes.get(code, 0) + 1
        if code not in (1, 3) or given.case is not None:
            wrong += code not in (1, 3)
            print(f"{case.name}: {code} {' '.join(case.gate)} {'' if case.has_renderers else 'no renderers'}\n{output}")
    print(f"{sum(codes.values())} changes, exit codes {codes}, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
