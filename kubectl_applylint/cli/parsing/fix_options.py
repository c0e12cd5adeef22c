"""The flags of ``check`` that edit files, and their values."""

import argparse
from collections.abc import Mapping
from typing import Any

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


def fixes(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    group = parser.add_argument_group("fixes")
    group.add_argument(
        "--fix", action="store_true", help="edit the named files where the prediction proves that this fixes a finding"
    )
    group.add_argument("--diff", action="store_true", help="with --fix: print the edits as a diff, write nothing")
    group.add_argument(
        "--unsafe", action="store_true", help="with --fix: also edits that hold in some cases only; they are named"
    )
