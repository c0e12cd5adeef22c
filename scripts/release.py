#!/usr/bin/env python3
"""Make a release: ``scripts/release VERSION [--repository URL] [--date DATE] [--to FOLDER]``.

1. The version is written into the package and into the documents that pin it, and the changelog is cut.
2. The change is committed and tagged ``vVERSION``. Nothing is pushed.
3. The files of the release are built from the tag into FOLDER (``dist``), and tried in empty environments.

``scripts/release --files [--to FOLDER]`` only builds and tries the files of the commit that is checked out. URL is
needed once: as long as ``project.urls`` has no address, documents say ``REPOSITORY``.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from release_files import build_files, try_files

ROOT: Final = Path(__file__).parents[1]
VERSION_FILE: Final = "kubectl_applylint/__init__.py"
PLACEHOLDER: Final = "REPOSITORY"
PLACEHOLDER_PATH: Final = "OWNER/kubectl-applylint"
_DOCUMENTS: Final = (
    "README.md",
    "CHANGELOG.md",
    "docs/*.md",
    "hooks/*.yml",
    "templates/*.yml",
    "action.yml",
    "mega-linter-plugin-applylint/*.yml",
    "editors/vscode/package*.json",
)
"""Patterns of the files that name the version or the address of the repository."""
_PINNED: Final = re.compile(
    r"""(?P<before>(?:REPOSITORY|OWNER/kubectl-applylint|kubectl-applylint(?:\.git)?)(?:(?:/applylint)?@|/releases/download/)v"""
    r"""|\b(?:rev|default):\s+v|"name": "applylint",\s+"version": ")(?P<version>\d+\.\d+\.\d+)"""
)
"""Matches the version of this project where a document pins it."""
_SECTION: Final = "## [Unreleased]\n"


class ReleaseError(Exception):
    """The reason why there is no release."""


def main(arguments: list[str]) -> int:
    """Make a release, or only its files; return 0, or 1 after a message about what is missing."""
    parser = argparse.ArgumentParser(prog="scripts/release", description="Make a release.")
    parser.add_argument("version", nargs="?", help="the version, for example 0.2.0")
    parser.add_argument("--repository", metavar="URL", help="the address of the repository, if pyproject.toml has none")
    parser.add_argument("--date", default=f"{datetime.now(UTC):%Y-%m-%d}", help="the date in the changelog")
    parser.add_argument("--to", type=Path, default=ROOT / "dist", metavar="FOLDER", help="the folder of the files")
    parser.add_argument("--files", action="store_true", help="only build and try the files of this commit")
    given = parser.parse_args(arguments)
    if bool(given.version) == given.files:
        parser.error("name either a VERSION or --files")
    try:
        if given.to.exists() and any(given.to.iterdir()):
            raise ReleaseError(f"{given.to} has files: remove them, or name another folder with --to")
        if given.version:
            release(ROOT, given.version, given.repository or "", given.date)
        built = build_files(ROOT, given.to, repository_address((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
        try_files(ROOT, built)
    except (ReleaseError, subprocess.CalledProcessError) as error:
        print(f"scripts/release: {error}", file=sys.stderr)
        return 1
    print("\n".join(f"{path.relative_to(given.to.parent)}  {path.stat().st_size:,} bytes" for path in built))
    if given.version:
        print(f"nothing was pushed; publish it with: git push origin HEAD v{given.version}")
    return 0


def release(root: Path, version: str, address: str, date: str) -> None:
    """Write a version into the files of a repository, commit and tag; raises ``ReleaseError``."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ReleaseError(f"the version must have three numbers, for example 0.2.0, not {version}")
    if _git(root, "status", "--porcelain"):
        raise ReleaseError("commit or remove the changes of the work tree first (git status)")
    if _git(root, "tag", "--list", f"v{version}"):
        raise ReleaseError(f"the tag v{version} exists already")
    for path, text in released_files(_texts(root), version, address, date).items():
        (root / path).write_text(text, encoding="utf-8")
    _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"kubectl applylint {version}")


def released_files(texts: Mapping[str, str], version: str, address: str, date: str) -> dict[str, str]:
    """Return the files that a release changes, by path, with their new text; raises ``ReleaseError``."""
    known = repository_address(texts["pyproject.toml"])
    if not known and not address.startswith("https://"):
        raise ReleaseError("pyproject.toml has no address of the repository: add --repository https://HOST/OWNER/NAME")
    if known and address and address != known:
        raise ReleaseError(f"project.urls in pyproject.toml has another address: {known}")
    found = {path: with_version(text, version) for path, text in texts.items()}
    found["CHANGELOG.md"] = cut_changelog(texts["CHANGELOG.md"], version, date)
    found[VERSION_FILE] = re.sub(r'(?m)^__version__ = ".*"', f'__version__ = "{version}"', texts[VERSION_FILE])
    if not known:
        found = {path: with_address(text, address.removesuffix("/")) for path, text in found.items()}
        urls = f'[project.urls]\nRepository = "{address.removesuffix("/")}"\n\n[project.optional-dependencies]'
        found["pyproject.toml"] = texts["pyproject.toml"].replace("[project.optional-dependencies]", urls, 1)
    return {path: text for path, text in found.items() if text != texts[path]}


def repository_address(pyproject: str) -> str:
    """Return the address in ``project.urls`` of the text of ``pyproject.toml``, empty if there is none."""
    found = re.search(r'(?m)^\[project\.urls\]\nRepository = "(.+)"', pyproject)
    return found[1] if found else ""


def with_version(text: str, version: str) -> str:
    """Return a document that pins a version of this project."""
    return _PINNED.sub(lambda found: found["before"] + version, text)


def pinned_versions(text: str) -> Iterator[str]:
    """Yield the versions of this project that a document pins."""
    return (found["version"] for found in _PINNED.finditer(text))


def with_address(text: str, address: str) -> str:
    """Return a document with the address of the repository in place of ``REPOSITORY``, and its path of ``OWNER/…``."""
    return re.sub(rf"\b{PLACEHOLDER}\b", address, text).replace(PLACEHOLDER_PATH, address.split("/", 3)[3])


def cut_changelog(text: str, version: str, date: str) -> str:
    """Return a changelog whose unreleased changes are those of a version; raises ``ReleaseError`` if there are none."""
    before, heading, after = text.partition(_SECTION)
    changes = after.split("\n## [", 1)[0].strip()
    if not heading or not changes:
        raise ReleaseError("CHANGELOG.md has no unreleased changes")
    return f"{before}{heading}\n## [{version}] - {date}\n{after}"


def _texts(root: Path) -> dict[str, str]:
    """Return the texts of the files that a release may change, by path."""
    listed = {path for pattern in _DOCUMENTS for path in root.glob(pattern) if path.is_file()}
    paths = sorted({*listed, root / VERSION_FILE, root / "pyproject.toml"})
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
