"""The repositories and charts that the sources of an Application name: the examined one, or those of the store."""

from collections.abc import Mapping

from kubectl_applylint.core.values import JsonObject, dig, items
from kubectl_applylint.run.sides.chart_folders import MISSING, ChartError
from kubectl_applylint.run.sides.revision_sides import find_word
from kubectl_applylint.run.sides.side import ASK_AGAIN, GIT_ADVICE, Side
from kubectl_applylint.run.sides.source_files import SourceFiles
from kubectl_applylint.run.sides.stored_side import stored_side
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_archive import ArchiveError
from kubectl_applylint.sources.store.chart_source import public_url
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource, sources_of
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.remotes import OTHER_REVISION, revision_named


def source_files(
    side: Side, unit: Unit, application: JsonObject, source: ApplicationSource, variables: Mapping[str, str]
) -> SourceFiles:
    """Return the files of a source of an Application; raise ``ChartError`` if the store does not have them.

    ``side`` is the examined repository.
    """
    named = {one.ref: one for one in sources_of(application) if one.ref}

    def find_referenced(ref: str) -> Side | None:
        return _side_of(side, named[ref], unit) if ref in named else None

    own = _side_of(side, source, unit)
    is_one_of_several = bool(items(dig(application, "spec", "sources")))
    return SourceFiles(own, source.path, find_referenced, variables, is_one_of_several=is_one_of_several)


def is_examined(source: ApplicationSource, unit: Unit) -> bool:
    """Return whether a source is the examined repository in its examined revision."""
    applied = unit.applied
    return (
        source.url not in applied.other_repositories and revision_named(source.revision) not in applied.other_revisions
    )


def _side_of(side: Side, source: ApplicationSource, unit: Unit) -> Side:
    stored = source.chart_source if source.chart else source.repository
    if stored is None or not (source.chart or source.url in unit.applied.other_repositories):
        return _side_of_revision(side, source, unit)
    found = store.chart(stored)
    what = "chart" if source.chart else "repository"
    if isinstance(found, store.MissingChart):
        if found.absence:
            raise ChartError(f"{what} {found.reason}", advice=ASK_AGAIN)
        raise ChartError(f"{what} {found.reason}", MISSING if source.chart else f"the {what} is not in the store")
    try:
        files = found.unpack().files if source.chart else found.files()
    except ArchiveError as error:
        raise ChartError(f"its {what}: {error}") from error
    return stored_side(f"{public_url(stored.url)}@{found.version[:12]}".partition("://")[2], files)


def _side_of_revision(side: Side, source: ApplicationSource, unit: Unit) -> Side:
    """Return the files of the repository in the revision of a source."""
    revision = revision_named(source.revision)
    if source.chart or revision not in unit.applied.other_revisions:
        return side
    found = find_word(side.find_revision, revision)
    if found is None:
        reason = f"{OTHER_REVISION}{revision}"
        raise ChartError(f"{reason}, which git does not have here", reason, GIT_ADVICE)
    return found
