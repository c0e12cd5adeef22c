"""The arguments of renderers besides the report: the appearance of the page, and texts to quote."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from kubectl_applylint import __version__
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.lint.model import Rule, Severity

EVERY_COMMIT: Final = "again --every-commit"
"""The command of a report about the way over every commit."""
STATISTICS: Final = "check --statistics"
"""The command of a check whose findings are only counted."""


UrlOf: TypeAlias = Callable[[str, int], str]
"""Returns the URL of a file and a line (0 for none), empty if there is none."""


def no_url(file: str, line: int) -> str:
    """Return nothing, for pages without links."""
    return ""


class Shown(StrEnum):
    """The lowest severity whose findings are shown in full."""

    AUTO = "auto"
    """Warnings; infos are one line for each rule."""
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Context:
    """How to show a report; nothing in it changes what was found."""

    command: str = "check"
    """The command of the report."""
    color: bool = False
    width: int | None = None
    """Columns of the terminal; ``None`` if nothing wraps (files, pipes), so that one finding stays one line."""
    url_of: UrlOf = no_url
    verbose: bool = False
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """The lines of the input files, for excerpts; a file that is missing here is shown without."""
    rules: Mapping[str, Rule] = field(default_factory=dict, repr=False)
    """The rules that ran, by id."""
    phrases: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Translations of our own phrases; those that are missing here stay English."""
    show: Shown = Shown.AUTO
    fail_on: Severity = Severity.ERROR
    """The lowest severity that causes exit code 1."""
    revision: str = ""
    """The earlier revision as it was typed, which precedes the names of its files; empty if there is none."""
    exit_zero: bool = False
    """Whether the exit code is 0 instead of 1."""
    detailed_exitcode: bool = False
    """Whether the exit code of a plan is 2 if something changes."""
    conclusions: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The conclusions of check runs in place of the default, by class of a change."""
    version: str = __version__
    time: str = ""
    """The time of the report; empty if unknown."""
