from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why
from kubectl_applylint.core.paths import ByKey, Field, Path, fields, render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.report.objects.changes import is_chart_metadata, is_new, is_noise, visible_changes
from tests.report.samples import CONFIGURED, REJECTED, WEB, change

POD = fields("spec", "template", "spec")
APP = (*POD, Field("containers"), ByKey((("name", "app"),)))
ANNOTATION = (*fields("metadata", "annotations"), Field(LAST_APPLIED))
PORT = (*APP, Field("env"), ByKey((("name", "PORT"),)))


def visible_paths(*changes: Change, verdict: Verdict = Verdict.CONFIGURED, result: Json = None) -> list[str]:
    outcome = Outcome(WEB, verdict, changes=changes, result=result)
    return [render(one.path) for one in visible_changes(outcome)]


@pytest.mark.parametrize(
    ("one", "is_shown"),
    [
        pytest.param(change(fields("spec", "a"), 1, 2, Why.SET), True, id="set"),
        pytest.param(change(fields("spec", "a"), 1, MISSING, Why.DELETED), True, id="deleted"),
        pytest.param(change(fields("spec", "a"), MISSING, 1, Why.DEFAULTED), False, id="default"),
        pytest.param(change(fields("spec", "a"), 1, 2, Why.DEFAULTED), True, id="the server changes spec"),
        pytest.param(change(fields("metadata", "a"), 1, 2, Why.DEFAULTED), False, id="the server counts"),
        pytest.param(change(fields("spec", "a"), MISSING, 1, Why.DEFAULTED, "since its line"), True, id="line removed"),
        pytest.param(change(fields("spec", "a"), 1, 1, Why.KEPT, "(manager x)"), False, id="kept"),
        pytest.param(change(fields("spec", "a"), 1, 1, Why.SHARED, "with x"), True, id="shared"),
        pytest.param(change((*APP, Field("name")), "app", "app", Why.SHARED), False, id="shared name of an element"),
        pytest.param(change(fields("metadata", "a"), 1, 2, Why.ANNOTATED), False, id="last-applied"),
        pytest.param(change(ANNOTATION, "{}", MISSING, Why.RELEASED), False, id="last-applied of another tool"),
    ],
)
def test_a_change_that_is_not_in_the_file_is_shown(one: Change, is_shown: bool) -> None:
    assert bool(visible_paths(one)) == is_shown


def test_every_change_is_shown_on_demand() -> None:
    assert visible_changes(CONFIGURED, verbose=True) == list(CONFIGURED.changes)


@pytest.mark.parametrize(
    ("outcome", "new"),
    [
        pytest.param(Outcome(WEB, Verdict.CREATED), True, id="created"),
        pytest.param(replace(REJECTED, result=None), True, id="a new object is rejected"),
        pytest.param(REJECTED, False, id="rejected"),
        pytest.param(
            Outcome(WEB, Verdict.UNKNOWN, changes=(change(fields("kind"), MISSING, "X", Why.SET),)), True, id="unknown"
        ),
    ],
)
def test_an_object_without_an_earlier_state_is_new(outcome: Outcome, new: bool) -> None:
    assert is_new(outcome) == new


def test_fields_that_the_file_sets_are_not_shown_for_a_new_object() -> None:
    assert visible_paths(change(fields("spec", "a"), MISSING, 1, Why.SET), verdict=Verdict.CREATED) == []


def addition(path: Path, value: Json, why: Why = Why.SET) -> Change:
    return change(path, MISSING, value, why)


def result_of(pod: Json) -> Json:
    return {"spec": {"template": {"spec": pod}}}


def test_a_new_element_is_one_change_without_its_name() -> None:
    parts = addition((*PORT, Field("name")), "PORT"), addition((*PORT, Field("value")), "80")
    others = [{"name": "A", "value": "1"}, {"name": "PORT", "value": "80"}]
    result = result_of({"containers": [{"name": "app", "env": others}]})

    assert visible_paths(*parts, result=result) == ["spec.template.spec.containers[name=app].env[name=PORT].value"]


def test_a_new_map_is_one_change_without_defaults() -> None:
    probe = (*APP, Field("probe"))
    parts = (
        addition((*probe, Field("get"), Field("port")), 80),
        addition((*probe, Field("get"), Field("path")), "/"),
        addition((*probe, Field("period")), 10, Why.DEFAULTED),
        addition((*probe, Field("list")), ["a", "b"]),
    )
    new = {"get": {"port": 80, "path": "/"}, "period": 10, "list": ["a", "b"]}
    outcome = replace(CONFIGURED, changes=parts, result=result_of({"containers": [{"name": "app", "probe": new}]}))
    (found,) = visible_changes(outcome)

    assert render(found.path) == "spec.template.spec.containers[name=app].probe"
    assert found.after == {"get": {"port": 80, "path": "/"}, "list": ["a", "b"]}


def test_new_fields_beside_others_are_changes_of_their_own() -> None:
    parts = addition((*POD, Field("a")), 1), addition((*POD, Field("b")), 2)

    assert len(visible_paths(*parts, result=result_of({"a": 1, "b": 2, "c": 3}))) == 2


def test_a_new_list_of_elements_is_shown_as_a_list() -> None:
    parts = tuple(addition((*PORT, Field(name)), value) for name, value in (("name", "PORT"), ("value", "80")))
    other = (*APP, Field("env"), ByKey((("name", "HOST"),)))
    more = tuple(addition((*other, Field(name)), value) for name, value in (("name", "HOST"), ("value", "h")))
    env = [{"name": "PORT", "value": "80"}, {"name": "HOST", "value": "h"}]
    result = result_of({"containers": [{"name": "app", "image": "a", "env": env}]})
    (found,) = visible_changes(replace(CONFIGURED, changes=(*parts, *more), result=result))

    assert render(found.path) == "spec.template.spec.containers[name=app].env"
    assert found.after == env


LABELS, ANNOTATIONS = (fields("spec", "template", "metadata", name) for name in ("labels", "annotations"))


@pytest.mark.parametrize(
    ("one", "is_metadata"),
    [
        pytest.param(change((*LABELS, Field("helm.sh/chart")), "a-1", "a-2", Why.SET), True, id="chart"),
        pytest.param(change((*LABELS, Field("app.kubernetes.io/version")), "1", "2", Why.SET), True, id="version"),
        pytest.param(change((*ANNOTATIONS, Field("checksum/config")), "a", "b", Why.SET), True, id="checksum"),
        pytest.param(change((*LABELS, Field("checksum/config")), "a", "b", Why.SET), False, id="label"),
        pytest.param(change((*LABELS, Field("app")), "a", "b", Why.SET), False, id="other label"),
        pytest.param(change((*LABELS, Field("helm.sh/chart")), MISSING, "a-2", Why.SET), False, id="new"),
        pytest.param(change((*LABELS, Field("helm.sh/chart")), "a-2", "a-2", Why.SHARED), False, id="shared"),
        pytest.param(change(fields("spec", "matchLabels", "helm.sh/chart"), "a", "b", Why.SET), False, id="selector"),
    ],
)
def test_chart_metadata_is_the_version_of_a_chart_or_a_checksum(one: Change, *, is_metadata: bool) -> None:
    assert is_chart_metadata(one) == is_metadata
    assert is_noise(one) == is_metadata


@pytest.mark.parametrize(("before", "expected"), [("QQ==", True), (MISSING, False)])
def test_a_new_ca_bundle_is_noise_if_there_was_one(before: Json, *, expected: bool) -> None:
    assert is_noise(change(fields("spec", "caBundle"), before, "Qg==", Why.SET)) == expected
