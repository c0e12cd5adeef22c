"""Applies the edits of a finding to the text of a file, as an editor does."""

import re
from collections.abc import Sequence

from kubectl_applylint.lint.model import Edit


def patch_text(text: str, edits: Sequence[Edit]) -> str:
    """Return the text after edits that do not overlap."""
    begins = [0, *(found.end() for found in re.finditer("\n", text)), len(text)]
    for edit in sorted(edits, key=lambda one: one.location.span, reverse=True):
        span = edit.location.span
        start = begins[span.line - 1] + span.column - 1
        end = begins[span.end_line - 1] + span.end_column - 1
        text = text[:start] + edit.text + text[end:]
    return text
