import argparse

import pytest

from kubectl_applylint.cli.parsing.fix_options import FIXES, FixOptions, fix_options


@pytest.mark.parametrize(
    ("argv", "options"),
    [
        ([], FixOptions()),
        (["--fix"], FixOptions(fix=True)),
        (["--fix", "--diff", "--unsafe"], FixOptions(fix=True, diff=True, unsafe=True)),
    ],
)
def test_the_flags_are_read(argv: list[str], options: FixOptions) -> None:
    parser = argparse.ArgumentParser(argument_default=argparse.SUPPRESS)
    FIXES(parser)

    assert fix_options(vars(parser.parse_args(argv))) == options
