import subprocess
import sys

import lark
import pytest
from celpy import celparser

from kubectl_applylint.server.validate.custom.grammar import ExpressionSyntaxError, parse_expression, parser

EXPRESSIONS = (
    "self.minReplicas <= self.replicas",
    "!has(self.a) || self.a.all(x, x.startsWith('v') && size(x) > 2u)",
    "self['a b'].b(1, -2.5e3) ? {'x': [1, 0x1F]} : null in true // a remark",
    'r"\\d+" + b"x" + """three"""',
    "true && truest || !false",
)


@pytest.fixture(name="without_parser")
def _without_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the library's one parser."""
    monkeypatch.setattr(celparser.CELParser, "CEL_PARSER", None)


@pytest.mark.usefixtures("without_parser")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_parser_that_ships_reads_as_the_librarys_own(expression: str) -> None:
    assert parser().parse(expression) == celparser.CELParser().parse(expression)


@pytest.mark.usefixtures("without_parser")
def test_with_another_release_of_the_library_its_own_parser_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lark, "__version__", "0.0.1")

    assert hasattr(parser(), "source_grammar")  # one that was read knows no grammar any more


def test_an_invalid_expression_is_rejected() -> None:
    with pytest.raises(ExpressionSyntaxError):
        parse_expression("self. > 1")


def test_parsing_and_estimating_import_no_library() -> None:
    script = (
        "import sys; from kubectl_applylint.server.validate.custom.decls import Decl;"
        "from kubectl_applylint.server.validate.custom.estimating import estimate;"
        "assert estimate(\"self == 'a'\", Decl('string', 8, 2), optional=False) is not None;"
        "assert 'celpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_parsing_leaves_the_recursion_limit_alone() -> None:
    before = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(20_000)
        parse_expression("self.a == 7919")
        assert sys.getrecursionlimit() == 20_000
    finally:
        sys.setrecursionlimit(before)
