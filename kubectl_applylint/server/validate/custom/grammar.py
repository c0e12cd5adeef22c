"""CEL's parser, read instead of made: ``cel-python`` takes a quarter of a second to make it of the grammar.

The one that ships (``cel.parser``) is what ``scripts/generate_cel_parser.py`` saves with Lark's own means. It serves
the releases of the libraries that it was made with; with others ``cel-python`` makes its parser as ever.
"""

import hashlib
import pickle
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Final

import lark
from celpy import celparser

from kubectl_applylint.server.validate.custom.syntax import rewritten

READY = "cel.parser"


def parser() -> celparser.CELParser:
    """Return what parses CEL: the parser that ships, where that fits the libraries.

    ``celpy.Environment`` would lower the recursion limit of the whole process.
    """
    if celparser.CELParser.CEL_PARSER is None:
        made_with, _, ready = (get_data(__name__, READY) or b"").partition(b"\n")
        if made_with.decode() == made_of():
            celparser.CELParser.CEL_PARSER = lark.Lark.load(pickle.loads(ready))
    return celparser.CELParser()


@lru_cache(maxsize=4096)
def parsed(expression: str) -> lark.Tree[lark.Token]:
    """Return the tree of an expression; raise ``CELParseError`` where there is none."""
    return _parser().parse(rewritten(expression))


_parser: Final = cache(parser)


def made_of() -> str:
    """Return what a parser is made of: the release of Lark, and a digest of the grammar."""
    grammar = get_data(celparser.__name__, "cel.lark") or b""
    return f"lark {lark.__version__} cel.lark {hashlib.sha256(grammar).hexdigest()}"
