import json
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.safe_text import Target, inert, link, one_line, page, visible_lines, without_links
from tests.readers import commands, sections, steering

ODD = [
    *("\x1b[2J", "\x9b2J", "\x1b]0;title\x07", "\r", "\n", "\t", "\x00", "\x7f", "\x85", "\u2028", "\u202e", "\u2066"),
    *("\u200b", "\u200d", "\ufeff", "\u00ad", "\U000e0041", "\udcff", "::error::x", "##[group]x", "##vso[task]x"),
    *(
        "section_start:1:x\r\x1b[0K",
        "::add-mask::a",
        " \u3000::stop-commands::a",
        "é",
        "名",
        "a",
        "#",
        "[",
        ":",
        "&",
        "<",
    ),
]
"""Characters and words that something acts on, and a few that nothing does."""
hostile = st.lists(st.sampled_from(ODD) | st.text(max_size=3), max_size=8).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 名", "plain é 名"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x1b[2J", "\\u001b[2J"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb", "a\\u200bb"),
        ("\U000e0041", "\\U000e0041"),
        ("\udcff", "\\udcff"),
    ],
    ids=["harmless", "blanks", "escape", "direction", "no width", "tag", "half a pair"],
)
def test_characters_that_act_on_a_terminal_are_escaped(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_lines_stay_lines() -> None:
    assert visible_lines("a\n\tb\x1b") == "a\n\\tb\\u001b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a::b", "a::b"),
        ("::1 is an address", "\\::1 is an address"),
        (" \u3000::error::x", " \u3000\\::error::x"),
        ("a ##[error]b", "a ##\\[error]b"),
        ("##vso[task.x]", "##vso\\[task.x]"),
        ("# heading [x]", "# heading [x]"),
        ("section_start:1:a", "section_start\\:1:a"),
        ("section_start: a", "section_start: a"),
    ],
    ids=["inside", "address", "blanks", "bracket", "azure", "markdown", "section", "no section"],
)
def test_no_runner_takes_a_line_for_a_command(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(hostile)
def test_one_line_is_one_line_of_visible_characters(text: str) -> None:
    shown = one_line(text)

    assert steering(shown) == []
    assert len(shown.split("\n")) == 1


@given(hostile, st.booleans())
def test_a_page_of_text_acts_on_nothing(text: str, color: bool) -> None:
    shown = page(text, color=color)

    assert steering(shown, color=color) == []
    assert [*commands(shown)] == []
    assert sections(shown) == []


def test_only_our_own_colours_stay() -> None:
    ours, foreign = "\x1b[1;31merror\x1b[0m", "\x1b[8mhidden\x1b[2J"

    assert page(ours + foreign, color=True) == f"{ours}\\u001b[8mhidden\\u001b[2J"
    assert "\x1b" not in page(ours)


@given(st.lists(hostile))
def test_json_is_spelled_otherwise_and_stays_the_same_data(texts: list[str]) -> None:
    text = json.dumps(texts, ensure_ascii=False, indent=2)
    shown = page(text, Target.JSON)

    assert json.loads(shown) == json.loads(json.dumps(texts))
    assert steering(shown) == []
    assert [*commands(shown)] == []


@given(hostile)
def test_xml_is_spelled_otherwise_and_stays_the_same_data(text: str) -> None:
    legal = "".join(letter for letter in text if ord(letter) > 0x1F or letter in "\t\n")
    legal = "".join(
        letter for letter in legal if not (0xD800 <= ord(letter) < 0xE000 or ord(letter) in (0xFFFE, 0xFFFF))
    )
    shown = page(f"<a>{escape(legal)}</a>", Target.XML)

    assert (ElementTree.fromstring(shown).text or "") == legal
    assert steering(shown) == []
    assert [*commands(shown)] == []


def test_commands_of_ours_stay_and_none_is_added() -> None:
    assert page("::error title=a::b ##[group]c\x1b\n", Target.COMMANDS) == "::error title=a::b ##\\[group]c\\u001b\n"


def test_a_shell_gets_its_tabs() -> None:
    assert page("web\tthe name\n:4\n\x1b", Target.SHELL) == "web\tthe name\n:4\n\\u001b"


LINKED = link("web.yaml:1:1", "file://here/home/me/web.yaml#1")


def test_links_to_files_stay_where_they_are_asked_for() -> None:
    assert page(LINKED, links=True) == LINKED
    assert page(f"\x1b[1m{LINKED}\x1b[0m", color=True, links=True) == f"\x1b[1m{LINKED}\x1b[0m"
    assert page(f"\x1b[1m{LINKED}", links=True) == f"\\u001b[1m{LINKED}"
    assert "\x1b" not in page(LINKED, color=True)
    assert without_links(f"see {LINKED}!") == "see web.yaml:1:1!"


def test_without_a_url_there_is_no_link() -> None:
    assert link("web.yaml", "") == "web.yaml"


@pytest.mark.parametrize(
    "foreign",
    [
        "\x1b]8;;https://evil.example\x1b\\",
        "\x1b]8;;file://here/a\x07",
        "\x1b]8;id=1;file://here/a\x1b\\",
        "\x1b]8;;file://here/\x1b[2J\x1b\\",
        "\x1b]8;;file://here/a b\x1b\\",
        "\x1b]0;title\x1b\\",
    ],
    ids=["other scheme", "bell", "parameters", "sequence inside", "blank", "title"],
)
def test_no_other_sequence_of_the_kind_stays(foreign: str) -> None:
    assert not page(foreign, color=True, links=True).startswith("\x1b")


@given(st.text())
def test_a_value_is_never_a_link(text: str) -> None:
    value = one_line(f"{LINKED}{text}")

    assert "\x1b" not in page(value, links=True)
