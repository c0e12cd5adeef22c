"""Save the parser of CEL that ``cel-python`` makes, so that no run has to make it again.

    python3 scripts/generate_cel_parser.py

It writes ``kubectl_applylint/server/validate/custom/cel.parser`` for the installed releases of ``lark`` and
``cel-python``: run it when those that the tests install have changed.
"""

from io import BytesIO
from pathlib import Path

from celpy.celparser import CELParser

from kubectl_applylint.server.validate.custom import grammar


def saved() -> bytes:
    """Return a new parser, saved, after a line that says what it is made of."""
    CELParser.CEL_PARSER = None
    CELParser()
    made, parser = CELParser.CEL_PARSER, BytesIO()
    # What is saved names no function of the library: to read it would import that.
    made.options.options["lexer_callbacks"] = {"IDENT": grammar.boolean_or_name}
    made.save(parser)
    return grammar.parser_inputs().encode() + b"\n" + parser.getvalue()


if __name__ == "__main__":
    Path(grammar.__file__).with_name(grammar.READY).write_bytes(saved())
