"""The flags of ``merge``; ``check`` shares some of them."""

import argparse


def parts(parser: argparse.ArgumentParser) -> None:
    """Add the argument for parts."""
    parser.add_argument(
        "files", nargs="+", metavar="PART", help="parts of a report (check -o part=PART), or - for stdin"
    )


def weight(parser: argparse.ArgumentParser) -> None:
    """Add the flags that decide which findings count."""
    parser.add_argument(
        "--show",
        metavar="SEVERITY",
        help="lowest severity listed in text: error, warning or info (default: all, infos as one line per rule)",
    )
    parser.add_argument(
        "--fail-on",
        metavar="SEVERITY",
        help="lowest severity that causes exit code 1: error (default), warning or info",
    )
