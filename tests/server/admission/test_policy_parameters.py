"""The parameters of a policy, as ``CollectParams`` of apiserver 1.36 chooses them."""

import pytest

from kubectl_applylint.core.state import ListScope
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission.policy_parameters import parameters
from kubectl_applylint.server.validate.custom.evaluation import Failed, Undecided
from tests.server.admission.objects import cluster_view, namespaced_object, write_of

KIND = {"apiVersion": "v1", "kind": "ConfigMap"}
WRITE = {"metadata": {"name": "x", "namespace": "shop"}}
NODE: JsonObject = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
SHELF: ListScope = ("", "ConfigMap", "shop")


def settings(name: str, place: str = "shop", **labels: Json) -> JsonObject:
    return {
        **namespaced_object("v1", "ConfigMap", place),
        "metadata": {"name": name, "namespace": place, "labels": labels},
    }


def parameter_names(ref: JsonObject, *objects: JsonObject, whole: tuple[ListScope, ...] = ()) -> Json:
    """Return the names of the parameters, or why there are none."""
    given = parameters(write_of("v1", "Pod", WRITE, known=cluster_view(*objects, whole=whole)), KIND, ref)
    if isinstance(given, Failed | Undecided):
        return given
    return [each and (each["metadata"]["namespace"], each["metadata"]["name"]) for each in given]


@pytest.mark.parametrize(("kind", "ref"), [({}, {"name": "a"}), (KIND, {})], ids=["no kind", "no reference"])
def test_without_parameters_a_policy_is_evaluated_once_with_null(kind: JsonObject, ref: JsonObject) -> None:
    assert parameters(write_of("v1", "Pod", WRITE), kind, ref) == (None,)


@pytest.mark.parametrize(
    ("ref", "names"),
    [
        pytest.param({"name": "a"}, [("shop", "a")], id="by name, where the object is"),
        pytest.param({"name": "a", "namespace": "other"}, [("other", "a")], id="in another namespace"),
        pytest.param({"name": "z"}, [], id="not found: nothing is evaluated"),
        pytest.param({"selector": {"matchLabels": {"on": "1"}}}, [("shop", "a"), ("shop", "b")], id="by label"),
        pytest.param({"selector": {}}, [("shop", "a"), ("shop", "b"), ("shop", "c")], id="all, by name"),
        pytest.param({"name": "", "selector": {"matchLabels": {"on": "2"}}}, [], id="an empty name is none"),
    ],
)
def test_parameters_are_selected_by_name_or_label(ref: JsonObject, names: list[tuple[str, str]]) -> None:
    objects = (settings("c"), settings("b", on="1"), settings("a", on="1"), settings("a", "other"))

    assert parameter_names(ref, *objects, whole=(SHELF,)) == names


@pytest.mark.parametrize(
    "ref", [{"name": "z"}, {"selector": {"matchLabels": {"on": "2"}}}], ids=["by name", "by label"]
)
def test_a_binding_may_deny_where_there_are_none(ref: JsonObject) -> None:
    failed = Failed("no params found for policy binding with `Deny` parameterNotFoundAction")

    assert parameter_names({**ref, "parameterNotFoundAction": "Deny"}, whole=(SHELF,)) == failed
    assert parameter_names({**ref, "parameterNotFoundAction": "Allow"}, whole=(SHELF,)) == []


@pytest.mark.parametrize(
    ("ref", "why"),
    [
        pytest.param({"name": "z"}, "its parameters, ConfigMap z, are unknown", id="by name"),
        pytest.param({"selector": {}}, "its parameters, objects of kind ConfigMap, are unknown", id="by label"),
    ],
)
def test_unread_parameters_are_undecided_even_with_deny(ref: JsonObject, why: str) -> None:
    assert parameter_names({**ref, "parameterNotFoundAction": "Deny"}, settings("a")) == Undecided(why)


@pytest.mark.parametrize(
    ("kind", "ref", "result"),
    [
        pytest.param(
            KIND,
            {"name": "a"},
            Failed("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"),
            id="parameters in namespaces",
        ),
        pytest.param(KIND, {"name": "a", "namespace": "shop"}, (settings("a"),), id="a namespace is named"),
        pytest.param({"apiVersion": "v1", "kind": "Node"}, {"name": "n"}, (NODE,), id="outside"),
    ],
)
def test_an_object_outside_of_namespaces(kind: JsonObject, ref: JsonObject, result: object) -> None:
    known = cluster_view(settings("a"), NODE)

    assert parameters(write_of("v1", "Namespace", {"metadata": {"name": "x"}}, known=known), kind, ref) == result
