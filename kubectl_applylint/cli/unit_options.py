"""The flags that say which units of a repository are looked at."""

import argparse


def which_targets(parser: argparse.ArgumentParser) -> None:
    """Add the flag that chooses targets."""
    parser.add_argument(
        "--targets",
        dest="target_selector",
        metavar="LABELS",
        help="predict for each target of the configuration with these labels (env=prod; '' for all), grouped by cause",
    )


def which_units(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "--one-apply",
        action="store_true",
        help="treat all files as one apply, instead of each unit of the repository by itself",
    )
    parser.add_argument(
        "--unit",
        action="append",
        metavar="ROOT",
        help="only units with this root, with * and **; applylint units lists them",
    )
    parser.add_argument(
        "--shard",
        metavar="I/N",
        help="only one of N parts of the units, for as many machines; auto takes it from the variables of the CI",
    )
