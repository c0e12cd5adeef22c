import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission.attributes import (
    ALLOWED,
    AdmissionAttributes,
    AdmissionDenied,
    AdmissionResult,
    combine_results,
    forbidden,
    with_spec,
)
from tests.server.admission.objects import write_of

METADATA = {"metadata": {"name": "x", "namespace": "shop"}}
NO = AdmissionDenied(403, (FieldError("", "Forbidden", "no"),))
NEVER = AdmissionDenied(422, ())


@pytest.mark.parametrize(
    ("write", "group", "namespace", "name", "message"),
    [
        pytest.param(
            write_of("apps/v1", "Deployment", METADATA),
            "apps",
            "shop",
            "x",
            'deployments.apps "x" is forbidden: why',
            id="in a group",
        ),
        pytest.param(write_of("v1", "Pod", METADATA), "", "shop", "x", 'pods "x" is forbidden: why', id="core"),
        pytest.param(
            write_of("v1", "Namespace", METADATA), "", "", "x", 'namespaces "x" is forbidden: why', id="no namespace"
        ),
        pytest.param(write_of("v1", "Pod", {}), "", "", "", 'pods "" is forbidden: why', id="no metadata"),
        pytest.param(
            write_of("v1", "Pod", {"metadata": {"name": 1}}), "", "", "", 'pods "" is forbidden: why', id="no text"
        ),
    ],
)
def test_a_write_has_group_namespace_and_name(
    write: AdmissionAttributes, group: str, namespace: str, name: str, message: str
) -> None:
    assert (write.group, write.namespace, write.name) == (group, namespace, name)
    assert forbidden(write, "why", field="f") == AdmissionDenied(403, (FieldError("f", "Forbidden", message),))


def test_an_object_is_created_where_none_is_stored() -> None:
    assert write_of("v1", "Pod", METADATA).creating
    assert not write_of("v1", "Pod", METADATA, {}).creating


@pytest.mark.parametrize(
    ("group", "kinds", "is_it"),
    [
        pytest.param("apps", ("DaemonSet", "Deployment"), True, id="one of them"),
        pytest.param("apps", ("DaemonSet",), False, id="another kind"),
        pytest.param("", ("Deployment",), False, id="another group"),
        pytest.param("apps/v1", ("Deployment",), False, id="a version is no group"),
    ],
)
def test_the_kind_of_a_write(group: str, kinds: tuple[str, ...], is_it: bool) -> None:
    assert write_of("apps/v1", "Deployment", METADATA).is_a(group, *kinds) == is_it


@pytest.mark.parametrize(
    ("results", "one"),
    [
        pytest.param((), ALLOWED, id="none"),
        pytest.param(
            (AdmissionResult(warnings=("a",), open=("o",)), AdmissionResult(warnings=("b",))),
            AdmissionResult(warnings=("a", "b"), open=("o",)),
            id="in order",
        ),
        pytest.param(
            (AdmissionResult(warnings=("a",)), AdmissionResult(NO, ("b",)), AdmissionResult(NEVER, ("c",), ("o",))),
            AdmissionResult(NO, ("a", "b")),
            id="the first refusal ends it",
        ),
    ],
)
def test_several_plugins_answer_as_one(results: tuple[AdmissionResult, ...], one: AdmissionResult) -> None:
    calls: list[AdmissionResult] = []

    assert combine_results(calls.append(each) or each for each in results) == one  # type: ignore[func-returns-value]  # called
    assert NEVER not in [each.denied for each in calls]


@pytest.mark.parametrize(
    ("manifest", "fields", "after"),
    [
        ({"spec": {"a": 1, "b": 2}}, {"b": 3}, {"spec": {"a": 1, "b": 3}}),
        ({"kind": "Pod"}, {"b": None}, {"kind": "Pod", "spec": {"b": None}}),
        ({"spec": None}, {"b": 3}, {"spec": {"b": 3}}),
        ({"spec": None}, {}, {"spec": None}),
    ],
    ids=["changed", "no spec", "null", "nothing to add"],
)
def test_fields_of_the_spec(manifest: JsonObject, fields: Json, after: JsonObject) -> None:
    before = {**manifest}

    assert with_spec(manifest, fields) == after
    assert manifest == before
