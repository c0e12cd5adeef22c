from dataclasses import replace

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.fix_blocks import FixBlock
from kubectl_applylint.report.html.findings import finding_view
from tests.report.samples import DOUBTFUL, FILE, LINES, RULE, STRIKING

CONTEXT = Context(sources={FILE: LINES}, rules={RULE.id: RULE})


def test_a_finding_has_its_lines_places_and_remedy() -> None:
    other = replace(STRIKING, location=Location("other.yaml", Span(2, 1, 2, 2)))
    view = finding_view((STRIKING, other), CONTEXT)

    assert (view.key, view.rule, view.summary) == ("error", "selector-changed", RULE.summary)
    assert (view.name, view.place) == ("deployment.apps/web in shop", "web.yaml:5:3")
    assert view.others == ("other.yaml:2:1 (deployment.apps/web in shop)",)
    assert view.excerpt == ("5 |   selector: {matchLabels: {app: shop}}", "  |   ^^^^^^^^")
    assert view.related == ("service.yaml:7:5: this Service selects the same pods",)
    assert view.fixes == (
        FixBlock("", tuple(STRIKING.fix.splitlines()[:1])),
        FixBlock("", tuple(STRIKING.fix.splitlines()[1:]), ("orphaned pods",), continues=True),
    )
    assert [remark.partition(";")[0] for remark in view.remarks] == ["happens on upgrade"]


def test_a_doubt_is_shown_and_an_unknown_rule_has_no_summary() -> None:
    view = finding_view((DOUBTFUL,), Context())

    assert view.remarks == ("confidence: medium",)
    assert (view.summary, view.excerpt, view.fixes) == ("", (), ())
