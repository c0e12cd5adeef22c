from dataclasses import replace

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why
from kubectl_applylint.core.paths import Field, fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.facts.charts import ChartChange
from kubectl_applylint.report.facts.facts import NO_FACTS, ClusterChange, Facts, facts_of, is_noise
from kubectl_applylint.report.facts.images import ImageChange
from tests.report.samples import CONTAINER, DOCUMENT, WEB, change

IMAGE = change(CONTAINER, "web:1", "web:2", Why.SET)
LABEL = change((*fields("metadata", "labels"), Field("helm.sh/chart")), "web-1.0.0", "web-1.0.1", Why.SET)
BUNDLE = change(fields("spec", "caBundle"), "QQ==", "Qg==", Why.SET)


def outcome_of(*changes: Change, ref: ObjectRef = WEB, restarts: bool | None = None) -> Outcome:
    result = {
        "metadata": {"labels": {"helm.sh/chart": "web-1.0.1"}},
        "spec": {"template": {"spec": {"containers": [{"name": "web", "image": "web:2"}]}}},
    }
    return Outcome(ref, Verdict.CONFIGURED, result=result, changes=changes, restarts=restarts)


def facts(*outcomes: Outcome, units: tuple[UnitReport, ...] = ()) -> Facts:
    return facts_of(Report(outcomes=tuple((replace(DOCUMENT, ref=one.ref), one) for one in outcomes), units=units))


def test_a_plan_has_its_images_and_charts() -> None:
    assert facts(outcome_of(IMAGE, LABEL)) == Facts(
        images=(ImageChange("web:1", "web:2", ("deployment.apps/web in shop",)),),
        charts=(ChartChange("web", "1.0.0", "1.0.1", "", "", ("",)),),
    )


def test_unchanged_objects_change_no_facts() -> None:
    assert facts(replace(outcome_of(), verdict=Verdict.UNCHANGED)) == NO_FACTS
    assert facts() == NO_FACTS


def test_noise_is_counted_by_kind() -> None:
    other = outcome_of(BUNDLE, ref=replace(WEB, kind="ValidatingWebhookConfiguration"))

    assert facts(outcome_of(LABEL), outcome_of(LABEL), other).noise == (
        ("Deployment", 2),
        ("ValidatingWebhookConfiguration", 1),
    )


def test_a_restart_and_any_other_change_is_no_noise() -> None:
    assert is_noise(outcome_of(LABEL))
    assert not is_noise(outcome_of(LABEL, restarts=True))
    assert not is_noise(outcome_of(LABEL, IMAGE))
    assert not is_noise(replace(outcome_of(LABEL), warnings=("deprecated",)))


def test_several_clusters_have_a_line_each() -> None:
    units = tuple(
        UnitReport(name, "folder", "kubectl", target=target, cluster=cluster, applies=1)
        for name, target, cluster in [
            ("a", "prod", ""),
            ("b", "", "clusters/dev"),
            ("c", "in-cluster", "clusters/dev"),
            ("d", "", ""),
        ]
    )
    unchanged = replace(outcome_of(), verdict=Verdict.UNCHANGED)
    found = facts(outcome_of(IMAGE), outcome_of(IMAGE, restarts=True), outcome_of(IMAGE), unchanged, units=units)

    assert found.clusters == (
        ClusterChange("clusters/dev", 2, (("restarted", 1), ("configured", 1))),
        ClusterChange("prod", 1, (("configured", 1),)),
    )
    assert facts(outcome_of(IMAGE), unchanged, units=units[:2]).clusters == ()
    assert facts(outcome_of(IMAGE), outcome_of(IMAGE), units=units[2:]).clusters == ()
