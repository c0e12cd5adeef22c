"""The flags of ``check`` that edit files, and their values."""

from collections.abc import Mapping
from typing import Any

from kubectl_applylint.cli.parsing.option import group, option
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class FixOptions:
    """The edits to make: ``fix`` enables them, ``diff`` only prints them, ``unsafe`` includes more."""

    fix: bool = False
    diff: bool = False
    unsafe: bool = False


def fix_options(found: Mapping[str, Any]) -> FixOptions:
    """Return the options from parsed values."""
    return FixOptions(**{name: name in found for name in FixOptions.__slots__})


FIXES = group(
    "fixes",
    option(
        "--fix", action="store_true", help="edit the named files where the prediction proves that this fixes a finding"
    ),
    option("--diff", action="store_true", help="with --fix: print the edits as a diff, write nothing"),
    option("--unsafe", action="store_true", help="with --fix: also edits that hold in some cases only; they are named"),
)
"""The options of ``check`` that edit files."""
