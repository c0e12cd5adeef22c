"""YAML text; ``tests/fidelity/test_record_flux_builds.py`` compares more with that of the library."""

import pytest

from kubectl_applylint.core.go_yaml import format_yaml


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param("a\nb\n", "|\n  a\n  b\n", id="a block"),
        pytest.param([[1, [2, {"a": []}]], {}], "- - 1\n  - - 2\n    - a: []\n- {}\n", id="lists in lists"),
        pytest.param({"k" * 129: {"a": 1}}, f"? {'k' * 129}\n: a: 1\n", id="a long key"),
        pytest.param({"two\nlines": ["x"]}, "? |-\n  two\n  lines\n: - x\n", id="a key with a line break"),
        pytest.param({"b": 1, "a10": None, "a9": True}, "a9: true\na10: null\nb: 1\n", id="sorted keys"),
        pytest.param("😀 x", '"\\U0001F600 x"\n', id="a character beyond 16 bits"),
        pytest.param("\ufeffa b", '"\\uFEFF\\x61\\x20\\x62"\n', id="a byte order mark"),
        pytest.param("a\u2028b\u2029", "'a\u2028  b\u2029'\n", id="a line separator"),
        pytest.param("it's: " + "word " * 17 + "x", f"'it''s: {'word ' * 14}word\n  word word x'\n", id="a long text"),
        pytest.param("\t" + "word " * 16 + "  x y", f'"\\t{"word " * 15}word\n  \\  x y"\n', id="spaces at a fold"),
        pytest.param(
            {"a01": 1, "a1": 2, "a100": 4, "a101": 3}, "a1: 2\na01: 1\na100: 4\na101: 3\n", id="zeros in keys"
        ),
        pytest.param("a\u2028 b", '"a\\L b"\n', id="a space after a line separator"),
        pytest.param("word " * 17 + "x", f"{'word ' * 16}word\n  x\n", id="a long plain text"),
        pytest.param("", '""\n', id="empty"),
    ],
)
def test_styles(value: object, text: str) -> None:
    assert format_yaml(value) == text


def test_all_lines_have_the_indent() -> None:
    assert format_yaml({"a": ["x"], "b": "1\n2"}, indent=2) == "  a:\n  - x\n  b: |-\n    1\n    2\n"
