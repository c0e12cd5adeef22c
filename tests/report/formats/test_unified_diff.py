from dataclasses import replace

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why
from kubectl_applylint.core.paths import Field, fields
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.unified_diff import object_diffs, plan_diff
from tests.report.samples import DOCUMENT, REJECTED, WEB, change

PLAN = Context(command="plan")
NOTE = (*fields("metadata", "annotations"), Field(LAST_APPLIED))


def web(**more: Json) -> JsonObject:
    return {"kind": "Deployment", "metadata": {"name": "web", **more}, "spec": {"a": 1, "replicas": 2}}


def outcome_of(*changes: Change, ref: ObjectRef = WEB, result: JsonObject | None = None) -> Outcome:
    return Outcome(ref, Verdict.CONFIGURED, result=web() if result is None else result, changes=changes)


def report_of(*outcomes: Outcome) -> Report:
    return Report(outcomes=tuple((replace(DOCUMENT, ref=one.ref), one) for one in outcomes))


REPLICAS = change(fields("spec", "replicas"), 1, 2, Why.SET)


def test_a_change_is_a_unified_diff_of_both_objects() -> None:
    assert plan_diff(report_of(outcome_of(REPLICAS)), PLAN) == (
        "--- LIVE/apps.v1.Deployment.shop.web\n"
        "+++ MERGED/apps.v1.Deployment.shop.web\n"
        "@@ -3,4 +3,4 @@\n"
        "   name: web\n"
        " spec:\n"
        "   a: 1\n"
        "-  replicas: 1\n"
        "+  replicas: 2\n"
    )


def test_signs_have_colors() -> None:
    lines = plan_diff(report_of(outcome_of(REPLICAS)), replace(PLAN, color=True)).splitlines()

    assert lines[-2:] == ["\x1b[31m-  replicas: 1\x1b[0m", "\x1b[32m+  replicas: 2\x1b[0m"]


def test_new_and_removed_objects_have_one_side() -> None:
    gone = replace(WEB, name="gone")
    new, old = object_diffs(report_of(Outcome(WEB, Verdict.CREATED, result=web()), Outcome(gone, Verdict.PRUNED)))[::-1]

    assert (new.before, new.after.startswith("kind: Deployment\n")) == ("", True)
    assert (old.name, old.after) == ("apps.v1.Deployment.shop.gone", "")


def test_objects_that_stay_the_same_are_left_out() -> None:
    unknown, kept = (Outcome(WEB, verdict, result=web()) for verdict in (Verdict.UNKNOWN, Verdict.KEPT))

    assert plan_diff(report_of(unknown, kept, Outcome(WEB, Verdict.UNCHANGED, result=web())), PLAN) == ""


def test_a_rejected_object_shows_what_was_intended() -> None:
    (found,) = object_diffs(report_of(replace(REJECTED, intended=web(), changes=(REPLICAS,))))

    assert "replicas: 2" in found.after


def test_notes_of_appliers_and_unknown_metadata_are_left_out() -> None:
    given = Unknown("given by the server at creation")
    result = web(uid=given, managedFields=[{}], annotations={LAST_APPLIED: "{}", "a": "b"})
    noted = change(NOTE, "old", "{}", Why.ANNOTATED)

    assert object_diffs(report_of(outcome_of(noted, result=result))) == []
    (found,) = object_diffs(report_of(outcome_of(noted, REPLICAS, result=result)))
    assert found.after.splitlines()[1:5] == ["metadata:", "  annotations:", "    a: b", "  name: web"]


def test_names_are_those_of_kubectl_and_distinct() -> None:
    cluster = ObjectRef("v1", "Namespace", "", "a/../b")
    changed = [outcome_of(REPLICAS, ref=ref) for ref in (WEB, replace(WEB, name="WEB"), cluster)]

    assert [one.name for one in object_diffs(report_of(*changed))] == [
        "apps.v1.Deployment.shop.web",
        "apps.v1.Deployment.shop.WEB~2",
        "v1.Namespace..a%2F..%2Fb",
    ]
