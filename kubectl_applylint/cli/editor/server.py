"""Handles the messages of an editor until it ends the session."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from kubectl_applylint import __version__
from kubectl_applylint.cli.editor.connection import ClientConnection, ClosedError
from kubectl_applylint.cli.editor.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NOT_INITIALIZED,
)
from kubectl_applylint.cli.editor.session import Session, failure_words
from kubectl_applylint.cli.editor.texts import InvalidParamsError
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping

_Handler: TypeAlias = Callable[[Session, JsonObject], Json]
_INCREMENTAL: Final = 2
_CAPABILITIES: Final[JsonObject] = {
    "positionEncoding": "utf-16",
    "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": {"includeText": False}},
    "codeActionProvider": {"codeActionKinds": ["quickfix"]},
    "definitionProvider": True,
    "documentSymbolProvider": True,
    "hoverProvider": True,
}
_WATCH: Final[JsonObject] = {
    "id": "files",
    "method": "workspace/didChangeWatchedFiles",
    "registerOptions": {"watchers": [{"globPattern": "**/*.{yaml,yml,json,tpl}"}]},
}
_NOTIFICATIONS: Final[Mapping[str, _Handler]] = {
    "textDocument/didOpen": Session.open,
    "textDocument/didChange": Session.change,
    "textDocument/didSave": Session.save,
    "textDocument/didClose": Session.close,
    "workspace/didChangeConfiguration": Session.change_settings,
    "workspace/didChangeWatchedFiles": Session.change_files,
}
_REQUESTS: Final[Mapping[str, _Handler]] = {
    "textDocument/codeAction": Session.code_actions,
    "textDocument/definition": Session.definitions,
    "textDocument/documentSymbol": Session.symbols,
    "textDocument/hover": Session.hover,
}


class LanguageServer:
    """Answers the requests of one editor."""

    def __init__(self, connection: ClientConnection, session: Session) -> None:
        self._connection, self._session = connection, session
        self._is_initialized = self._is_shut_down = self._can_watch = False

    def serve(self) -> int:
        """Handle messages until the editor exits; return 0 if it has announced that, else 1."""
        try:
            while True:
                message = self._connection.receive(self._session.seconds_to_check())
                if message is None:
                    self._session.check_due()
                elif message.get("method") == "exit":
                    break
                else:
                    self._handle(message)
        except ClosedError:
            pass
        return 0 if self._is_shut_down else 1

    def _handle(self, message: JsonObject) -> None:
        """Handle a request or a notification; responses are ignored."""
        method, number = message.get("method"), message.get("id")
        if not isinstance(method, str):
            return
        try:
            if "id" in message:
                self._answer(number, method, mapping(message.get("params")))
            elif method == "initialized" and self._can_watch:
                self._connection.request("client/registerCapability", {"registrations": [_WATCH]})
            elif self._is_initialized and method in _NOTIFICATIONS:
                _NOTIFICATIONS[method](self._session, mapping(message.get("params")))
        except InvalidParamsError as fault:
            self._report(message, INVALID_PARAMS, f"{method}: {fault}")
        except ClosedError:
            raise
        except Exception as fault:  # one failed message must not end the server; its content may be a Secret
            self._report(message, INTERNAL_ERROR, f"{method}: {failure_words(fault)}")

    def _report(self, message: JsonObject, code: int, text: str) -> None:
        """Report why a message could not be handled: to its sender, or to the user if it expects no response."""
        if "id" in message:
            self._connection.fail(message["id"], code, text)
        else:
            self._session.show(text)

    def _answer(self, number: Json, method: str, params: JsonObject) -> None:
        """Send the response of a request."""
        if method == "initialize":
            self._is_initialized = True
            watching = dig(params, "capabilities", "workspace", "didChangeWatchedFiles", "dynamicRegistration")
            self._can_watch = watching is True
            self._session.initialize(params)
            about = {"name": "applylint", "version": __version__}
            self._connection.respond(number, {"capabilities": _CAPABILITIES, "serverInfo": about})
        elif not self._is_initialized:
            self._connection.fail(number, NOT_INITIALIZED, f"{method}: the session is not initialized")
        elif self._is_shut_down:
            self._connection.fail(number, INVALID_REQUEST, f"{method}: the session was shut down")
        elif method == "shutdown":
            self._is_shut_down = True
            self._connection.respond(number, None)
        elif method in _REQUESTS:
            self._connection.respond(number, _REQUESTS[method](self._session, params))
        else:
            self._connection.fail(number, METHOD_NOT_FOUND, f"{method} is not supported")
