"""The flags of ``job``, and what they say."""

import argparse
from collections.abc import Mapping
from typing import Any

from kubectl_applylint.core.records import dataclass

ACCESS_MODES = ("ReadWriteMany", "ReadWriteOnce")


@dataclass(frozen=True, slots=True)
class JobOptions:
    """What was said of a Job."""

    shards: int = 0
    image: str = ""
    job_name: str = "applylint"
    job_namespace: str = "default"
    repository: str = ""
    revision: str = "HEAD"
    storage_class: str = ""
    access_mode: str = ACCESS_MODES[0]
    deadline: int = 3600


def job_options(found: Mapping[str, Any]) -> JobOptions:
    """Return the flags among those that were found."""
    given = {name: found[name] for name in JobOptions.__slots__ if name in found}
    return JobOptions(**given)


def sharded_job(parser: argparse.ArgumentParser) -> None:
    """Add the flags; the arguments of ``check`` follow ``--``."""
    parser.usage = "%(prog)s --shards N --image IMAGE [OPTIONS] [-- ARGUMENTS OF check]"
    parser.add_argument("--shards", type=int, required=True, metavar="N", help="number of pods that share the check")
    parser.add_argument(
        "--image", required=True, metavar="IMAGE", help="image with applylint and a shell, and git for --repository"
    )
    parser.add_argument(
        "-n", "--namespace", dest="job_namespace", metavar="NAME", help="namespace of the Job (default: default)"
    )
    parser.add_argument("--name", dest="job_name", metavar="NAME", help="name of the Job (default: applylint)")
    parser.add_argument(
        "--repository",
        metavar="URL",
        help="git repository that each pod fetches (default: the image contains the manifests)",
    )
    parser.add_argument(
        "--revision", metavar="REF", help="commit, branch or tag of the repository (default: its default branch)"
    )
    parser.add_argument(
        "--storage-class",
        metavar="NAME",
        help="storage class of the volume for the parts (default: that of the cluster)",
    )
    parser.add_argument(
        "--access-mode",
        choices=ACCESS_MODES,
        help="access mode of the volume: ReadWriteMany (default), or ReadWriteOnce if all pods run on one node",
    )
    parser.add_argument(
        "--deadline",
        type=int,
        metavar="SECONDS",
        help="time limit for all parts; those that exist then are merged (default: 3600)",
    )
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help="yaml (default), json")
