"""The language server of ``lsp``, based on pygls: when documents are checked, and the responses."""

import asyncio
import os
from typing import Final

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer

from kubectl_applylint import __version__
from kubectl_applylint.cli.lsp_checks import TextChecker, TextFindings
from kubectl_applylint.core.frames import frames_of
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.core.values import JsonObject, dig

_PAUSE: Final = 0.3
"""Seconds after the last keystroke before a text is checked."""
_BUG: Final = "this is a bug in applylint, please report it with the input and these lines:"
_structure: Final = get_converter().structure


def server(checker: TextChecker) -> LanguageServer:
    """Return a server that checks the open documents."""
    made = LanguageServer("applylint", __version__)
    found: dict[str, TextFindings] = {}

    def check(uri: str) -> None:
        found[uri] = _findings(made, checker, uri)
        diagnostics = [_structure(one, types.Diagnostic) for one in found[uri].diagnostics]
        made.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def on_open(params: types.DidOpenTextDocumentParams) -> None:
        check(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def on_change(params: types.DidChangeTextDocumentParams) -> None:
        found.pop(params.text_document.uri, None)  # edits of the text as it was would damage the new one
        await asyncio.sleep(_PAUSE)
        if made.workspace.get_text_document(params.text_document.uri).version == params.text_document.version:
            check(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def on_save(params: types.DidSaveTextDocumentParams) -> None:
        check(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def on_close(params: types.DidCloseTextDocumentParams) -> None:
        found.pop(params.text_document.uri, None)
        made.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    @made.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    def quick_fixes(params: types.CodeActionParams) -> list[types.CodeAction]:
        every = found.get(params.text_document.uri, TextFindings()).actions
        return [_structure(one, types.CodeAction) for one in every if _is_at(one, params.range)]

    return made


def _findings(made: LanguageServer, checker: TextChecker, uri: str) -> TextFindings:
    """Return the findings of a document; log failures instead of raising them."""
    document = made.workspace.get_text_document(uri)
    file = os.path.relpath(document.path) if document.path else uri
    try:
        return checker.check(document.source, file, uri)
    except Exception as fault:  # one failed check must not end the server; its message may contain a Secret
        bug = "\n".join((f"{type(fault).__name__}; {_BUG}", *frames_of(fault)))
        message = f"{file}: {shortage(fault) or bug}"
        made.window_log_message(types.LogMessageParams(types.MessageType.Error, message))
        return TextFindings()


def _is_at(action: JsonObject, asked: types.Range) -> bool:
    """Return whether the diagnostic of an action starts on a requested line."""
    line = dig(action["diagnostics"][0], "range", "start", "line")
    return isinstance(line, int) and asked.start.line <= line <= asked.end.line
