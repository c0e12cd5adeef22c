"""The flags of ``job``."""

import argparse

import pytest

from kubectl_applylint.cli.job_options import JobOptions, job_options, sharded_job


def test_what_was_found_is_taken() -> None:
    parser = argparse.ArgumentParser(argument_default=argparse.SUPPRESS)
    sharded_job(parser)
    found = vars(parser.parse_args(["--shards", "4", "--image", "a:1", "-n", "ci", "--storage-class", "nfs"]))

    assert job_options(found) == JobOptions(4, "a:1", job_namespace="ci", storage_class="nfs")


def test_shards_and_an_image_are_required() -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    sharded_job(parser)

    with pytest.raises((SystemExit, argparse.ArgumentError)):
        parser.parse_args(["--shards", "4"])
