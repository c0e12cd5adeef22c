import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Outcome, Verdict, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.review.markdown import LIMIT, CommentTooLongError, Frame, comment, report_markdown
from kubectl_applylint.report.review.review import Review, ReviewPart, ReviewUnit
from tests.report.facts.test_facts_json import FACTS
from tests.report.markdown_reader import blocks, is_balanced, render_markdown
from tests.report.samples import CONFIGURED, DOCUMENT, DOUBTFUL, FINDING, REJECTED, REPORT, WEB, change

PLAN = Context(command="plan", version="1.2.3", time="2026-07-01 10:00 UTC")
DEV, PROD = (UnitReport(name, "folder", "kubectl", applies=1) for name in ("dev", "prod"))
PART = ReviewPart("configured", "deployment.apps/web", "", ("web.yaml:1:1",), diff=("@@ a @@", "- 1", "+ 2"))


def report_of(*outcomes: Outcome, units: tuple[UnitReport, ...] = ()) -> Report:
    return Report(outcomes=tuple((replace(DOCUMENT, ref=one.ref), one) for one in outcomes), units=units)


def review_of(*parts: ReviewPart, notes: tuple[str, ...] = (), units: int = 0) -> Review:
    named = [ReviewUnit(f"unit-{number}", parts) for number in range(units)] or [ReviewUnit("", parts)]
    return Review("plan", "5 configured", ("compared with main",), "", "1.2.3", tuple(named), notes)


def numbered_parts(count: int, part: ReviewPart = PART) -> Iterator[ReviewPart]:
    return (replace(part, title=f"deployment.apps/web-{number}") for number in range(count))


def test_a_plan_is_a_comment_with_a_marker_counts_and_folded_objects() -> None:
    created = Outcome(replace(WEB, name="new"), Verdict.CREATED)

    assert report_markdown(
        replace(REPORT, findings=(), outcomes=report_of(CONFIGURED, created).outcomes, skips=()), PLAN
    ) == (
        "<!-- applylint:plan -->\n"
        "### applylint plan (incomplete): 1 restarted, 1 created; incomplete: 1 problem\n"
        "\n"
        "<details>\n"
        "<summary><b>restarted</b> <code>deployment.apps/web in shop</code>: configured, its pods restart</summary>\n"
        "\n"
        "<code>web.yaml:1:1</code>\n"
        "\n"
        "- confidence: medium (the snapshot is 3 days old)\n"
        "\n"
        "```diff\n"
        "@@ spec.replicas (deleted because last-applied had it) @@\n"
        "- 7\n"
        "@@ spec.selector.matchLabels.app (set by the manifest, line 5) @@\n"
        '- "web"\n'
        '+ "shop"\n'
        "@@ spec.paused (new entry, key name=web) @@\n"
        "+ true\n"
        "```\n"
        "\n"
        "</details>\n"
        "\n"
        "- <b>created</b> <code>deployment.apps/new in shop</code> <code>web.yaml:1:1</code>\n"
        "\n"
        "**Notes**\n"
        "\n"
        "- broken.yaml:3:1: problem: not YAML: a tab indents this line; indent with spaces\n"
        "- 1 finding hidden by comments\n"
        "- web.yaml:2:3: note: this comment does not hide port-lost: it expired on 2026-06-30\n"
        "- exit code 3: some input could not be read\n"
        "\n"
        "<sub>compared with snapshot prod.yaml (3 days old) · 2026-07-01 10:00 UTC · kubectl-applylint 1.2.3</sub>\n"
    )


def test_a_check_is_a_comment_with_what_to_type() -> None:
    text = report_markdown(Report(findings=(FINDING, DOUBTFUL), checked=2), replace(PLAN, command="check"))

    assert text.startswith(
        "<!-- applylint:check -->\n### applylint check (rejected): 1 error, 1 warning in 2 objects\n"
    )
    first, second = FINDING.fix.splitlines()
    assert f"```sh\n{first}\n```\n\n<b>(deletes)</b>\n\n```sh\n{second}\n```" in text
    assert text.count("<details open>") == 1


