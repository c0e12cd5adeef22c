from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.hiding.baseline import Baseline, entry, with_fingerprints
from kubectl_applylint.lint.hiding.suppress import (
    Examined,
    Extent,
    HidingResult,
    Policy,
    examined_scope,
    hide_findings,
    source_waivers,
)
from kubectl_applylint.lint.hiding.waivers import (
    ParsedWaivers,
    Scope,
    Waiver,
    comment_waivers,
    file_pattern,
    resource_pattern,
)
from kubectl_applylint.lint.model import Finding, Severity, Skip, Subject
from tests.rules.stories import subject

WEB: JsonObject = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}}
SUBJECT = replace(subject(WEB), document=replace(subject(WEB).document, file="web.yaml"))
RULES = frozenset({"port-lost", "other"})
TODAY = date(2026, 7, 1)
EVERYTHING = Scope()


def finding(rule: str = "port-lost", line: int = 3) -> Finding:
    (found,) = with_fingerprints(
        [
            Finding(
                rule=rule,
                severity=Severity.ERROR,
                confidence="high",
                ref=SUBJECT.ref,
                path=(),
                location=Location("web.yaml", Span(line, 1, line, 2)),
                message="",
                fix="",
            )
        ]
    )
    return found


def examined_run(*skips: Skip, subjects: tuple[Subject, ...] = (SUBJECT,), rules: frozenset[str] = RULES) -> Examined:
    return Examined(subjects, rules, skips)


EXAMINED = examined_run()


def configured_waiver(*rules: str, reason: str = "", until: date | None = None, scope: Scope = EVERYTHING) -> Waiver:
    return Waiver(rules, scope, Location("conf.yaml", Span(7, 3, 7, 4)), "configuration", reason, until)


def hide(policy: Policy, *findings: Finding, manifest_text: str = "", ran: Examined = EXAMINED) -> HidingResult:
    return hide_findings(
        findings or [finding()],
        comment_waivers(manifest_text, "web.yaml"),
        ran,
        replace(policy, folder="/repo", today=TODAY),
    )


def remarks(found: HidingResult) -> list[str]:
    return [f"{remark.location}: {remark.message}" for remark in found.remarks]


def hidden(found: HidingResult) -> list[tuple[str, str, str]]:
    return [(item.finding.rule, item.reason, item.means) for item in found.hidden]


@pytest.mark.parametrize(
    ("policy", "manifest_text", "wanted"),
    [
        (Policy(), "a:\n# applylint: ignore[port-lost] known\nb:", [("port-lost", "known", "comment")]),
        (Policy(), "a:\n\nb:\n", []),
        (Policy(waivers=(configured_waiver("port-lost", reason="r"),)), "", [("port-lost", "r", "configuration")]),
        (Policy(waivers=(configured_waiver("port-lost", until=TODAY),)), "", [("port-lost", "", "configuration")]),
        (Policy(waivers=(configured_waiver("port-lost", until=date(2026, 6, 30)),)), "", []),
        (Policy(waivers=(configured_waiver("port-lost"),), wants_reason=True), "", []),
        (Policy(waivers=(configured_waiver("port-lost"),), protected=frozenset({"port-lost"})), "", []),
        (Policy(waivers=(configured_waiver("port-lost"),), is_off=True), "", []),
        (Policy(baseline=Baseline("known.json", (entry(finding(), ""),))), "",
         [("port-lost", "it is in the baseline", "baseline")]),
        (Policy(baseline=Baseline("known.json", (entry(finding(line=9), ""),))), "",
         [("port-lost", "it is in the baseline", "baseline")]),
        (Policy(baseline=Baseline("known.json", (entry(finding("other"), ""),))), "", []),
        (Policy(baseline=Baseline("known.json", (entry(finding(), ""),)), is_off=True), "", []),
        (Policy(baseline=Baseline("known.json", (entry(finding(), ""),)), protected=frozenset({"port-lost"})), "", []),
    ],
    ids=["comment", "nothing said", "configuration", "last day", "expired", "no reason", "protected", "off", "baseline",
         "moved", "other rule", "baseline off", "protected from the baseline"],
)  # fmt: skip
def test_a_finding_is_hidden_by_a_comment_or_entry_in_force(
    policy: Policy, manifest_text: str, wanted: list[tuple[str, str, str]]
) -> None:
    found = hide(policy, manifest_text=manifest_text)

    assert hidden(found) == wanted
    assert len(found.shown) + len(found.hidden) == 1


