"""The files of a release: how they are built, and how they are tried.

Each is built from the files of one commit, and tried in an empty environment with an empty home folder.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import krew

ZIPAPP: Final = "kubectl-applylint.pyz"
SBOM: Final = "kubectl-applylint.cdx.json"
CHECKSUMS: Final = "SHA256SUMS"
UNKNOWN_ADDRESS: Final = "https://REPOSITORY"
_ENTRY: Final = "kubectl_applylint.cli.programs:applylint"
_TRIED: Final = (["--version"], ["rules"], ["check", "examples/shop", "--against", "none"], ["definitions"])
"""Commands that every installed program must run without an error."""


def build_files(root: Path, to: Path, address: str) -> list[Path]:
    """Build the files of a release from a repository into an empty folder, and return their paths, checksums last.

    sdist and wheel, a zipapp, the archive and the manifest of krew, a CycloneDX SBOM, and checksums.
    """
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        tree = _checkout(root, Path(temporary) / "tree")
        _run(sys.executable, "-m", "build", "--outdir", str(to), str(tree))
        stage = krew.stage(Path(temporary) / "stage", tree)
        krew.write(stage, to, address or UNKNOWN_ADDRESS)
        site = str(stage / "lib")
        options = ["--site-packages", site, "--entry-point", _ENTRY, "--python", "/usr/bin/env python3"]
        _run(sys.executable, "-m", "shiv.cli", *options, "--reproducible", "--output-file", str(to / ZIPAPP))
        _write_sbom(next(to.glob("*.whl")), to / SBOM, Path(temporary) / "sbom")
    files = sorted(path for path in to.iterdir() if path.is_file())
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (to / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    return [*files, to / CHECKSUMS]


def try_files(root: Path, files: Sequence[Path]) -> None:
    """Run commands of the documents with each file of a release; raises ``CalledProcessError`` if one fails."""
    by_name = {path.name: path for path in files}
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        for path in (path for path in files if path.name.endswith((".whl", ".tar.gz")) and path.name != krew.ARCHIVE):
            python = environment(work / path.name)
            _install(python, path)
            _try(root, [str(python.with_name("applylint"))], work)
        _try(root, [sys.executable, str(by_name[ZIPAPP])], work)
        with tarfile.open(by_name[krew.ARCHIVE]) as archive:
            archive.extractall(work / "krew", filter="data")
        _try(root, [sys.executable, str(work / "krew" / "kubectl-applylint")], work)


def environment(folder: Path) -> Path:
    """Make a virtual environment without pip in a folder, and return its interpreter."""
    _run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    return folder / "bin" / "python"


def _install(python: Path, package: Path) -> None:
    """Install a wheel or an sdist, and what it requires, into the environment of an interpreter."""
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    _run(*pip, "install", "--quiet", "--disable-pip-version-check", str(package))


def _write_sbom(wheel: Path, to: Path, folder: Path) -> None:
    """Write the SBOM of an environment that has a wheel and what it requires, and nothing else."""
    python = environment(folder)
    _install(python, wheel)
    _run(sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "-o", str(to), str(python))


def _checkout(root: Path, to: Path) -> Path:
    """Write the files of the current commit into a folder, and return it."""
    to.mkdir()
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=root, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(to)], input=packed, check=True)
    return to


def _try(root: Path, program: Sequence[str], home: Path) -> None:
    for arguments in _TRIED:
        subprocess.run([*program, *arguments], cwd=root, env=_empty_home(home), check=True, capture_output=True)


def _empty_home(home: Path) -> Mapping[str, str]:
    """Return the environment of a user who has no settings."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "SSL_CERT_FILE")}
    return {**kept, "HOME": str(home)}


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
