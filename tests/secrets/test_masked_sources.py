"""Lines of files for excerpts."""

import pytest

from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import fields
from kubectl_applylint.secrets.masked_sources import mask_sources
from kubectl_applylint.secrets.secret_places import MASK
from tests.report.samples import FILE, TOKEN, WEB, document


def test_excerpts_end_where_a_value_begins() -> None:
    lines = ("kind: Secret", "data: {a: eHg=, b: eXk=}", "stringData:", "  c: |", "    one", "    two", "type: x")
    spans = {
        fields("data", "a"): Span(2, 11, 2, 15),
        fields("data", "b"): Span(2, 20, 2, 24),
        fields("stringData", "c"): Span(4, 6, 7, 1),
    }
    item = {"data": {"a": "eHg=", "b": "eXk="}, "stringData": {"c": "one\ntwo\n"}}
    documents = [document(TOKEN, item, spans), document(WEB, {"data": {"a": "eHg="}}, spans)]

    assert mask_sources({FILE: lines, "other": ("data: 1",)}, documents) == {
        FILE: ("kind: Secret", f"data: {{a: {MASK}", "stringData:", f"  c: {MASK}", MASK, MASK, "type: x"),
        "other": ("data: 1",),
    }


def test_hidden_lines_are_returned_empty() -> None:
    lines = ("kind: Secret", "data:", "  a: eHg=", "type: x")
    documents = [document(TOKEN, {"data": {"a": "eHg="}}, {fields("data", "a"): Span(3, 6, 3, 10)})]
    key = ("-----BEGIN RSA PRIVATE KEY-----", "abc", "-----END RSA PRIVATE KEY-----", "end")

    assert mask_sources({FILE: lines, "key": key}, documents, (), {FILE: {3, 4}, "key": {2}}) == {
        FILE: ("", "", f"  a: {MASK}", "type: x"),
        "key": (f"{key[0]}{MASK}", MASK, MASK, "end"),
    }


def test_a_value_without_a_place_of_its_own_hides_what_holds_it() -> None:
    item = {"data": {"a": "eHg="}}

    assert mask_sources({FILE: ("data:", "  a: eHg=")}, [document(TOKEN, item)]) == {FILE: (MASK, MASK)}


@pytest.mark.parametrize(
    ("lines", "span", "shown"),
    [
        (("data: {a: one, a: eHg=}",), Span(1, 7, 1, 24), (f"data: {{a: {MASK}",)),
        (
            ("data:", "  'a': one", "", "  a: eHg="),
            Span(2, 3, 4, 14),
            ("data:", f"  'a': {MASK}", "", f"  a: {MASK}"),
        ),
        (
            ("data:", "  a: |", "    one: two", "  a: eHg="),
            Span(2, 3, 5, 1),
            ("data:", f"  a: {MASK}", MASK, f"  a: {MASK}"),
        ),
    ],
    ids=["flow", "block", "text"],
)
def test_a_key_that_is_written_twice_hides_both_values(
    lines: tuple[str, ...], span: Span, shown: tuple[str, ...]
) -> None:
    last = Span(len(lines), 6, len(lines), 10) if len(lines) > 1 else Span(1, 20, 1, 24)
    item = {"data": {"a": "eHg="}}

    masked = mask_sources({FILE: lines}, [document(TOKEN, item, {fields("data"): span, fields("data", "a"): last})])

    assert masked == {FILE: shown}


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("kind: Secret # a", "# b", "type: x"), (f"kind: Secret {MASK}", MASK, "type: x")),
        (
            ("# a", "kind: Secret", "type: x", "  # b", "---", "# c"),
            (MASK, "kind: Secret", "type: x", f"  {MASK}", "---", "# c"),
        ),
        (("# c", "--- # a", "kind: Secret", "type: a#b"), ("# c", f"--- {MASK}", "kind: Secret", "type: a#b")),
    ],
    ids=["own line", "to the end", "from the start"],
)
def test_comments_in_a_secret_are_masked(lines: tuple[str, ...], shown: tuple[str, ...]) -> None:
    line = next(number for number, line in enumerate(lines, start=1) if line.startswith("kind"))
    places = {fields("kind"): Span(line, 7, line, 13)}

    assert mask_sources({FILE: lines}, [document(TOKEN, {"kind": "Secret"}, places)]) == {FILE: shown}
    assert mask_sources({FILE: lines}, [document(WEB, {"kind": "Secret"}, places)]) == {FILE: lines}
