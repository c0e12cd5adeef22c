"""Globs against what github.com/gobwas/glob v0.2.3 returned for them (``globs.jsonl``, recorded on 2026-11-27)."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.core.patterns.globs import glob_matches

RECORDED = [json.loads(line) for line in Path(__file__).with_name("globs.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(("pattern", "text", "separators", "expected"), RECORDED)
def test_patterns_match_as_in_go(pattern: str, text: str, separators: str, expected: bool) -> None:
    assert glob_matches(pattern, text, separators) is expected


def test_patterns_with_too_many_alternatives_match_nothing() -> None:
    assert not glob_matches("{a,b}" * 8, "a" * 8)
