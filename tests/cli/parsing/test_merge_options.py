"""The flags of ``merge``."""

import argparse

from kubectl_applylint.cli.parsing.merge_options import parts, weight


def test_parts_are_named_and_weighed() -> None:
    parser = argparse.ArgumentParser()
    parts(parser)
    weight(parser)

    found = parser.parse_args(["a.json", "b.json", "--fail-on", "warning", "--show", "info"])
    assert (found.files, found.fail_on, found.show) == (["a.json", "b.json"], "warning", "info")
