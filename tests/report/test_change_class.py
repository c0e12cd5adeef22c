"""Classes of changes by the attention that they need."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.change_classes import ChangeClass, Conclusion
from kubectl_applylint.core.outcome import Outcome, Verdict, Why
from kubectl_applylint.core.paths import ByKey, Field, Path, fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.change_class import change_class, conclusion
from tests.report.samples import MANIFEST, STRIKING, WEB, change, document

IMAGE: Path = (*fields("spec", "template", "spec", "containers"), ByKey((("name", "web"),)), Field("image"))
RELEASE = ObjectRef("helm.toolkit.fluxcd.io/v2", "HelmRelease", "shop", "web")
SOURCE = ObjectRef("source.toolkit.fluxcd.io/v1", "OCIRepository", "shop", "web")


def outcome(path: Path, before: Json, after: Json, ref: ObjectRef = WEB) -> Outcome:
    return Outcome(ref, Verdict.CONFIGURED, changes=(change(path, before, after, Why.SET),), restarts=ref == WEB)


def report(*outcomes: Outcome) -> Report:
    return Report(outcomes=tuple((document(one.ref, MANIFEST), one) for one in outcomes))


@pytest.mark.parametrize(
    ("found", "is_routine"),
    [
        (outcome(IMAGE, "host:5000/shop/web:1", "host:5000/shop/web:2@sha256:ab"), True),
        (outcome(IMAGE, "shop/web:1", "other/web:1"), False),
        (outcome(IMAGE[:-2], [{"name": "web", "image": "web:1"}], [{"name": "web", "image": "web:2"}]), True),
        (outcome(IMAGE[:-2], [{"name": "web", "image": "web:1"}], [{"name": "web", "image": "db:1"}]), False),
        (outcome(IMAGE[:-2], [{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "a"}]), False),
        (outcome(fields("metadata", "labels", "team"), "a", "b"), True),
        (outcome(fields("spec", "replicas"), 2, 3), False),
        (outcome(fields("spec", "values", "image", "tag"), "1", "2", RELEASE), True),
        (outcome(fields("spec", "values", "debug"), "no", "yes", RELEASE), False),
        (outcome(fields("spec", "chart", "spec", "version"), "1.2.3", "1.2.4", RELEASE), True),
        (outcome(fields("spec", "chart", "spec", "version"), "1.2.3", "1.3.0", RELEASE), False),
        (outcome(fields("spec", "chart", "spec", "version"), "1.x", "1.x", RELEASE), False),
        (outcome(fields("spec", "ref", "tag"), "v1.2.3", "v1.2.4", SOURCE), True),
        (outcome(fields("spec", "ref", "tag"), "latest", "edge", SOURCE), False),
        (replace(outcome(IMAGE, "web:1", "web:2"), warnings=("its pods are stopped",)), False),
        (replace(outcome(IMAGE, "web:1", "web:2"), verdict=Verdict.PRUNED), False),
        (Outcome(WEB, Verdict.CREATED), False),
        (Outcome(WEB, Verdict.UNCHANGED), True),
    ],
)
def test_only_small_changes_are_routine(found: Outcome, *, is_routine: bool) -> None:
    assert change_class(report(found), "plan") is (ChangeClass.ROUTINE if is_routine else ChangeClass.ATTENTION)


def test_findings_and_rejections_count() -> None:
    plain = outcome(IMAGE, "web:1", "web:2")
    warning = replace(STRIKING, severity=Severity.WARNING)

    assert change_class(replace(report(plain), findings=(STRIKING,)), "plan") is ChangeClass.REJECTED
    assert change_class(replace(report(plain), findings=(warning,)), "plan") is ChangeClass.ATTENTION
    assert change_class(report(plain, Outcome(WEB, Verdict.REJECTED)), "plan") is ChangeClass.REJECTED


def test_a_check_without_findings_says_nothing_about_the_change() -> None:
    warning = replace(STRIKING, severity=Severity.WARNING)

    assert change_class(Report(), "check") is None
    assert change_class(Report(findings=(warning,)), "check") is ChangeClass.ATTENTION
    assert change_class(Report(findings=(STRIKING,)), "check") is ChangeClass.REJECTED


def test_an_incomplete_report_is_neither_routine_nor_only_rejected() -> None:
    found = replace(report(Outcome(WEB, Verdict.REJECTED)), problems=(Problem("web.yaml", "unreadable", "mend it"),))

    assert change_class(found, "plan") is ChangeClass.INCOMPLETE


def test_each_class_has_a_conclusion() -> None:
    assert [conclusion(one, {}) for one in ChangeClass] == [
        Conclusion.SUCCESS,
        Conclusion.NEUTRAL,
        Conclusion.FAILURE,
        Conclusion.FAILURE,
    ]


def test_conclusions_of_classes_are_configurable_except_of_errors() -> None:
    configured = {"routine": "neutral", "attention": "success", "rejected": "success"}

    assert [conclusion(one, configured) for one in ChangeClass] == [
        Conclusion.NEUTRAL,
        Conclusion.SUCCESS,
        Conclusion.FAILURE,
        Conclusion.FAILURE,
    ]
