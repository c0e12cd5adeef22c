"""Options of commands as values: functions that add the option to a parser, or to a group of options."""

import argparse
from collections.abc import Callable
from operator import methodcaller
from typing import Any, TypeAlias

AddOption: TypeAlias = Callable[[Any], object]


def option(*spellings: str, **settings: Any) -> AddOption:
    """Return an option, described by the arguments of ``add_argument``."""
    return methodcaller("add_argument", *spellings, **settings)


def true(spelling: str, *, help: str) -> AddOption:
    """Return an option whose value is the text ``true``, as in configuration files."""
    return option(spelling, action="store_const", const="true", help=help)


def switch(*spellings: str, **words: str) -> AddOption:
    """Return a boolean option, with or without a value, as in kubectl: ``--flag=false``."""
    return option(*spellings, type=_boolean, nargs="?", metavar="true|false", **words)


def group(title: str, *options: AddOption) -> AddOption:
    """Return options with a title of their own in the help."""

    def add(parser: argparse.ArgumentParser) -> None:
        titled = parser.add_argument_group(title)
        for each in options:
            each(titled)

    return add


def _boolean(text: str) -> str:
    """Return ``true`` or ``false`` for a text that Go's ``ParseBool`` accepts."""
    if text in ("1", "t", "T", "true", "TRUE", "True"):
        return "true"
    if text in ("0", "f", "F", "false", "FALSE", "False"):
        return "false"
    raise argparse.ArgumentTypeError(f"{text!r} is not true or false")
