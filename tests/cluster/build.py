"""The programs that the tests run against: built once from the Go modules of the tests, or ready-made."""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "apiserver"
HELM = Path(__file__).parent.parent / "helm"
APPLIERS = Path(__file__).parent.parent / "appliers_go"
"""A Go module for each applier: one call of a controller's library with its options, or the version of a command."""
_HELM_PACKAGE = "helm.sh/helm/v3"


class Unavailable(Exception):
    """The programs are not available on this machine; the text says what to install or to set."""


@dataclass(frozen=True, slots=True)
class Programs:
    """The paths of the programs. ``etcd`` is ``None`` if the API server contains it."""

    apiserver: Path
    kubectl: Path
    etcd: Path | None = None


def programs(environment: Mapping[str, str]) -> Programs:
    """Return ready-made programs (``KUBEBUILDER_ASSETS``), else those that ``built`` makes."""
    if "KUBEBUILDER_ASSETS" in environment:
        return assets(Path(environment["KUBEBUILDER_ASSETS"]))
    return built(SOURCES, cache_directory(environment))


def assets(folder: Path) -> Programs:
    """Return the programs in a folder laid out as Go's envtest does; raise ``Unavailable`` where one is missing."""
    found = Programs(folder / "kube-apiserver", folder / "kubectl", folder / "etcd")
    missing = [path.name for path in (found.apiserver, found.kubectl, folder / "etcd") if not path.is_file()]
    if missing:
        raise Unavailable(f"KUBEBUILDER_ASSETS={folder} has no {', '.join(missing)}")
    return found


def cache_directory(environment: Mapping[str, str]) -> Path:
    """Return where built programs are kept between runs."""
    home = environment.get("XDG_CACHE_HOME") or Path(environment.get("HOME", tempfile.gettempdir()), ".cache")
    return Path(home, "kubectl-applylint-tests")


def built(sources: Path, cache: Path) -> Programs:
    """Return the programs built from ``sources``, from ``cache`` if they were built before.

    Of several processes one builds and the others wait. Raises ``Unavailable`` without Go or when the build fails.
    """
    folder = _cached_build(sources, cache, version_flags(sources / "go.mod"), "./testserver", "./kubectl")
    return Programs(folder / "testserver", folder / "kubectl")


def helm(environment: Mapping[str, str]) -> Path:
    """Return the program that renders charts, built from ``tests/helm``; raise ``Unavailable`` as ``built`` does."""
    package = f"{_HELM_PACKAGE}/cmd/helm"
    return _cached_build(HELM, cache_directory(environment), helm_flags(HELM / "go.mod"), package) / "helm"


def applier(name: str, environment: Mapping[str, str], package: str = ".") -> Path:
    """Return the program of an applier, built from its module in ``tests/appliers_go``.

    ``package`` is what is built: the module itself, which calls a controller's library, or a command that it requires.
    The program is called like the module. Raises ``Unavailable`` as ``built`` does.
    """
    return _cached_build(APPLIERS / name, cache_directory(environment), "-s -w", package) / name


def _cached_build(sources: Path, cache: Path, flags: str, *packages: str) -> Path:
    folder = cache / fingerprint(sources, go_version())
    with lock(cache):
        if not folder.is_dir():
            _build(sources, folder, flags, packages)
    return folder


def go_version() -> str:
    """Return the version of the installed Go; raise ``Unavailable`` if there is none."""
    if shutil.which("go") is None:
        raise Unavailable("Go is not installed: install it, or set KUBEBUILDER_ASSETS or APPLYLINT_TEST_KUBECONFIG")
    return subprocess.run(["go", "env", "GOVERSION"], cwd=SOURCES, capture_output=True, text=True).stdout.strip()


def fingerprint(sources: Path, compiler: str) -> str:
    """Return a name for what ``compiler`` makes of ``sources``; it changes with any of them."""
    digest = hashlib.sha256(compiler.encode())
    for file in sorted([sources / "go.mod", sources / "go.sum", *sources.rglob("*.go")]):
        digest.update(f"\0{file.relative_to(sources).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def lock(cache: Path) -> Iterator[None]:
    """Hold the lock of a folder of built programs; create the folder if it is missing."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(sources: Path, folder: Path, flags: str, packages: Sequence[str]) -> None:
    """Build next to ``folder`` and move the result there, so that an interrupted build leaves nothing half made."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        result = Path(scratch, "programs")
        result.mkdir()
        command = ["go", "build", "-ldflags", flags, "-o", f"{result}{os.sep}"]
        environment = {**os.environ, "CGO_ENABLED": "0"}
        run = subprocess.run([*command, *packages], cwd=sources, env=environment, capture_output=True, text=True)
        if run.returncode:
            raise Unavailable(f"go build in {sources} failed: {run.stderr[-2000:]}")
        result.rename(folder)


def version_flags(go_mod: Path) -> str:
    """Return the linker flags without which server and kubectl call themselves v0.0.0."""
    version = re.search(r"k8s\.io/kubernetes (v(\d+)\.(\d+)\S+)", go_mod.read_text())
    assert version, f"{go_mod} does not require k8s.io/kubernetes"
    package = "k8s.io/component-base/version"
    values = zip(("gitVersion", "gitMajor", "gitMinor"), version.groups(), strict=True)
    return " ".join(["-s -w", *(f"-X {package}.{name}={value}" for name, value in values)])


def helm_flags(go_mod: Path) -> str:
    """Return the linker flags that Helm needs to report its version."""
    version = re.search(rf"{re.escape(_HELM_PACKAGE)} (v\S+)", go_mod.read_text())
    assert version, f"{go_mod} does not require {_HELM_PACKAGE}"
    return f"-s -w -X {_HELM_PACKAGE}/internal/version.version={version[1]}"
