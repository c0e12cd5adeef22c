"""The flags that choose the units of a repository to examine."""

from collections.abc import Mapping
from typing import Any

from kubectl_applylint.cli.parsing.option import option
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class ShareOptions:
    """The part of the units that this machine examines."""

    shard: str = ""
    """As typed; ``""`` for all."""
    resumes: bool = False
    """Whether an existing part is kept."""
    timings: tuple[str, ...] = ()
    """Parts of an earlier run whose timings balance the shards."""


def share_options(found: Mapping[str, Any]) -> ShareOptions:
    """Return the options from the names and values of a command line."""
    named = {"shard": "shard", "resume": "resumes"}
    given = {field: found[name] for name, field in named.items() if found.get(name)}
    return ShareOptions(timings=tuple(found.get("timings", ())), **given)


TARGETS = option(
    "--targets",
    dest="target_selector",
    metavar="LABELS",
    help="predict for each target of the configuration with these labels (env=prod; '' for all), grouped by cause",
)
"""The option that chooses targets."""
ROOTS = option(
    "--unit",
    action="append",
    metavar="ROOT",
    help="only units with this root (* and ** match); applylint units lists them",
)
"""The option that chooses units by their roots."""
TARGET_REVISION = option(
    "--target-revision",
    action="append",
    metavar="REF",
    help="objects of Flux and Argo CD that apply this branch, tag or commit apply the files here (default: only HEAD,"
    " the default and the current branch, and the branch of --against)",
)
"""The option that chooses the revisions that count as the examined one."""
UNITS = (
    option("--one-apply", action="store_true", help="treat all files as one apply instead of one apply per unit"),
    ROOTS,
    TARGET_REVISION,
    option(
        "--shard",
        metavar="I/N",
        help="only one of N parts of the units, for as many machines; auto takes it from the variables of the CI",
    ),
)
"""The options that choose units."""
SHARING = (
    option(
        "--resume",
        action="store_true",
        help="with -o part=FILE: skip if FILE already exists for the same commit, files, flags and rules",
    ),
    option(
        "--timings",
        action="append",
        metavar="PART",
        help="with --shard: balance by unit durations from an earlier run (one part, or all parts merged); the same for"
        " all shards",
    ),
)
"""The options that share a run or reuse earlier results."""
