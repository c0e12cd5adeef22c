from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.model import LiveAssumption, Proof
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import (
    count,
    join_lines,
    message_in_units,
    paint,
    path_in_files,
    place,
    proof_words,
    rule_words,
    show,
    steps,
    visible_columns,
    wrap,
)
from tests.report.samples import FINDING


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (MISSING, "(absent)"),
        (None, "null"),
        ("é <b>", '"é <b>"'),
        ({"b": 1, "a": Unknown("set by the server")}, '{"a": {"$unknown": "set by the server"}, "b": 1}'),
        (Unknown("set by the server"), "(unknown: set by the server)"),
        ("x" * 80, '"' + "x" * 70 + "…"),
    ],
    ids=["missing", "null", "text", "map", "unknown", "long"],
)
def test_values_are_shown_as_json_on_one_line(value: Json, text: str) -> None:
    assert show(value) == text


def test_a_long_value_is_whole_when_asked() -> None:
    assert show("x" * 80, whole=True) == '"' + "x" * 80 + '"'


def test_numbers_agree_with_their_nouns() -> None:
    assert [count(1, "error"), count(2, "error"), count(0, "entry", "entries")] == ["1 error", "2 errors", "0 entries"]


def test_wrapping_does_not_count_colours() -> None:
    context = Context(color=True, width=40)
    text = f"  {paint('error', 'error', context)} " + "word " * 12

    assert wrap(text.rstrip(), context, indent="    ") == (
        "  \x1b[1;31merror\x1b[0m word word word word word word\n    word word word word word word"
    )


def test_wrapping_does_not_count_links() -> None:
    context = Context(width=40, url_of=lambda file, line: f"file://host/{file}#{line}")
    text = f"{place('web.yaml:3:7', context)}: {'word ' * 6}end"

    assert visible_columns(text) == 47
    assert wrap(text, context, indent="") == f"{place('web.yaml:3:7', context)}: {'word ' * 4}word\nword end"


@pytest.mark.parametrize(
    ("where", "asked"),
    [("a/web.yaml:3:7", ("a/web.yaml", 3)), ("web.yaml", ("web.yaml", 0)), ("C:web.yaml:1:2", ("C:web.yaml", 1))],
    ids=["line", "file", "colon"],
)
def test_a_place_leads_to_its_file_and_line(where: str, asked: tuple[str, int]) -> None:
    seen: list[tuple[str, int]] = []

    def url_of(file: str, line: int) -> str:
        seen.append((file, line))
        return "file://host/x"

    assert place(where, Context(url_of=url_of)) == f"\x1b]8;;file://host/x\x1b\\{where}\x1b]8;;\x1b\\"
    assert seen == [asked]


def test_the_name_of_a_file_ends_no_link() -> None:
    context = Context(url_of=lambda file, line: "file://host/x")

    assert place("a\x1b]8;;\x1b\\.yaml", context).count("\x1b") == 4


def test_a_pipe_does_not_wrap() -> None:
    assert wrap("word " * 50, Context(), indent="  ") == "word " * 50


def test_the_words_of_a_rule_leave_blanks_for_values() -> None:
    assert rule_words("drops {name} to {{}} pods") == "drops <name> to {} pods"
    assert rule_words("{apply} {from}", apply="kubectl apply") == "kubectl apply <from>"


def test_commands_never_wrap_and_wrapped_comments_stay_comments() -> None:
    text = "# first look at what the cluster remembers of it\nkubectl apply view-last-applied deployment/web -n shop"

    assert list(steps(text, Context(width=40), first="fix: ", indent="     ")) == [
        "fix: # first look at what the cluster\n     # remembers of it",
        "     kubectl apply view-last-applied deployment/web -n shop",
    ]


def test_japanese_breaks_between_characters_but_not_before_a_full_stop() -> None:
    context = Context(width=40)

    assert wrap("  " + "値" * 18 + "る。次の kubectl apply で消える。", context, indent="    ") == (
        "  " + "値" * 18 + "\n    る。次の kubectl apply で消える。"
    )


def test_a_japanese_paragraph_is_joined_without_spaces() -> None:
    assert join_lines("消える。\nkubectl apply は、\n戻さない。\n") == "消える。kubectl apply は、戻さない。"
    assert join_lines("it is\ngone") == "it is gone"


@pytest.mark.parametrize(
    ("file", "units", "words"),
    [
        ("base/web.yaml", ("dev", "prod"), " (in dev, prod)"),
        ("base/web.yaml", ("a", "b", "c", "d", "e"), " (in a, b, c and 2 more)"),
        ("app/web.yaml", ("app",), ""),
        ("app/web.yaml", ("app/web.yaml",), ""),
        ("web.yaml", (".",), ""),
        ("web.yaml", (), ""),
    ],
)
def test_units_are_named_where_the_file_does_not_identify_them(file: str, units: tuple[str, ...], words: str) -> None:
    finding = replace(FINDING, location=replace(FINDING.location, file=file), units=units)

    assert message_in_units(finding) == f"{FINDING.message}{words}"


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        (Proof(Verdict.UNCHANGED), "after this: unchanged; nothing else changes; the finding is gone"),
        (
            Proof(Verdict.CREATED, was=Verdict.REJECTED),
            "after this: created instead of rejected; the finding is gone",
        ),
        (
            Proof(Verdict.CONFIGURED, is_settled=False, restarts=True, changes=("a", "b", "c", "d")),
            "after this: configured; its pods restart; changes a, b, c, …; the finding is gone",
        ),
        (
            Proof(Verdict.UNCHANGED, cases=(LiveAssumption.FRESH, LiveAssumption.UPGRADE)),
            "after this: unchanged; nothing else changes; the finding is gone (only on a fresh install, on upgrade)",
        ),
    ],
)
def test_a_proof_is_written_on_one_line(proof: Proof, words: str) -> None:
    assert proof_words(proof, Context()) == words


@pytest.mark.parametrize(
    ("file", "revision", "path"),
    [
        ("HEAD~1:raw/cron.yaml", "HEAD~1", "raw/cron.yaml"),
        ("0a1b2c3:raw/cron.yaml", "main", "raw/cron.yaml"),
        ("a:b.yaml", "main", "a:b.yaml"),
        ("HEAD:a.yaml", "", "HEAD:a.yaml"),
        ("a.yaml", "HEAD", "a.yaml"),
    ],
)
def test_a_deleted_file_has_a_path_without_revision(file: str, revision: str, path: str) -> None:
    location = replace(FINDING.location, file=file)

    assert path_in_files(location, Context(revision=revision)) == replace(location, file=path)
