"""Checks of a document within its unit, as ``check FILE`` does, with the texts of the editor in place of files."""

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, nullcontext
from typing import Final

from kubectl_applylint.cli.editor.checks import CheckedText, Checker
from kubectl_applylint.cli.editor.texts import OpenText
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.state import live_sources, request_of
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine.recent_outcomes import RecentOutcomes
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.run.compare.live_source import LiveSources
from kubectl_applylint.run.evaluate import RuleEvaluation
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.pipeline import run
from kubectl_applylint.run.request import Request, RequestScope, scope_of
from kubectl_applylint.run.sides.places import Place, place_of, with_cache
from kubectl_applylint.run.sides.sides import with_texts
from kubectl_applylint.run.sides.units_of import declares
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.remotes import OwnSources

_DECLARING: Final = ("Chart.yaml", "fleet.yaml", "skaffold.yaml")
"""The files besides kustomizations that define units by their names."""


class UnitChecker:
    """Checks documents within their units. What is read of the disk is kept until ``forget``."""

    def __init__(self, checker: Checker, folders: Iterable[str] = ()) -> None:
        self._checker = checker
        self._dispatch = Dispatch(checker.rules.rules, checker.rules.silent)
        self._folders = tuple(map(os.path.realpath, folders))
        self._places: dict[str, Place | None] = {}
        self._opened = ExitStack()
        self._sources: LiveSources | None = None
        self._recent = RecentOutcomes()

    def forget(self) -> None:
        """Read files and the state to compare with again, since they may have changed."""
        self._opened.close()
        self._places, self._sources = {}, None

    def check(self, document: OpenText, texts: Iterable[OpenText]) -> CheckedText | None:
        """Return a document with the findings in its unit, ``None`` if it has none; ``texts`` are all open documents.

        Raises ``ConfigError``, ``UnreachedError`` or ``UnreadableError`` if the state to compare with is not known.
        """
        place = self.place(document, texts)
        if place is None:
            return None
        file = place.side.label(place.paths[0])
        arguments = replace(self._checker.arguments, files=(file,))
        request = replace(request_of(arguments, self._checker.config), is_listed=True)
        if scope_of(request) is RequestScope.ONE_APPLY:
            return None
        checker = self._checker
        evaluation = RuleEvaluation(self._dispatch, checker.policy, lightest=None)
        # What a program renders of an unsaved text is not written to the cache.
        with use_folder("") if place.side.edited else nullcontext():
            sources = self._live_sources(arguments, request)
            self._recent.begin_run()
            result = run(request, nullcontext(sources), evaluation, Executor(place=place))
        return checker.with_diagnostics(document, file, result.runs, result.report)

    def place(self, document: OpenText, texts: Iterable[OpenText]) -> Place | None:
        """Return the repository or folder of a document, with the texts of open documents.

        Its only path is that of the document. It is ``None`` for a document that is checked alone.
        """
        place = self._place(document.path)
        path = place.path_of(document.path) if place else None
        return _with_texts(replace(place, paths=(path,)), texts) if place and path is not None else None

    def _live_sources(self, arguments: Arguments, request: Request) -> LiveSources:
        """Return the open sources to compare with, opened once for all documents."""
        if self._sources is None:
            opening = live_sources(arguments, self._checker.config, request)
            opened = self._opened.enter_context(opening)
            self._sources = replace(opened, shared=replace(opened.shared, recent=self._recent))
        return self._sources

    def _place(self, file: str) -> Place | None:
        """Return the repository or the workspace folder of a file, ``None`` without one and for a new file."""
        if not file or not os.path.isfile(file) or not self._is_inside(os.path.dirname(file)):
            return None
        if file not in self._places:
            self._places[file] = self._read_place(file)
        return self._places[file]

    def _is_inside(self, folder: str) -> bool:
        """Return whether a folder is in a workspace folder; in a session without any, each one is."""
        real = os.path.realpath(folder)
        return not self._folders or any(
            f"{real}{os.sep}".startswith(f"{one.rstrip(os.sep)}{os.sep}") for one in self._folders
        )

    def _read_place(self, file: str) -> Place | None:
        """Return the place of a file, which other files of the repository share."""
        found = git.repository(os.path.dirname(file))
        for place in filter(None, self._places.values()):
            if isinstance(found, Repository) and place.repository == found and place.path_of(file) in place.side.paths:
                return place
        if not isinstance(found, Repository) and not self._folders:
            return None
        config = self._checker.config
        return with_cache(place_of([file], config.units, OwnSources((), config.own_sources)), config.units)


def _with_texts(place: Place, texts: Iterable[OpenText]) -> Place:
    """Return a place with the texts of documents that differ from their files."""
    paths = {place.path_of(one.path): one.text.encode(errors="surrogatepass") for one in texts if one.path}
    edited = {
        path: text for path, text in paths.items() if path in place.side.paths and text != place.side.content(path)
    }
    if not edited:
        return place
    return replace(
        place,
        side=with_texts(place.side, edited),
        known=None if _may_change_units(place, edited) else place.known,
    )


def _may_change_units(place: Place, edited: Mapping[str, bytes]) -> bool:
    """Return whether edited texts may declare other units, or provide values to units."""
    if place.known is None or any(map(_has_inputs, place.known.units)):
        return True
    named = (is_kustomization(path) or os.path.basename(path) in _DECLARING for path in edited)
    return any(named) or any(declares(text) or declares(place.side.content(path)) for path, text in edited.items())


def _has_inputs(unit: Unit) -> bool:
    """Return whether a unit has variables or values of other objects."""
    return bool(unit.applied.variables.values or unit.applied.variables.others or unit.applied.release.values)
