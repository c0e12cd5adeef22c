"""Rules are told in plain technical English, and all of it in Japanese too."""

import re
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Final

import pytest

from kubectl_applylint.lint.model import Rule
from kubectl_applylint.rulebook import rulebook

RULES = rulebook.built_in().rules
ENGLISH = ("summary", "message", "why", "fix", "remedy")
INSTEAD: Final = {
    r"\banew\b": "again, recreated",
    r"\bforet(ell|old)": "predict",
    r"\b(nobody|somebody|whoever)\b": "no owner, someone, others, anyone who",
    r"\bwithout a word\b": "silently",
    r"\black(s|ed|ing)?\b": "has no, is missing",
    r"\b(goes|go|went) on\b": "continues",
    r"\bfor ever\b": "forever",
    r"\ball the same\b": "still",
    r"\bhas to be there\b": "is required",
    r"\b(is|are) none\b": "is not a valid X",
    r"\bleft the files\b": "was removed from the files, is orphaned",
    r"\bby turns\b": "alternately",
    r"^(?!.*\bconnection).*\brefus(e|es|ed|ing|al)\b": "reject; only connections are refused",
    r"\bstrikes?\b": "applies, remove",
    r"\bthere is no such\b": "is not defined, not found",
}
"""Words that no text for people holds, as patterns, and what says the same in the terms of Kubernetes."""
FOR_JAPANESE: Final = {
    "リソース構成": "マニフェスト",
    "コントローラ(?!ー)": "コントローラー",
    "クラスタ(?!ー)": "クラスター",
}
"""Spellings that the Japanese documentation of Kubernetes does not use, and its own."""


def texts(rule: Rule) -> dict[str, str]:
    """Return the English texts of a rule by their keys in ``rule.yaml``, without those that it does not have."""
    named = {key: getattr(rule, key) for key in ENGLISH}
    return {key: text for key, text in named.items() if text}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def banned(text: str, words: Mapping[str, str]) -> Iterator[str]:
    """Yield each banned word in a sentence of a text with what to say instead; names of placeholders are no words."""
    bare = " ".join(re.sub(r"\{\w+\}", "{}", text).split())
    for sentence in re.split("(?<=[.:]) ", bare):
        for pattern, instead in words.items():
            yield from (f"{found[0]}: {instead}" for found in re.finditer(pattern, sentence, re.IGNORECASE))


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_a_rule_is_told_in_plain_words(rule: Rule) -> None:
    japanese = rule.translations.get("ja", {})

    assert [(key, word) for key, text in texts(rule).items() for word in banned(text, INSTEAD)] == []
    assert [(key, word) for key, text in japanese.items() for word in banned(text, FOR_JAPANESE)] == []


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_a_rule_is_told_in_japanese_as_well(rule: Rule) -> None:
    english, japanese = texts(rule), rule.translations.get("ja", {})

    assert set(japanese) == set(english)
    assert {key for key, text in english.items() if placeholders(text) != placeholders(japanese[key])} == set()
    assert [key for key in ("summary", "message", "why") if not re.search("[ぁ-ん]", japanese[key])] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the server refuses it", ["the server refuses: reject; only connections are refused"]),
        ("it restarts. Connections to it are refused", []),
        ("a new object would get {anew}", []),
        ("made\nanew: nobody sees it", ["anew: again, recreated", "nobody: no owner, someone, others, anyone who"]),
    ],
    ids=["server", "connection", "placeholder", "two"],
)
def test_banned_words_are_found(text: str, words: list[str]) -> None:
    assert list(banned(text, INSTEAD)) == words
