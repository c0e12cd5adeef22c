"""The command ``lsp``: a language server for editors on standard input and output."""

import os
import sys
from functools import partial

from kubectl_applylint.cli.editor.connection import ClientConnection
from kubectl_applylint.cli.editor.server import LanguageServer
from kubectl_applylint.cli.editor.session import Session
from kubectl_applylint.cli.editor.settings import checker_of
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.config.configuration import Config


def lsp(program: str, arguments: Arguments, config: Config) -> int:
    """Serve an editor until it ends the session."""
    # At exit Python locks sys.stdin, from which the thread of the connection may still be reading.
    source = open(os.dup(sys.stdin.fileno()), "rb")  # noqa: SIM115  the thread reads it to its end
    connection = ClientConnection(source, sys.stdout.buffer)
    sys.stdout = sys.stderr  # nothing else may be between the messages
    return LanguageServer(connection, Session(partial(checker_of, arguments), connection.notify)).serve()
