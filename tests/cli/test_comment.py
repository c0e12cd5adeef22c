"""Reports as comments, as users make them."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.report.markdown_reader import is_balanced

Run = Callable[..., tuple[int, str, str]]
FILES = ("web.yaml", "settings.yaml", "secret.yaml", "--against", "snapshot:prod.json", "--one-apply")


@pytest.fixture(name="reports")
def _reports(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780000000")
    run("plan", *FILES, "-o", "json=plan.json")
    run("check", *FILES, "-o", "json=check.json")


def test_a_comment_is_what_the_plan_prints_as_markdown(reports: None, run: Run) -> None:
    code, text, err = run("comment", "plan.json")

    assert (code, err) == (0, "")
    assert text == run("plan", *FILES, "-o", "markdown")[1]
    assert text.startswith("<!-- applylint:plan -->\n### applylint plan (rejected): 1 rejected, 2 created\n")
    assert "2026-05-28 20:26 UTC" in text


def test_several_reports_have_one_marker(reports: None, run: Run) -> None:
    _, text, _ = run("comment", "plan.json", "check.json", "--marker", "plan:prod", "--commit", "0a1b2c3")

    assert text.startswith("<!-- applylint:plan:prod -->\n")
    assert [line.split(":")[0] for line in text.splitlines() if line.startswith("### ")] == [
        "### applylint plan (rejected)",
        "### applylint check (rejected)",
    ]
    assert "commit 0a1b2c3" in text
    assert is_balanced(text)


def test_a_shortened_comment_links_to_the_artifact(reports: None, run: Run) -> None:
    _, text, _ = run("comment", "plan.json", "--limit", "600", "--artifact", "https://ci.example/1?a=b#c")

    assert len(text) <= 600
    assert "(details in the [artifact](https://ci.example/1?a=b#c))" in text


def test_a_report_comes_from_standard_input_too(reports: None, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    content = io.BytesIO(Path("plan.json").read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(content))

    assert run("comment", "-")[1].startswith("<!-- applylint:plan -->")


@pytest.mark.parametrize("name", ["a--b", "a-", "-->", "a b", "@team", ""])
def test_a_marker_cannot_end_its_comment(reports: None, run: Run, name: str) -> None:
    code, text, err = run("comment", "plan.json", f"--marker={name}")

    assert (code, err != "") == ((2, True) if name else (0, False))
    assert not text or text.startswith("<!-- applylint:plan -->")


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://a.example/)b", "https://a.example/ b", "//a"])
def test_an_address_is_only_a_link(reports: None, run: Run, address: str) -> None:
    assert run("comment", "plan.json", "--artifact", address)[0] == 2


def test_a_limit_without_room_is_wrong_use(reports: None, run: Run) -> None:
    code, _, err = run("comment", "plan.json", "--limit", "100")

    assert code == 2
    assert err.startswith("applylint: --limit: headings and notes alone need ")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("{}", "not a report of check or plan"),
        (json.dumps({"version": "json-v1", "command": "again"}), "a report of again cannot be made a comment"),
    ],
)
def test_a_file_without_a_report_is_named(folder: Path, run: Run, content: str, reason: str) -> None:
    (folder / "odd.json").write_text(content)

    assert run("comment", "odd.json") == (
        3,
        "",
        f"applylint: odd.json: {reason}; write it with applylint plan -o json=FILE\n",
    )
    assert run("comment", "nothing.json")[0] == 3


def test_values_of_secrets_are_masked(reports: None, run: Run) -> None:
    assert "correct-horse-battery" not in run("comment", "plan.json", "check.json")[1]


def test_an_edited_report_acts_on_nothing(reports: None, run: Run) -> None:
    report = json.loads(Path("plan.json").read_text())
    part = report["review"]["units"][0]["parts"][0]
    part["diff"] = ["```\n/approve\n<!-- applylint:prod -->", "````", "@team"]
    part["word"] = part["title"] = report["review"]["summary"] = "</summary><script> @team\n/approve"
    Path("plan.json").write_text(json.dumps(report))
    _, text, _ = run("comment", "plan.json")

    assert is_balanced(text)
    assert "<script" not in text
    assert [line for line in text.splitlines() if line.startswith("/")] == []
