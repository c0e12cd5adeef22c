"""The documents of an editor, and which of them have to be checked next."""

import gc
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from kubectl_applylint.cli.editor.checks import CheckedText, Checker
from kubectl_applylint.cli.editor.definitions import definitions, documents_of
from kubectl_applylint.cli.editor.hover import hover_text
from kubectl_applylint.cli.editor.texts import OpenText, opened_document, path_of, position_in, uri_in, with_changes
from kubectl_applylint.cli.editor.unit_checks import UnitChecker
from kubectl_applylint.cli.terminal.stopwatch import TimeIsUp, limit_time
from kubectl_applylint.cli.unreached import UnreachedError
from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.core.frames import frames_of
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.core.values import Json, JsonObject, dig, objects_at, text_at
from kubectl_applylint.report.formats.lsp import symbol
from kubectl_applylint.sources.system.timing import measure
from kubectl_applylint.sources.text.yaml_text import forget_texts

PAUSE: Final = 0.03
"""Least seconds after the last change before a document is checked."""
LONGEST_PAUSE: Final = 0.2
"""Most seconds; in between, the pause is half as long as the last check, so that not each key begins a slow one."""
_LATER: Final = 1.0
"""Seconds after the last change before the other open documents are checked."""
LARGEST: Final = 4 * 1024 * 1024
"""Maximum number of characters of a document that is checked."""
_MOST_CACHED: Final = 2 * 1024 * 1024
"""Maximum number of characters of checked texts whose parsed documents are cached."""
_LEAST_COUNTED: Final = 16 * 1024
"""The number of characters that a smaller text counts as."""
_LONGEST: Final = 60.0
"""Maximum seconds of a check."""
_BUG: Final = "this is a bug in applylint, please report it with the input and these lines:"
_PUBLISH: Final = "textDocument/publishDiagnostics"
_ERROR: Final = 1


