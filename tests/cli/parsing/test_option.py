"""Options as values."""

import argparse

import pytest

from kubectl_applylint.cli.parsing.option import group, option, switch, true


def read(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    for add in (group("titled", switch("--server-side", help="x")), true("--plain", help="y"), option("-z", type=int)):
        add(parser)
    return parser.parse_args(argv)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, "true") for text in ("1", "t", "T", "true", "TRUE", "True")),
        *((text, "false") for text in ("0", "f", "F", "false", "FALSE", "False")),
    ],
)
def test_a_switch_takes_what_go_reads_as_a_boolean(text: str, value: str) -> None:
    assert read(f"--server-side={text}").server_side == value


@pytest.mark.parametrize("text", ["yes", "tRUE", "", "2", "on"])
def test_a_switch_rejects_other_values(text: str) -> None:
    with pytest.raises(argparse.ArgumentError, match="is not true or false"):
        read(f"--server-side={text}")


def test_options_add_themselves() -> None:
    found = read("--plain", "-z", "1", "--server-side")

    assert (found.plain, found.z, found.server_side) == ("true", 1, None)
