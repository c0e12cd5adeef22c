"""flate, which renders the Kustomizations and HelmReleases of Flux and compares their texts; it predicts nothing."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_NOTHING_KEPT: Final = ("--helm-render-cache-mb", "0", "--kustomize-render-cache-mb", "0")


def program(environment: Mapping[str, str]) -> str:
    """Return the program on the PATH, empty if there is none: to build it takes minutes, and a newer Go."""
    return shutil.which("flate", path=environment.get("PATH")) or ""


def command(flate: str, path: str, cache: Path, *, compares: bool, keeps: bool) -> list[str]:
    """Return how it is called for a cluster: to compare it with the last commit, or to render all of it.

    ``cache`` has the downloaded charts, and what it has rendered before if it ``keeps`` that.
    """
    return [flate, *_arguments(path, cache, compares=compares, keeps=keeps)]


def _arguments(path: str, cache: Path, *, compares: bool, keeps: bool) -> Iterator[str]:
    yield from ("diff", "all", "--base", "HEAD~1") if compares else ("build", "all")
    yield from ("--path", path, "--cache-dir", str(cache), "--no-progress", "--log-level", "error")
    yield from () if keeps else _NOTHING_KEPT
