"""What the manifests of a run are compared with: the value of ``--against``."""

from enum import StrEnum
from pathlib import Path
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

_REVISIONS: Final = regex(r"(?!-)[^\s?*\[\\:]+(:.*)?\Z")
"""What can be revisions of git; it gives no name to a branch that begins with a dash or has these characters."""


class AgainstKind(StrEnum):
    """What the manifests are compared with."""

    NONE = "none"
    LIVE = "live"
    SNAPSHOT = "snapshot"
    DIR = "dir"
    FILE = "file"
    GIT = "git"
    LAST_APPLIED = "last-applied"


WITH_PATH: Final = (AgainstKind.SNAPSHOT, AgainstKind.DIR, AgainstKind.FILE)
"""Those whose word is followed by a colon and a path; that of what was last applied may be."""


@dataclass(frozen=True, slots=True)
class Against:
    """The value of ``--against``: a word, and what follows its colon in ``argument``; of git the revisions.

    What was last applied is asked of the cluster, or of the snapshot in ``argument``.
    """

    kind: AgainstKind
    argument: str = ""

    @property
    def asks_cluster(self) -> bool:
        """Whether a cluster has to be asked."""
        return self.kind is AgainstKind.LIVE or (self.kind is AgainstKind.LAST_APPLIED and not self.argument)

    def __str__(self) -> str:
        return f"{self.kind}:{self.argument}" if self.argument else self.kind.value


NOTHING: Final = Against(AgainstKind.NONE)
"""The manifests are compared with nothing."""


def read_against(text: str, folder: Path = Path()) -> Against:
    """Return what ``text`` names, paths relative to ``folder``; raise ``ValueError`` for what is no such name."""
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