def test_rejected_objects_and_their_units_are_open() -> None:
    text = report_markdown(report_of(CONFIGURED, REJECTED, units=(DEV, PROD)), PLAN)
    openings = [line for line in text.splitlines() if line.startswith(("<details", "<summary"))]

    assert openings == [
        "<details open>",
        "<summary><b>prod (folder)</b>: 1 rejected</summary>",
        "<details open>",
        "<summary><b>rejected</b> <code>deployment.apps/web in shop</code> (HTTP 422), not stored</summary>",
        "<details>",
        "<summary><b>dev (folder)</b>: 1 restarted</summary>",
        "<details>",
        "<summary><b>restarted</b> <code>deployment.apps/web in shop</code>: configured, its pods restart</summary>",
    ]


def test_severities_of_a_unit_are_counted_in_words() -> None:
    findings = tuple(replace(DOUBTFUL, units=("dev",), location=replace(DOUBTFUL.location, file=f)) for f in "ab")
    text = report_markdown(Report(findings=(*findings, FINDING), units=(DEV, PROD)), Context())

    assert "<summary><b>dev (folder)</b>: 2 warnings</summary>\n\n<blockquote>" in text


def test_several_reports_are_one_comment() -> None:
    check = replace(review_of(), command="check", summary="no findings")
    text = comment([review_of(PART), check], Frame(marker="prod", commit="0a1b2c3"))

    assert text.startswith("<!-- applylint:prod -->\n### applylint plan: 5 configured\n")
    assert "\n\n### applylint check: no findings\n" in text
    assert text.endswith("<sub>compared with main · commit 0a1b2c3 · kubectl-applylint 1.2.3</sub>\n")


@pytest.mark.parametrize("units", [0, 3])
@pytest.mark.parametrize("limit", [700, 1_500, 3_000, 9_000, LIMIT])
def test_blocks_that_do_not_fit_are_counted_and_none_is_cut(limit: int, units: int) -> None:
    text = comment([review_of(*numbered_parts(400), units=units)], Frame(limit=limit, artifact="https://ci.example/1"))
    shown = text.count("<b>configured</b>")
    every = 400 * max(units, 1)

    assert len(text) <= limit
    assert len(text) > limit - 400 or shown == every
    assert is_balanced(text)
    assert shown == every or f"{every - shown} more in the [artifact](https://ci.example/1): " in text


def test_the_limit_counts_as_github_does() -> None:
    text = comment([review_of(*numbered_parts(400, replace(PART, diff=("+ \N{PILE OF POO}" * 20,))))], Frame())

    assert LIMIT - 400 < len(text.encode("utf-16-le")) // 2 <= LIMIT


def test_a_part_that_is_too_long_leaves_its_line() -> None:
    long = replace(PART, title="long", diff=("+ x" * 1_000,))
    text = comment([review_of(long, PART)], Frame(limit=1_500))

    assert "- <b>configured</b> <code>long</code> (details in the artifact)\n" in text
    assert "<summary><b>configured</b> <code>deployment.apps/web</code></summary>" in text


def test_notes_take_a_fourth_at_most() -> None:
    text = comment([review_of(PART, notes=tuple(f"note {number}" for number in range(100)))], Frame(limit=2_000))

    assert text.count("- note") < 60
    assert f"- and {100 - text.count('- note')} more lines" in text


def test_a_limit_below_the_frame_is_reported() -> None:
    with pytest.raises(CommentTooLongError, match=r"need \d+ characters"):
        comment([review_of(PART)], Frame(limit=50))


def test_a_part_without_details_is_an_item() -> None:
    text = comment([review_of(*(replace(part, diff=()) for part in numbered_parts(2)))], Frame())

    assert (
        "- <b>configured</b> <code>deployment.apps/web-0</code> <code>web.yaml:1:1</code>\n"
        "- <b>configured</b> <code>deployment.apps/web-1</code> <code>web.yaml:1:1</code>\n"
    ) in text


def test_a_fence_is_longer_than_what_it_holds() -> None:
    config = change(fields("data", "readme"), "a\n```\n`````\n", "b\n```\n`````\n</details>\n", Why.SET)
    text = report_markdown(report_of(replace(CONFIGURED, changes=(config,))), PLAN)
    (code,) = [block for kind, block in blocks(text) if kind == "block of code"]

    assert "``````diff\n" in text
    assert code.rstrip().splitlines()[1:] == ["- a", "+ b", "  ```", "  `````", "+ </details>"]
    assert is_balanced(text)


def test_nothing_of_a_manifest_is_markup() -> None:
    odd = replace(FINDING, message="a | b\n<script> `x` @team [l](u) \x1b[31m *b* <!-- applylint:plan --> </summary>")
    text = report_markdown(Report(findings=(odd,)), Context())

    for markup in ("<script", "`x`", "@team", "[l]", "\x1b", "*b*", "<!-- applylint:plan"):
        assert markup not in text
    assert is_balanced(text)


