"""Filters the configuration file of a repository: only options that cannot harm the user are used.

Flags, variables, a file named by ``--config`` and the user's own file are trusted, and may set every option; see
docs/trust.md.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kubectl_applylint.config.settings import Item, Setting, SettingEntry
from kubectl_applylint.core.records import dataclass, replace

_SWITCHES: Final = {"show-secrets": "reveals masked values", "exit-zero": "disables the exit code"}
_LIMITS: Final = ("render-timeout", "render-memory")
_PATHS: Final = ("rules", "baseline", "crds")
_DOWNLOADS: Final = {
    "store": "replaces the charts that are rendered",
    "mirrors": "contacts other hosts",
    "allow-host": "allows downloads from hosts",
}
_OF_CLUSTER: Final = ("live", "last-applied")
_OF_FILES: Final = ("snapshot", "dir", "file", "last-applied")
_GIT: Final = ".git"


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """An untrusted value that is not used: its option, its place, and what it would do."""

    setting: Setting
    why: str

    def __str__(self) -> str:
        span = self.setting.place.span
        return f"{self.setting.name} ({f'line {span.line}: ' if span.line else ''}{self.why})"


def safe_settings(items: Iterable[Item], root: Path) -> Iterator[Item | Unfollowed]:
    """Yield the harmless settings of a repository's file, and for each other value what it would do.

    ``root`` is the folder that no path may leave, with links resolved.
    """
    for item in items:
        if not isinstance(item, Setting):
            yield item
            continue
        if item.name in _DOWNLOADS:
            yield Unfollowed(item, _DOWNLOADS[item.name])
            continue
        whys = {text: _harm(item, text, root) for text in item.texts}
        yield from (Unfollowed(item, why) for why in dict.fromkeys(filter(None, whys.values())))
        texts = tuple(text for text in item.texts if not whys[text])
        if texts or item.entries or not item.texts:
            entries, refused = (
                _safe_units(item.entries, root)
                if item.name in ("units", "targets", "definitions")
                else (item.entries, ())
            )
            yield from refused
            yield replace(item, texts=texts, entries=entries, is_trusted=False)


def _safe_units(entries: Iterable[SettingEntry], root: Path) -> tuple[tuple[SettingEntry, ...], tuple[Unfollowed, ...]]:
    """Return units, targets or definitions without harmful keys, and these keys with the harm that they would do."""
    every = tuple(entries)
    whys = {setting: why for entry in every for setting in entry.settings if (why := _harm_of_all(setting, root))}
    kept = (replace(one, settings=tuple(key for key in one.settings if key not in whys)) for one in every)
    return tuple(kept), tuple(Unfollowed(setting, why) for setting, why in whys.items())


def _harm_of_all(setting: Setting, root: Path) -> str:
    return next(filter(None, (_harm(setting, text, root) for text in setting.texts)), "")


def notes_on_unfollowed(refused: Iterable[Unfollowed], name: str) -> Iterator[str]:
    """Yield one message about all unused values of the file that messages call ``name``."""
    found = ", ".join(map(str, refused))
    if found:
        yield f"not followed, as {name} is not trusted: {found}; --config {name} trusts it"


def _harm(setting: Setting, text: str, root: Path) -> str:
    """Return what a value would do; empty if it is harmless."""
    name = setting.name
    if name in _SWITCHES:
        return _SWITCHES[name] if text == "true" else ""
    if name in _LIMITS:
        return "changes a limit of programs that render"
    if name == "output":
        return "writes a file" if "=" in text else ""
    if name in _PATHS:
        return outside_error(setting.folder / text, root)
    if name == "context":
        return "reads a cluster"
    word, _, argument = text.partition(":")
    if name != "against" or word not in (*_OF_CLUSTER, *_OF_FILES):
        return ""
    return (
        outside_error(setting.folder / argument, root) if argument else "reads a cluster" if word in _OF_CLUSTER else ""
    )


def outside_error(path: Path, root: Path) -> str:
    """Return the error of a path that leaves a folder, or leads into ``.git``; links are followed."""
    try:
        inside = os.path.relpath(os.path.realpath(path), root).split(os.sep)
    except ValueError:  # It is not a path, which is reported when it is read.
        return ""
    if inside[0] == os.pardir or os.path.isabs(inside[0]):
        return "is outside the repository"
    return f"is inside {_GIT}" if _GIT in map(str.lower, inside) else ""