class Session:
    """The open documents with their findings; ``notify`` sends a notification to the editor."""

    def __init__(self, make_checker: Callable[[Json], Checker], notify: Callable[[str, Json], None]) -> None:
        self._make_checker, self._notify = make_checker, notify
        self._checker = make_checker({})
        self._units = UnitChecker(self._checker)
        self._folders: tuple[str, ...] = ()
        self._documents: dict[str, OpenText] = {}
        self._checked: dict[str, CheckedText] = {}
        self._due: dict[str, float] = {}
        self._last_message = ""
        self._characters = 0
        self._pause = PAUSE

    def initialize(self, params: JsonObject) -> None:
        """Begin a session with its workspace folders and settings; files are named relative to the first folder."""
        roots = [text_at(one, "uri") for one in objects_at(params, "workspaceFolders")] or [text_at(params, "rootUri")]
        self._folders = tuple(path for path in map(path_of, roots) if path and os.path.isdir(path))
        if self._folders:
            os.chdir(self._folders[0])
        self._configure(params.get("initializationOptions"))

    def change_settings(self, params: JsonObject) -> None:
        """Use other settings, and check all documents with them."""
        self._configure(params.get("settings"))

    def _configure(self, settings: Json) -> None:
        """Use settings; the former ones stay if they are invalid."""
        try:
            self._checker = self._make_checker(settings)
        except ConfigError as error:
            self.show("; ".join(error.faults))
        self._units.forget()
        self._units = UnitChecker(self._checker, self._folders)
        self._check_all()

    def change_files(self, params: JsonObject) -> None:
        """Check all documents, since files have changed on the disk."""
        self._units.forget()
        self._check_all()

    def _check_all(self) -> None:
        self._checked.clear()
        self._due.update(dict.fromkeys(self._documents, 0.0))

    def open(self, params: JsonObject) -> None:
        """Add a document and check it at once."""
        document = opened_document(params)
        self._units.forget()
        self._documents[document.uri] = document
        self._due[document.uri] = 0

    def change(self, params: JsonObject) -> None:
        """Change the text of a document, and check it after a pause, other documents later.

        A cluster is asked only for documents that are opened or saved.
        """
        uri, now = uri_in(params), time.monotonic()
        if uri not in self._documents:
            return
        self._documents[uri] = with_changes(self._documents[uri], params)
        if self._checker.config.against.asks_cluster:
            return
        others = (one for one in self._documents if one != uri and self._due.get(one, now) >= now)
        self._due.update(dict.fromkeys(others, now + _LATER))
        self._due[uri] = now + self._pause

    def save(self, params: JsonObject) -> None:
        """Check a document, since its file has changed."""
        uri = uri_in(params)
        if uri in self._documents:
            self._units.forget()
            self._checked.pop(uri, None)
            self._due[uri] = 0

    def close(self, params: JsonObject) -> None:
        """Remove a document and its diagnostics."""
        uri = uri_in(params)
        for known in (self._documents, self._checked, self._due):
            known.pop(uri, None)
        self._notify(_PUBLISH, {"uri": uri, "diagnostics": []})

    def seconds_to_check(self) -> float | None:
        """Return the seconds until a document has to be checked, ``None`` if there is none."""
        return max(min(self._due.values()) - time.monotonic(), 0) if self._due else None

    def check_due(self) -> None:
        """Check the document that is due, and publish its diagnostics."""
        now = time.monotonic()
        uri = min(self._due, key=self._due.__getitem__, default=None)
        if uri is not None and self._due[uri] <= now:
            self._current(uri)

    def code_actions(self, params: JsonObject) -> Json:
        """Return the proven edits of the findings in a range."""
        checked = self._current(uri_in(params))
        start, end = (position_in(dig(params, "range", name), f"range.{name}") for name in ("start", "end"))
        return self._checker.fixes(checked, start[0], end[0]) if checked else []

    def definitions(self, params: JsonObject) -> Json:
        """Return the places that the field at a position refers to."""
        document, position = self._documents.get(uri_in(params)), position_in(params.get("position"))
        if document is None:
            return []
        return definitions(document, position, self._units.place(document, self._documents.values()))

    def hover(self, params: JsonObject) -> Json:
        """Return the description of what is at a position, ``None`` if there is none."""
        position, checked = position_in(params.get("position")), self._current(uri_in(params))
        text = hover_text(self._checker, checked, position) if checked else ""
        return {"contents": {"kind": "markdown", "value": text}} if text else None

    def symbols(self, params: JsonObject) -> Json:
        """Return the objects of a document."""
        document = self._documents.get(uri_in(params))
        return [symbol(one, document.lines) for one in documents_of(document)] if document else []

    def _current(self, uri: str) -> CheckedText | None:
        """Return the current text of a document with its findings, which are published.

        It is ``None`` if the document is not open, or is checked only when it is saved.
        """
        document, known = self._documents.get(uri), self._checked.get(uri)
        is_due = self._due.pop(uri, None) is not None
        if document is None or not (is_due or (known and known.document == document)):
            return None
        if known and not is_due:
            return known
        checked, seconds = measure(partial(self._check, document))
        self._checked[uri] = checked
        self._pause = pause_after(seconds)
        self._limit_memory(document)
        version = {"version": document.version} if isinstance(document.version, int) else {}
        self._notify(_PUBLISH, {"uri": uri, "diagnostics": checked.diagnostics, **version})
        return checked

    def _limit_memory(self, document: OpenText) -> None:
        """Release what was cached of earlier versions of texts, and cycles of objects, once these are large."""
        self._characters += max(len(document.text), _LEAST_COUNTED)
        if self._characters > _MOST_CACHED:
            forget_texts()
            gc.collect()  # the program collects no cycles by itself for half a million objects
            self._characters = 0

    def _check(self, document: OpenText) -> CheckedText:
        """Return the findings of a document; a failure is a message to the user."""
        file = os.path.relpath(document.path) if document.path else document.uri
        if len(document.text) > LARGEST:
            self.show(f"{file} is not checked: it has more than {LARGEST // 1024**2} million characters")
            return CheckedText(document, file)
        try:
            with limit_time(_LONGEST):
                return self._in_unit(document) or self._checker.check_alone(document, file)
        except TimeIsUp:
            self.show(f"{file} is not checked: the check took more than {_LONGEST:g} s")
        except Exception as fault:  # one failed check must not end the server; its message may contain a Secret
            self.show(f"{file}: {failure_words(fault)}")
        return CheckedText(document, file)

    def _in_unit(self, document: OpenText) -> CheckedText | None:
        """Return the findings of a document in its unit, ``None`` if it has none or its state cannot be read."""
        try:
            return self._units.check(document, self._documents.values())
        except ConfigError as error:
            self.show("; ".join(error.faults))
        except (UnreachedError, UnreadableError) as error:
            found = error.problem
            self.show(f"{found.where}: {found.message}; {found.advice}")
        return None

    def show(self, message: str) -> None:
        """Show an error to the user, once if it is repeated; all lines of a longer one are logged."""
        first, *rest = message.splitlines()
        if rest:
            self._notify("window/logMessage", {"type": _ERROR, "message": message})
        if message != self._last_message:
            self._notify("window/showMessage", {"type": _ERROR, "message": first})
        self._last_message = message


def pause_after(seconds: float) -> float:
    """Return the seconds between a change and its check, after a check that took ``seconds``."""
    return min(max(PAUSE, seconds / 2), LONGEST_PAUSE)


def failure_words(fault: Exception) -> str:
    """Return the message of an unexpected exception: a limit of the system, or a bug with its place in the code."""
    return shortage(fault) or "\n".join((f"{type(fault).__name__}; {_BUG}", *frames_of(fault)))