def test_the_page_renders_to_the_intended_html() -> None:
    page = render_markdown(report_markdown(report_of(CONFIGURED, REJECTED, units=(DEV, PROD)), PLAN))

    assert page.count("<details") == page.count("</details>") == 4
    assert '<pre lang="diff"><code>' in page
    assert "<h3>applylint plan (rejected): 2 units: 1 rejected, 1 restarted</h3>" in page
    assert "&lt;details" not in page


def test_findings_get_room_before_the_objects_of_a_plan() -> None:
    finding = replace(PART, word="warning", title="port-lost")
    checked = replace(review_of(finding), command="check")

    text = comment([review_of(*numbered_parts(2_000)), checked], Frame())

    assert "<b>warning</b> port-lost" in text
    assert "more in the artifact: " in text
    assert len(text.encode("utf-16-le")) // 2 <= 60_000


def test_tables_follow_grave_parts_and_precede_the_rest() -> None:
    grave = replace(PART, title="deployment.apps/grave", is_grave=True)
    one = replace(review_of(grave, PART), units=(ReviewUnit("a", (grave,)), ReviewUnit("b", (PART,))), facts=FACTS)
    text = comment([one], Frame())
    places = [text.index(words) for words in ("<b>prod</b>", "/grave", "| image |", "apps/web</code>", "- only chart")]

    assert places == sorted(places)
    assert is_balanced(text)


@pytest.mark.parametrize("limit", [2_000, 4_000, LIMIT])
def test_tables_hold_below_the_limit(limit: int) -> None:
    many = replace(FACTS, images=tuple(replace(FACTS.images[0], before=f"web:{n}") for n in range(2_000)))
    text = comment([replace(review_of(*numbered_parts(400)), facts=many)] * 2, Frame(limit=limit))

    assert len(text) <= limit
    assert text.count("<b>configured</b>") > 0
    assert is_balanced(text)


@pytest.mark.parametrize(("units", "folds"), [(11, []), (12, ["<b>4 more</b>: 4 configured"])])
def test_many_units_are_folded_together(units: int, folds: list[str]) -> None:
    text = comment([review_of(PART, replace(PART, title="b"), units=units)], Frame())

    assert [fold for fold in re.findall("<summary>(.*)</summary>", text) if " more</b>" in fold] == folds
    assert text.count("deployment.apps/web</code>") == units
    assert is_balanced(text)


def test_many_parts_of_a_unit_are_folded_together() -> None:
    text = comment([review_of(*numbered_parts(30), units=2)], Frame())

    assert text.count("<summary><b>20 more</b>: 20 configured</summary>") == 2


def test_only_the_first_grave_parts_are_open() -> None:
    grave = replace(PART, is_grave=True, diff=("+ 1",) * 8)
    text = comment([review_of(*numbered_parts(5, grave))], Frame())

    assert text.count("<details open>") == 2


def test_many_notes_are_folded() -> None:
    few, many = (comment([review_of(notes=tuple(f"note {n}" for n in range(count)))], Frame()) for count in (7, 8))

    assert "<summary>" not in few
    assert "- note 5\n\n<details>\n<summary>2 more notes</summary>\n\n- note 6\n- note 7\n\n</details>" in many


def test_parts_with_hazards_are_open_and_stand_before_the_tables() -> None:
    risky = replace(PART, diff=(), hazards=("warning: it stays [stays]",))
    text = comment([replace(review_of(risky, PART), facts=FACTS)], Frame())

    assert "<details open>" in text
    assert text.index("- warning: it stays &#91;stays&#93;") < text.index("| image |")


def test_the_last_line_has_the_comparison_and_other_notes_are_folded() -> None:
    notes = ("predicted as applied by Flux", "compared with HEAD~1", "compared with bundled definitions", "1 skipped")
    text = comment([replace(review_of(PART), compared=notes)], Frame())

    assert text.endswith(
        "<summary>2 notes</summary>\n\n- compared with bundled definitions\n- 1 skipped\n\n</details>\n\n"
        "<sub>predicted as applied by Flux · compared with HEAD&#126;1 · kubectl-applylint 1.2.3</sub>\n"
    )
    assert "- 1 skipped\n\n<sub>" in comment(
        [replace(review_of(PART, notes=("own",)), compared=("a", "1 skipped"))], Frame()
    )
