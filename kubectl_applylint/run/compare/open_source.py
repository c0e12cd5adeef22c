"""Opens the live source of a run: a cluster, a snapshot, earlier manifests, or last-applied annotations."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, assert_never

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.compare.base import in_file, in_folder
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source, source_of_base
from kubectl_applylint.sources.cluster.connection import Connection

_DEFAULT_CONNECTION: Final = Connection()


class UsageError(ValueError):
    """Raised for contradictory or invalid connection flags."""


@contextmanager
def open_source(
    against: Against,
    files: Sequence[str] = (),
    *,
    recursive: bool = False,
    every_commit: bool = False,
    connection: Connection = _DEFAULT_CONNECTION,
) -> Iterator[LiveSource]:
    """Open the source of live state until the block ends.

    ``files`` are the names of the manifests, whose earlier versions are read from git; ``every_commit`` includes those
    in between. ``connection`` selects the cluster. A source that cannot be read has ``problems`` and no ``origin``.
    Raises ``UsageError`` for an invalid connection.
    """
    match against.kind:
        case AgainstKind.NONE:
            yield no_live_source()
        case AgainstKind.SNAPSHOT:
            yield _in_snapshot(against.argument)
        case AgainstKind.DIR:
            yield source_of_base(in_folder(against.argument, recursive=recursive))
        case AgainstKind.FILE:
            yield source_of_base(in_file(against.argument))
        case AgainstKind.GIT:
            from kubectl_applylint.run.compare.history import in_git  # noqa: PLC0415  running programs takes 10 ms to import

            yield source_of_base(in_git(against.argument, files, recursive=recursive, every_commit=every_commit))
        case AgainstKind.LAST_APPLIED if against.argument:
            yield _with_last_applied(_in_snapshot(against.argument))
        case AgainstKind.LIVE | AgainstKind.LAST_APPLIED:
            with _live(connection) as source:
                yield source if against.kind is AgainstKind.LIVE else _with_last_applied(source)
        case _:
            assert_never(against.kind)


def _in_snapshot(file: str) -> LiveSource:
    from kubectl_applylint.run.compare.snapshot_source import in_snapshot  # noqa: PLC0415  9 ms that a hook need not wait

    return in_snapshot(file)


def _with_last_applied(source: LiveSource) -> LiveSource:
    return replace(source, uses_last_applied=source.origin != "")


@contextmanager
def _live(connection: Connection) -> Iterator[LiveSource]:
    # The threads and sockets behind it take 80 ms to import, and a run without a cluster does not need them.
    from kubectl_applylint.run.compare.cluster_source import in_cluster  # noqa: PLC0415
    from kubectl_applylint.sources.cluster.cluster import open_cluster  # noqa: PLC0415  80 ms, as above
    from kubectl_applylint.sources.cluster.http_result import NoCluster  # noqa: PLC0415  80 ms, as above

    cluster = open_cluster(connection)
    if isinstance(cluster, NoCluster):
        if cluster.is_usage_error:
            raise UsageError(": ".join(filter(None, (cluster.problem.where, _message(cluster.problem)))))
        yield no_live_source("the cluster could not be read", cluster.problem)
        return
    try:
        yield in_cluster(cluster)
    finally:
        cluster.close()


def _message(problem: Problem) -> str:
    return "; ".join(filter(None, (problem.message, problem.advice)))
