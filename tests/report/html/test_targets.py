"""The plans of several targets as a page."""

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import Target, page
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.html import targets
from kubectl_applylint.report.html.targets import SIGNS, targets_html, targets_view
from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.targets import TargetReport
from tests.report.html.test_page import Reader
from tests.report.targets import test_matrix
from tests.report.targets.test_targets import FOUR, UNCHANGED, target
from tests.report.test_comparison import CONFIGURED

LOST = TargetReport("lost", problems=(Problem("lost.json", "<no> such file"),))


def test_columns_are_in_the_order_of_the_rollout() -> None:
    view = targets_view([*FOUR, LOST], Context(verbose=True))

    assert [(one.name, one.is_held) for one in view.columns] == [
        ("dev", False),
        ("eu", False),
        ("ap", True),
        ("us", True),
        ("lost", True),
    ]
    assert [cell and cell.value for cell in view.rows[0].cells] == ["unchanged", "configured", *["rejected"] * 2, None]


def test_an_object_is_shown_with_its_causes() -> None:
    (one,) = targets_view(FOUR, Context()).objects

    assert (one.groups[0].impact, one.name, one.unit) == (Impact.REJECTED, "deployment.apps/web in shop", "shop")
    assert [(one.share_words(group), group.cause, group.targets) for group in one.groups] == [
        ("2 of 4 targets", "spec.selector: Invalid value: a: field is immutable", ("ap", "us")),
        ("1 of 4 targets", "spec.replicas", ("eu",)),
        ("1 of 4 targets", "", ("dev",)),
    ]


def test_objects_unchanged_everywhere_are_only_in_the_table() -> None:
    quiet = [target("eu", UNCHANGED), target("us", UNCHANGED)]
    view = targets_view(quiet, Context())

    assert (view.objects, len(view.rows), view.ending) == ((), 1, "")
    assert len(targets_view(quiet, Context(verbose=True)).objects) == 1


def test_filters_count_objects_by_the_worst_of_them() -> None:
    assert [(one.key, one.number) for one in targets_view(FOUR, Context()).filters] == [("rejected", 1)]


def test_a_page_has_bounds_and_says_what_is_left_out() -> None:
    many = test_matrix.target("eu", **{f"u{number}": Impact.CREATED for number in range(2_001)})
    assert targets_view([many], Context()).notes == ("1 more object: -o json has all",)

    # Each of these units is in another set of targets, so none share a row.
    each = [
        test_matrix.target(f"c{bit}", **{f"u{number}": Impact.CREATED for number in range(4_000) if number >> bit & 1})
        for bit in range(12)
    ]
    view = targets_view(each, Context())
    assert (len(view.rows), view.notes[0]) == (targets.MOST_CELLS // 12, "2333 more rows of units: -o json has all")


def test_a_page_is_well_formed_and_loads_nothing() -> None:
    for reports in (FOUR, [LOST], [], [*FOUR, LOST, *(target(f"c{number}", CONFIGURED) for number in range(9))]):
        text = page(targets_html(reports, Context()), Target.XML)
        reader = Reader()
        reader.feed(text)
        names = [value for _, name, value in reader.attributes if name == "id"]
        wanted = [value for _, name, value in reader.attributes if name == "aria-labelledby"]

        assert (reader.open, reader.faults) == ([], [])
        assert sorted(set(names)) == sorted(names)
        assert {*wanted} <= {*names}
        assert "src=" not in text
        assert text == page(targets_html(reports, Context()), Target.XML)


def test_texts_are_escaped() -> None:
    assert "lost: lost.json: problem: &lt;no&gt; such file" in targets_html([LOST], Context())
    assert "<li>lost.json: problem: &lt;no&gt; such file" in targets_html([], Context(), LOST.problems)


def test_every_effect_has_a_sign_of_its_own() -> None:
    assert len({SIGNS[one] for one in Impact}) == len(Impact)