@pytest.mark.parametrize(
    ("policy", "manifest_text", "wanted"),
    [
        (Policy(), "a:\n# applylint: ignore[port-lost]\nb:", []),
        (Policy(), "a: # applylint: ignore[other, port-lost]",
         ["web.yaml:1:4: this comment does not hide other: the rule finds nothing here",
          "web.yaml:1:4: this comment does not hide port-lost: the rule finds nothing here"]),
        (Policy(), "# applylint: ignore-file", []),
        (Policy(), "# applylint: ?",
         ["web.yaml:1:1: this comment hides nothing: write `# applylint: ignore[rule-id] reason`"]),
        (Policy(known=RULES), "a: # applylint: ignore[ports-lost]",
         ["web.yaml:1:4: this comment does not hide ports-lost: the rule does not exist; did you mean port-lost?"]),
        (Policy(protected=RULES), "a:\n\nb: # applylint: ignore[port-lost]",
         ["web.yaml:3:4: this comment does not hide port-lost: this rule cannot be ignored"]),
        (Policy(), "a:\n\nb: # applylint: ignore[port-lost] until 2026-06-30",
         ["web.yaml:3:4: this comment does not hide port-lost: it expired on 2026-06-30"]),
        (Policy(wants_reason=True), "a:\n\nb: # applylint: ignore[port-lost]",
         ["web.yaml:3:4: this comment does not hide port-lost: it gives no reason, and require-reason asks for one"]),
        (Policy(wants_reason=True), "# applylint: ignore-file",
         ["web.yaml:1:1: this comment does not hide anything: it gives no reason, and require-reason asks for one"]),
        (Policy(is_off=True), "a: # applylint: ignore[other]", []),
    ],
    ids=["used", "unused", "everything", "unclear", "no rule", "protected", "expired", "no reason", "of all", "off"],
)  # fmt: skip
def test_unused_comments_and_entries_have_a_remark(policy: Policy, manifest_text: str, wanted: list[str]) -> None:
    assert remarks(hide(policy, manifest_text=manifest_text)) == wanted


@pytest.mark.parametrize(
    ("scope", "extent", "is_unused"),
    [
        (Scope(is_exact=False), Extent.WHOLE, True),
        (Scope(is_exact=False), Extent.PART, False),
        (Scope(resource=resource_pattern("deployment/web")), Extent.PART, True),
        (Scope(resource=resource_pattern("deployment/web")), Extent.BROKEN, False),
        (Scope(resource=resource_pattern("deployment/api")), Extent.WHOLE, False),
        (Scope(path=file_pattern("/repo", "web.yaml")), Extent.PART, True),
        (Scope(path=file_pattern("/repo", "api.yaml")), Extent.WHOLE, False),
    ],
    ids=["wide", "wide in a part", "object", "broken", "other object", "file", "other file"],
)
def test_an_entry_is_unused_only_where_its_objects_were_examined(scope: Scope, extent: Extent, is_unused: bool) -> None:
    found = hide(Policy(waivers=(configured_waiver("other", scope=scope),), extent=extent))

    remark = ["conf.yaml:7:3: this entry does not hide other: the rule finds nothing here"]
    assert remarks(found) == (remark if is_unused else [])


@pytest.mark.parametrize(
    "ran",
    [
        examined_run(Skip(("other",), SUBJECT.ref, "offline")),
        examined_run(rules=frozenset({"port-lost"})),
        examined_run(subjects=()),
    ],
    ids=["skipped", "left out", "not examined"],
)
def test_a_rule_that_did_not_run_leaves_nothing_unused(ran: Examined) -> None:
    assert hide(Policy(), manifest_text="a: # applylint: ignore[other]", ran=ran).remarks == ()


