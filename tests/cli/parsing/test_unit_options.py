"""The flags that select units."""

import argparse

from kubectl_applylint.cli.parsing.unit_options import UNITS


def test_units_are_chosen_by_their_roots_and_by_parts() -> None:
    parser = argparse.ArgumentParser()
    for add in UNITS:
        add(parser)

    found = parser.parse_args(["--unit", "dev", "--unit", "prod/**", "--shard", "1/2"])
    assert (found.one_apply, found.unit, found.shard) == (False, ["dev", "prod/**"], "1/2")
