"""The flags of ``comment``."""

import argparse

import pytest

from kubectl_applylint.cli.parsing.comment_options import REPORTS, CommentOptions, comment_options


@pytest.mark.parametrize(
    ("found", "options"),
    [
        ({}, CommentOptions()),
        ({"marker": "prod", "limit": 9, "files": ["a"]}, CommentOptions("prod", 9)),
        ({"commit": "0a1b", "artifact": "https://x"}, CommentOptions(commit="0a1b", artifact="https://x")),
    ],
    ids=["none", "others beside them", "all texts"],
)
def test_given_options_replace_the_defaults(found: dict[str, object], options: CommentOptions) -> None:
    assert comment_options(found) == options


def test_a_comment_needs_a_report() -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    for add in REPORTS:
        add(parser)

    assert parser.parse_args(["a.json", "b.json", "--limit", "10"]).files == ["a.json", "b.json"]
    with pytest.raises((SystemExit, argparse.ArgumentError)):
        parser.parse_args(["--limit", "10"])
