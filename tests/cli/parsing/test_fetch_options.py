"""The flags of ``fetch``."""

import argparse

import pytest

from kubectl_applylint.cli.parsing.fetch_options import FETCHED, FetchOptions, fetch_options


@pytest.mark.parametrize(
    ("argv", "options"),
    [
        ([], FetchOptions()),
        (["--update", "--dry-run"], FetchOptions(update=True, dry_run=True)),
        (["-o", "charts.store", "--include-private"], FetchOptions(include_private=True, pack="charts.store")),
    ],
)
def test_the_flags_are_read(argv: list[str], options: FetchOptions) -> None:
    parser = argparse.ArgumentParser(argument_default=argparse.SUPPRESS)
    for add in FETCHED:
        add(parser)

    assert fetch_options(vars(parser.parse_args(argv))) == options
