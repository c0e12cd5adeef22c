from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Outcome, Verdict, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.html import objects
from kubectl_applylint.report.html.objects import ROLES, key_of, object_view, object_views
from kubectl_applylint.report.html.values import ObjectView
from kubectl_applylint.report.objects.sections import object_of
from kubectl_applylint.report.order import Impact
from tests.report.html.samples import CREATED, ORPHANED, changed_object
from tests.report.samples import DOCUMENT, REJECTED, WEB, change

PLAIN = Context(command="plan")


def view_of(outcome: Outcome) -> ObjectView:
    return object_view(object_of(DOCUMENT, outcome), 1, PLAIN)


def test_every_impact_has_a_colour_and_a_key() -> None:
    assert ROLES.keys() == set(Impact)
    assert key_of(Impact.TAKEN.value) == "taken-over"


def test_a_change_has_its_cause_and_the_owner_afterwards() -> None:
    view = view_of(changed_object(WEB, "web:2"))

    assert [(change.path, change.why, change.owners) for change in view.changes] == [
        ("spec.template.spec.containers[name=web].image", "set by the manifest", ("kubectl",)),
        ("data.settings", "set by the manifest", ()),
        ("spec.minReadySeconds", "deleted because last-applied had it", ()),
    ]
    assert (view.verdict, view.name, view.extras, view.places) == (
        "configured",
        "deployment.apps/web",
        ("in shop",),
        ("web.yaml:1:1",),
    )


def test_a_rejection_has_its_reasons_and_the_remedy() -> None:
    view = view_of(REJECTED)

    assert view.reasons == ("reason: spec.selector: field is immutable",)
    assert view.remedy == REJECTED.remedy
    assert view.effects == ("warning: spec.paused: deprecated",)
    assert view.extras == ("in shop", "HTTP 422", "not stored")
    assert not view.owned


def test_extras_of_an_object_follow_its_name() -> None:
    assert view_of(ORPHANED).extras == ("in shop", "removed from the files, stays in the cluster")
    assert view_of(replace(changed_object(WEB, "web:2"), restarts=True)).extras == (
        "in shop",
        "configured",
        "its pods restart",
    )
    assert view_of(CREATED).extras == ("in shop", "keys a")


def test_an_unchanged_object_has_only_its_line() -> None:
    assert not view_of(Outcome(WEB, Verdict.UNCHANGED, result={"kind": "X"})).has_body


def test_changes_beyond_a_limit_are_counted() -> None:
    many = tuple(change(fields("spec", f"x{number}"), 1, 2, Why.SET) for number in range(201))
    view = view_of(replace(changed_object(WEB, "web:2"), changes=many))

    assert len(view.changes) == 201
    assert view.changes[-1].path == "1 more change"


def test_the_first_objects_are_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MOST_LINES", 1)
    entry = object_of(DOCUMENT, changed_object(WEB, "web:2"))
    views, is_cut = object_views([(entry, 1), (entry, 1)], PLAIN)

    assert [bool(view.owned) for view in views] == [True, False]
    assert is_cut


def test_the_first_lines_of_a_long_object_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, lines in ((8, [5, 2, 1, 1]), (6, [5, 1, 1])):
        monkeypatch.setattr(objects, "MOST_LINES_OF_ONE", most)
        runs = view_of(changed_object(WEB, "web:2")).owned

        assert [len(run.lines) for run in runs] == lines
        assert runs[-1].lines == (f"{15 - most} more lines",)
