"""Texts as programs print them; the spellings are those of Go 1.26 (``%q``, ``encoding/json``) and PyYAML."""

import pytest

from kubectl_applylint.secrets.printed_texts import printed_forms


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("a\tb", [r"a\tb", "a b"]),
        ("a\rb", [r"a\rb", "a b"]),
        ("a\bb", [r"a\bb", r"a\x08b", r"a\u0008b"]),
        ("a\x01b", [r"a\x01b", r"a\u0001b"]),
        ("a\x1bb", [r"a\x1bb", r"a\eb", r"a\u001bb"]),
        ("a\x7fb", [r"a\x7fb", r"a\x7Fb"]),
        ("a\x85b", [r"a\u0085b", r"a\x85b", r"a\Nb", "a b"]),
        ("a\xa0b", [r"a\u00a0b", r"a\xa0b", r"a\_b", "a b"]),
        ("a\u2028b", [r"a\u2028b", r"a\Lb", "a b"]),
        ("a\u200bb", [r"a\u200bb", r"a\u200Bb"]),
        ("a\U000e0001b", [r"a\U000e0001b", r"a\U000E0001b"]),
        ("a\vb", [r"a\vb", r"a\u000bb", r"a\x0bb", "a b"]),
        ("é", [r"\xE9"]),
        ("a<b", [r"a\u003cb"]),
        ('a"\\b', [r"a\"\\b"]),
    ],
)
def test_texts_are_printed_in_several_ways(text: str, spellings: list[str]) -> None:
    assert set(spellings) <= set(printed_forms(text))


def test_a_plain_text_has_no_other_spelling() -> None:
    assert [*printed_forms("correct-horse battery_9")] == []
