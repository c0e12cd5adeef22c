import pytest

from kubectl_applylint.core.state import (
    LAST_APPLIED,
    UNSEEN,
    Absent,
    ClusterView,
    Knowledge,
    ObjectRef,
    Present,
    Unknown,
    annotations_of,
    labels_of,
    last_applied,
    live_object,
)
from kubectl_applylint.core.values import MISSING, JsonObject


def live(text: str) -> Present:
    return Present({"metadata": {"annotations": {LAST_APPLIED: text}}})


@pytest.mark.parametrize(
    ("known", "kept"),
    [
        pytest.param(live('{"kind":"Pod"}\n'), Present({"kind": "Pod"}), id="annotation"),
        pytest.param(live(""), Absent(), id="empty annotation"),
        pytest.param(Present({"metadata": {}}), Absent(), id="no annotation"),
        pytest.param(Absent(), Absent(), id="no object"),
        pytest.param(Unknown("offline"), Unknown("offline"), id="unknown object"),
        pytest.param(live("null"), Present({}), id="null"),
        pytest.param(live("[]"), Unknown(f"the annotation {LAST_APPLIED} does not contain an object"), id="a list"),
        pytest.param(live("{"), Unknown(f"the annotation {LAST_APPLIED} of the live object is not JSON"), id="broken"),
    ],
)
def test_last_applied(known: Knowledge, kept: Knowledge) -> None:
    assert last_applied(known) == kept


@pytest.mark.parametrize(
    ("known", "there"),
    [(Present({"a": 1}), {"a": 1}), (Absent(), MISSING), (Unknown("offline"), MISSING)],
    ids=["present", "absent", "unknown"],
)
def test_present(known: Knowledge, there: JsonObject) -> None:
    assert live_object(known) == there


def quota(name: str, namespace: str, version: str = "v1") -> JsonObject:
    return {"apiVersion": version, "kind": "ResourceQuota", "metadata": {"name": name, "namespace": namespace}}


SHOP = ("", "ResourceQuota", "shop")
GONE = (("", "ResourceQuota", "bar"), "d")
AROUND = ClusterView(whole=frozenset({SHOP}), missing=frozenset({GONE})).with_objects(
    [quota("b", "shop"), quota("a", "shop"), quota("c", "bar")]
)


@pytest.mark.parametrize(
    ("name", "namespace", "expected"),
    [
        ("a", "shop", Present(quota("a", "shop"))),
        ("c", "bar", Present(quota("c", "bar"))),
        ("c", "shop", Absent()),
        ("d", "bar", Absent()),
        ("a", "bar", Unknown("whether ResourceQuota a exists was not checked")),
    ],
    ids=["there", "there among unknown ones", "not among all", "not there", "not known"],
)
def test_one_object_around(name: str, namespace: str, expected: Knowledge) -> None:
    assert AROUND.lookup("", "ResourceQuota", name, namespace) == expected


def test_all_objects_around() -> None:
    unknown = Unknown("the objects of kind ResourceQuota were not read")

    assert AROUND.known_objects(*SHOP) == AROUND.all_objects(*SHOP) == (quota("a", "shop"), quota("b", "shop"))
    assert AROUND.known_objects("", "ResourceQuota", "bar") == (quota("c", "bar"),)
    assert AROUND.all_objects("", "ResourceQuota", "bar") == unknown
    assert UNSEEN.known_objects(*SHOP) == ()


def test_annotations_and_labels() -> None:
    item = {"metadata": {"annotations": {"a": "1"}, "labels": {"l": "2"}}}

    assert (annotations_of(item), labels_of(item)) == ({"a": "1"}, {"l": "2"})
    assert annotations_of({"metadata": {"annotations": None}}) == labels_of(MISSING) == {}


def test_an_added_object_replaces_that_of_its_name() -> None:
    newer = {**quota("a", "shop"), "spec": {}}

    assert AROUND.with_objects([newer]).lookup("", "ResourceQuota", "a", "shop") == Present(newer)
    assert AROUND.lookup("", "ResourceQuota", "a", "shop") == Present(quota("a", "shop"))


def test_absent_objects_are_not_among_the_known_ones() -> None:
    cluster_view = AROUND.with_knowledge(
        {
            ("", "ResourceQuota", "bar", "c"): Absent(),
            ("", "ResourceQuota", "bar", "d"): Present(quota("d", "bar")),
            ("", "ResourceQuota", "bar", "e"): Unknown("offline"),
        }
    )

    assert cluster_view.lookup("", "ResourceQuota", "c", "bar") == Absent()
    assert cluster_view.known_objects("", "ResourceQuota", "bar") == (quota("d", "bar"),)
    assert AROUND.with_knowledge({("", "ResourceQuota", "bar", "e"): Unknown("offline")}) is AROUND


def test_a_name_has_the_namespace_that_is_written() -> None:
    assert ObjectRef("v1", "Secret", "shop", "a").namespaced_name == "shop/a"
    assert ObjectRef("v1", "Secret", "", "a").namespaced_name == "a"


def test_an_unknown_value_in_a_message_is_its_placeholder_or_words() -> None:
    assert f"{Unknown('only the server knows it')}" == "an unknown value"
    assert f"{Unknown('a variable', written='${PORT}')}" == "${PORT}"
