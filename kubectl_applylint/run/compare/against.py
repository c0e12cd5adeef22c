"""The value of ``--against``: what the manifests of a run are compared with."""

from enum import StrEnum
from pathlib import Path
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

_REVISIONS: Final = regex(r"(?!-)[^\s?*\[\\:]+(:.*)?\Z")
"""Possible git revisions; a branch name cannot begin with a dash or contain these characters."""


class AgainstKind(StrEnum):
    """The type of state to compare with."""

    NONE = "none"
    LIVE = "live"
    SNAPSHOT = "snapshot"
    DIR = "dir"
    FILE = "file"
    GIT = "git"
    LAST_APPLIED = "last-applied"


WITH_PATH: Final = (AgainstKind.SNAPSHOT, AgainstKind.DIR, AgainstKind.FILE)
"""Kinds that are followed by a colon and a path; it is optional for ``last-applied``."""


@dataclass(frozen=True, slots=True)
class Against:
    """The value of ``--against``: a kind, and its ``argument`` after the colon, or the git revisions.

    The last-applied annotations are read from the cluster, or from the snapshot in ``argument``.
    """

    kind: AgainstKind
    argument: str = ""

    @property
    def asks_cluster(self) -> bool:
        """Whether a cluster has to be contacted."""
        return self.kind is AgainstKind.LIVE or (self.kind is AgainstKind.LAST_APPLIED and not self.argument)

    def __str__(self) -> str:
        return f"{self.kind}:{self.argument}" if self.argument else self.kind.value


NOTHING: Final = Against(AgainstKind.NONE)
"""Compare the manifests with nothing."""


def read_against(text: str, folder: Path = Path()) -> Against:
    """Parse ``text``, with paths relative to ``folder``; raises ``ValueError`` if it is invalid."""
    word, _, argument = text.partition(":")
    if word in (AgainstKind.NONE, AgainstKind.LIVE, AgainstKind.LAST_APPLIED) and not argument:
        return Against(AgainstKind(word))
    if word in (*WITH_PATH, AgainstKind.LAST_APPLIED) and argument:
        return Against(AgainstKind(word), str(folder / argument))
    revisions = argument if word == AgainstKind.GIT else text
    if word in set(AgainstKind) - {AgainstKind.GIT} or not _REVISIONS.match(revisions):
        states = "none, live, last-applied, snapshot:FILE, dir:PATH, file:PATH"
        raise ValueError(f"{text!r} is not one of {states}, or a git revision")
    if revisions.startswith(".."):
        raise ValueError(f"{text!r} has no revision before the dots; write HEAD{revisions} to compare with HEAD")
    return Against(AgainstKind.GIT, revisions)
