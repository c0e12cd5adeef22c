from dataclasses import replace

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.markdown import LIMIT, findings_markdown, plan_markdown
from tests.report.samples import (
    CONFIGURED,
    DOCUMENT,
    DOUBTFUL,
    FINDING,
    MANIFEST,
    REJECTED,
    REPORT,
    STRIKING,
    WEB,
    change,
)

CONTEXT = Context()
OLD = ObjectRef("apps/v1", "Deployment", "shop", "old")


def applied(*outcomes: Outcome) -> Report:
    return Report(outcomes=tuple((replace(DOCUMENT, ref=outcome.ref), outcome) for outcome in outcomes))


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| ") and not line.startswith(("| object", "| |"))]


def test_a_plan_is_a_table_of_what_happens() -> None:
    assert plan_markdown(REPORT, CONTEXT) == (
        "### Changes of this apply\n"
        "\n"
        "1 restarted\n"
        "\n"
        "| object | what happens | where |\n"
        "|---|---|---|\n"
        "| <code>deployment.apps/web in shop</code> | **configured**<br>its pods restart"
        "<br><code>spec.replicas</code>: removed, was <code>7</code>"
        '<br><code>spec.selector.matchLabels.app</code>: <code>"web"</code> → <code>"shop"</code>'
        "<br><code>spec.paused</code>: set to <code>true</code>"
        " | <code>web.yaml:1</code> |\n"
        "\n"
        "- the snapshot is 3 days old\n"
        "- compared with snapshot prod.yaml (3 days old)\n"
        "- broken.yaml:3:1: problem: not YAML: a tab indents this line; indent with spaces\n"
        "- skipped: 1 rule that could not run: live state is unknown (-v to list)\n"
        "- hidden: 1 finding, 1 by comment (-v to list)\n"
        "- web.yaml:2:3: note: this comment does not hide port-lost: it expired on 2026-06-30\n"
    )


def test_the_gravest_comes_first_and_what_stays_is_only_counted() -> None:
    calm = replace(CONFIGURED, ref=replace(WEB, name="calm"), restarts=False)
    outcomes = [
        Outcome(replace(WEB, name="new"), Verdict.CREATED),
        Outcome(replace(WEB, name="same"), Verdict.UNCHANGED),
        calm,
        CONFIGURED,
        Outcome(OLD, Verdict.KEPT),
        replace(REJECTED, ref=replace(WEB, name="wrong")),
    ]
    text = plan_markdown(applied(*outcomes), CONTEXT)
    names = [row.split("/")[1].split(" ")[0] for row in rows(text)]

    assert names == ["wrong", "web", "calm", "new", "old"]
    assert "1 rejected, 1 restarted, 1 configured, 1 created, 1 orphaned, 1 unchanged" in text


def test_a_refusal_says_why_and_the_way_out() -> None:
    (row,) = rows(plan_markdown(applied(REJECTED), CONTEXT))

    assert "**rejected**<br><code>spec.selector</code>: field is immutable<br>remedy: delete the deployment" in row


def test_what_left_the_files_and_what_was_renamed_is_told() -> None:
    new = Outcome(WEB, Verdict.CREATED, renamed_from=OLD)
    renamed, old = rows(plan_markdown(applied(new, Outcome(OLD, Verdict.KEPT)), CONTEXT))

    assert "**orphaned**<br>removed from the files, stays in the cluster" in old
    assert "**created**<br>was <code>deployment.apps/old</code>" in renamed


def test_of_many_changes_the_first_are_named() -> None:
    changes = tuple(change(fields("data", str(number)), 1, 2, Why.SET) for number in range(6))
    (row,) = rows(plan_markdown(applied(replace(CONFIGURED, changes=changes)), CONTEXT))

    assert row.count("→") == 4
    assert "and 2 more fields" in row


def test_nothing_to_apply_is_no_table() -> None:
    assert plan_markdown(Report(), CONTEXT) == "### Changes of this apply\n\nno objects\n"


def test_findings_are_a_table_with_what_to_do() -> None:
    first, second = rows(findings_markdown(Report(findings=(DOUBTFUL, FINDING), checked=2), CONTEXT))

    assert first.startswith("| **error** | the server refuses this deployment for good")
    assert "<details><summary>fix</summary>Keep the old selector" in first
    assert first.endswith(" | <code>web.yaml:5</code> |")
    assert second.startswith("| **warning** | fields that you removed")
    assert "<details>" not in second


def test_a_finding_tells_when_it_strikes() -> None:
    (row,) = rows(findings_markdown(Report(findings=(STRIKING,)), CONTEXT))

    assert (
        "<br>applies: never on a fresh install; always on upgrade; "
        "possibly if the live object drifted (unless it was scaled to 7 in the meantime)"
    ) in row


def test_no_findings_are_told_in_words() -> None:
    assert findings_markdown(Report(checked=2), CONTEXT) == "### Hazards of this apply\n\nno findings in 2 objects\n"


def test_nothing_of_a_manifest_is_markup() -> None:
    odd = replace(FINDING, message="a | b\n<script> `x` @team [l](u) \x1b[31m *b*", fix="")
    (row,) = rows(findings_markdown(Report(findings=(odd,)), CONTEXT))

    assert row.count("|") == 4
    for markup in ("<script", "`", "@team", "[l]", "\x1b", "*b*"):
        assert markup not in row


def test_what_does_not_fit_into_a_comment_is_counted() -> None:
    document = Document("web.yaml", 0, MANIFEST, WEB, DOCUMENT.positions)
    many = tuple((document, Outcome(replace(WEB, name=f"web-{number}"), Verdict.CREATED)) for number in range(2000))
    text = plan_markdown(Report(outcomes=many), CONTEXT)
    shown = len(rows(text))

    assert 100 < shown < 2000
    assert len(text) <= LIMIT + 100
    assert f"and {2000 - shown} more rows (truncated)" in text


def test_many_notes_are_counted() -> None:
    text = findings_markdown(Report(notes=tuple(map(str, range(30)))), CONTEXT)

    assert text.endswith("- 19\n- and 10 more lines\n")