@pytest.mark.parametrize(
    ("gone", "words"),
    [(1, "1 finding no longer occurs"), (2, "2 findings no longer occur")],
)
def test_entries_of_the_baseline_that_do_not_occur_any_more_are_counted(gone: int, words: str) -> None:
    (occurring, other) = (entry(finding(rule), "/repo/web.yaml") for rule in ("port-lost", "other"))
    known = Baseline("known.json", (occurring, *[other] * gone, replace(other, file="/repo/not-examined.yaml")))

    found = hide(Policy(baseline=known))

    assert remarks(found) == [f"known.json: {words}; run applylint baseline prune"]
    assert hide(Policy(baseline=known, extent=Extent.BROKEN)).remarks == ()


def test_annotations_are_heard_as_comments_are() -> None:
    manifest = {**WEB, "metadata": {**WEB["metadata"], "annotations": {"applylint.dev/ignore.port-lost": "r"}}}
    annotated = subject(manifest)

    sources = source_waivers({"web.yaml": "# applylint: ignore-file[other]"}, [annotated])

    assert [(waiver.means, waiver.rules) for waiver in sources.waivers] == [
        ("comment", ("other",)),
        ("annotation", ("port-lost",)),
    ]
    in_its_file = replace(finding(), location=replace(finding().location, file=annotated.document.file))
    assert hidden(hide_findings([in_its_file], sources, examined_run(), Policy())) == [("port-lost", "r", "annotation")]


def test_the_examined_scope_has_the_names_of_entries() -> None:
    in_cluster = ObjectRef("v1", "Service", "shop", "web")
    run = examined_scope(examined_run(Skip(("other",), in_cluster, "offline")), Policy(folder="/repo/deploy"))

    assert (run.files, run.objects) == (frozenset({"/repo/deploy/web.yaml"}), frozenset())
    assert run.skipped == {("other", "shop", "service/web")}


def test_an_empty_policy_hides_nothing() -> None:
    assert hide_findings([finding()], ParsedWaivers(), examined_run(), Policy()) == HidingResult((finding(),), (), ())


@pytest.mark.parametrize("is_used", [True, False])
def test_many_comments_are_each_compared_once(monkeypatch: pytest.MonkeyPatch, is_used: bool) -> None:
    calls: list[object] = []
    has, hides = Scope.has, Waiver.hides

    def count_call(*given: Any) -> bool:
        calls.append(given)
        return (hides if isinstance(given[0], Waiver) else has)(*given)

    monkeypatch.setattr(Scope, "has", count_call)
    monkeypatch.setattr(Waiver, "hides", count_call)
    number = 200
    comments = "a: 1  # applylint: ignore[port-lost] known\n" * number
    documents = [replace(SUBJECT.document, object={**WEB, "metadata": {"name": f"web-{one}"}}) for one in range(number)]
    subjects = tuple(replace(SUBJECT, document=document) for document in documents)
    found = [finding(line=line) for line in range(1, number + 1)] if is_used else [finding(line=number + 1)]
    hide_findings(
        found, comment_waivers(comments, "web.yaml"), examined_run(subjects=subjects), replace(Policy(), today=TODAY)
    )

    assert len(calls) <= 2 * number


def test_findings_get_the_severity_of_the_policy() -> None:
    policy = Policy(severities={"port-lost": Severity.INFO, "other": None})
    found = hide_findings([finding(), finding("other"), finding("third")], ParsedWaivers(), EXAMINED, policy)

    assert [(one.rule, one.severity) for one in found.shown] == [
        ("port-lost", Severity.INFO),
        ("third", Severity.ERROR),
    ]
    assert [(one.finding.rule, one.reason, one.means) for one in found.hidden] == [
        ("other", "severity: off", "configuration")
    ]
    assert found.remarks == ()
