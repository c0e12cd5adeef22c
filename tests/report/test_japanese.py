"""Every phrase that can be translated is translated into Japanese, and no other."""

import ast
from string import Formatter

import pytest

from kubectl_applylint.core.outcome import Why
from kubectl_applylint.lint.fixes.steps import UNEXPECTED_LOSSES
from kubectl_applylint.report.japanese import PHRASES
from kubectl_applylint.report.objects.object_details import LOSSES
from kubectl_applylint.report.words import APPLIES_PHRASES, CASE_PHRASES
from tests.test_architecture import MODULES, nodes

NOUNS = {
    "changed object",
    "error",
    "warning",
    "info",
    "problem",
    "object",
    "field",
    "rule",
    "finding",
    "more change",
    "more line",
    "more object",
    "more place",
    "more reason",
    "more finding",
    "unit",
}
GIVEN = {
    *(set(Why) - {Why.MERGED}),
    "new entry, key",
    *CASE_PHRASES.values(),
    *APPLIES_PHRASES.values(),
    *UNEXPECTED_LOSSES,
    *LOSSES,
    *("folder", "file", "kustomization", "chart"),
    *("deletes", "restarts"),
    "removed here",
    "previous value",
    " in place of the null",
    " since its line was removed from the manifest",
}
"""Phrases that are translated through a variable."""


def translated_phrases() -> set[str]:
    """Return the phrases that the modules translate, and those of headings and severities."""
    calls = (node for module in MODULES for node in nodes(module) if isinstance(node, ast.Call))
    named = [(call.func.id, call.args) for call in calls if isinstance(call.func, ast.Name)]
    words = [arguments[0] for name, arguments in named if name in ("translate", "_section")]
    parts = [part for word in words for part in ast.walk(word)]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


@pytest.mark.slow
def test_every_phrase_is_translated_and_no_other() -> None:
    """A new cause of a change may stay English until it is translated."""
    counted = {f"{{number}} {noun}{end}" for noun in NOUNS for end in ("", "s")}
    levels = {"error", "warning", "info", "high", "medium", "low"}
    phrases = translated_phrases() - {"{number} ", "s", " ", ""} | counted | levels

    assert phrases - set(PHRASES) == set()
    assert set(PHRASES) - phrases - GIVEN == set()


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_translations_have_the_same_placeholders() -> None:
    assert [phrase for phrase in PHRASES if placeholders(phrase) != placeholders(PHRASES[phrase])] == []
