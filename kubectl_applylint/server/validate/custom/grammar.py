"""CEL's parser, loaded from a file: ``cel-python`` takes a quarter of a second to build it from the grammar.

The shipped one (``cel.parser``) is what ``scripts/generate_cel_parser.py`` saves with Lark's own means. It fits the
releases of the libraries that it was made with; with others ``cel-python`` builds its parser as usual. If it fits, that
library is not imported, which would take three times as long as Lark.
"""

import hashlib
import pickle
from functools import cache, lru_cache
from importlib.util import find_spec
from pkgutil import get_data
from typing import Any, Final

import lark

from kubectl_applylint.server.validate.custom.syntax import rewrite_optional

READY = "cel.parser"
_WORDS: Final = ("true", "false")
_LIBRARY: Final = find_spec("celpy")
if _LIBRARY is None:
    raise ModuleNotFoundError("No module named 'celpy'", name="celpy")


class ExpressionSyntaxError(Exception):
    """An expression cannot be parsed."""


def boolean_or_name(token: lark.Token) -> lark.Token:
    """Return the token of a word that the grammar reads as a name, as a boolean if it is one."""
    return lark.Token("BOOL_LIT", token.value) if token.value in _WORDS else token


def parser() -> lark.Lark:
    """Return the parser of CEL: the shipped one if it fits the libraries.

    ``celpy.Environment`` would lower the recursion limit of the whole process.
    """
    made_with, _, ready = (get_data(__name__, READY) or b"").partition(b"\n")
    if made_with.decode() == parser_inputs():
        return lark.Lark.load(pickle.loads(ready))
    from celpy.celparser import CELParser  # noqa: PLC0415  46 ms that the shipped parser does not need

    CELParser()
    made: Any = CELParser.CEL_PARSER
    assert isinstance(made, lark.Lark)
    return made


@lru_cache(maxsize=4096)
def parse_expression(expression: str) -> lark.Tree[lark.Token]:
    """Return the tree of an expression; raise ``ExpressionSyntaxError`` if it cannot be parsed."""
    try:
        return _parser().parse(rewrite_optional(expression))
    except lark.exceptions.LarkError as error:
        raise ExpressionSyntaxError(str(error)) from None


_parser: Final = cache(parser)


def parser_inputs() -> str:
    """Return the inputs of a parser: the release of Lark, and a digest of the grammar."""
    return f"lark {lark.__version__} cel.lark {hashlib.sha256(_grammar()).hexdigest()}"


def _grammar() -> bytes:
    """Return the grammar of the library without importing it."""
    assert _LIBRARY is not None
    read = getattr(_LIBRARY.loader, "get_data", lambda path: b"")
    return b"".join(read(f"{folder}/cel.lark") for folder in _LIBRARY.submodule_search_locations or ())
