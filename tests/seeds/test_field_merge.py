"""Field merge semantics: the chapter of The Kubectl Book, and its Japanese translation, heading by heading.

Every example and every table stands in both under headings of the same meaning; each test names the English one and
the Japanese one. The translation has some sections without their headings: there the one before them is named.
"""

import json
from dataclasses import dataclass
from operator import attrgetter

import pytest

from kubectl_applylint.core.values import Json
from tests.seeds.objects import LABELS, apply, apply_config, deployment, last_applied_of, live, pod_of

HELPER = {"image": "helper:1.3"}
NGINX = {"name": "nginx", "image": "nginx:1.10"}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a merge table: where the field or element is, and whether it is in the applied resource."""

    words: str
    config: bool
    resource: bool
    last_applied: bool
    after: bool


# All tables have the same four rows; each "-" stands for two cases.
TABLE = pytest.mark.parametrize(
    "row",
    [
        Row("Yes Yes -: set or merge", True, True, True, True),
        Row("Yes Yes -: set or merge, not applied before", True, True, False, True),
        Row("Yes No -: add", True, False, False, True),
        Row("Yes No -: add again", True, False, True, True),
        Row("No - Yes: remove", False, True, True, False),
        Row("No - Yes: removed already", False, False, True, False),
        Row("No - No: do nothing", False, True, False, True),
        Row("No - No: nothing there", False, False, False, False),
    ],
    ids=attrgetter("words"),
)


def result(row: Row, with_it: Json, without_it: Json) -> Json:
    """Return the applied resource of a row for a field that a configuration has or has not."""
    config, resource, last = (
        with_it if there else without_it for there in (row.config, row.resource, row.last_applied)
    )
    return apply_config(config, live(resource, last))


def test_last_applied_resource_config() -> None:
    """Last Applied Resource Config / 前回適用されたリソース構成: "it writes the Resource Config it Applied"."""
    config = deployment({"containers": [{"name": "nginx", "image": "nginx:1.7.9"}]})
    created = apply(config)

    assert created.verdict == "created"
    assert last_applied_of(created.result) == (
        '{"apiVersion":"apps/v1","kind":"Deployment",'
        '"metadata":{"annotations":{},"name":"nginx-deployment","namespace":"default"},'
        '"spec":{"selector":{"matchLabels":{"app":"nginx"}},"template":{"metadata":{"labels":{"app":"nginx"}},'
        '"spec":{"containers":[{"image":"nginx:1.7.9","name":"nginx"}]}}}}\n'
    )


def test_adding_fields() -> None:
    """Adding Fields / フィールドの追加."""
    before = deployment()
    after = apply_config(deployment(minReadySeconds=3), live(before, before))

    assert after["spec"]["minReadySeconds"] == 3
    assert json.loads(last_applied_of(after))["spec"]["minReadySeconds"] == 3


def test_updating_fields() -> None:
    """Updating Fields / フィールドの更新."""
    before = deployment(replicas=1)
    after = apply_config(deployment(replicas=2), live(before, before))

    assert after["spec"]["replicas"] == 2
    assert json.loads(last_applied_of(after))["spec"]["replicas"] == 2


def test_deleting_fields() -> None:
    """Deleting Fields / フィールドの削除: "deleted and then defaulted, but not in Last Applied"."""
    before = deployment(minReadySeconds=3, replicas=2)
    after = apply_config(deployment(), live(before, before))

    assert after["spec"]["replicas"] == 1
    assert "minReadySeconds" not in after["spec"]
    assert not {"replicas", "minReadySeconds"} & json.loads(last_applied_of(after))["spec"].keys()


def test_deleting_fields_by_null() -> None:
    """Deleting Fields / フィールドの削除: "Fields set to null in the Resource Config ... will be deleted"."""
    after = apply_config(deployment(minReadySeconds=None), live(deployment(minReadySeconds=3), deployment()))

    assert "minReadySeconds" not in after["spec"]


def test_removing_fields_from_resource_config() -> None:
    """Removing Fields from Resource Config / フィールドの削除: "first remove it from the last Applied"."""
    scaled = live(deployment(replicas=5), deployment(replicas=2))
    given_up = live(deployment(replicas=5), deployment())

    assert apply_config(deployment(), scaled)["spec"]["replicas"] == 1
    assert apply_config(deployment(), given_up)["spec"]["replicas"] == 5


@TABLE
def test_merging_primitives(row: Row) -> None:
    """Merging Primitives / プリミティブ値のマージ."""
    after = result(row, deployment(minReadySeconds=3), deployment())

    assert after["spec"].get("minReadySeconds") == (3 if row.after else None)


@TABLE
def test_merging_objects(row: Row) -> None:
    """Merging Objects / オブジェクトのマージ."""
    security = {"runAsUser": 1000}
    after = result(row, deployment({"securityContext": security}), deployment())

    assert pod_of(after).get("securityContext") == (security if row.after else {})


@TABLE
def test_merging_maps(row: Row) -> None:
    """Merging Maps / マップのマージ."""
    selected = deployment({"nodeSelector": {"disk": "ssd", "zone": "a"}})
    after = result(row, selected, deployment({"nodeSelector": {"zone": "a"}}))

    assert pod_of(after)["nodeSelector"] == ({"disk": "ssd", "zone": "a"} if row.after else {"zone": "a"})


@pytest.mark.parametrize(
    ("where", "ours", "theirs"),
    [
        pytest.param(
            "securityContext", {"runAsUser": 1000}, {"runAsGroup": 3000}, id="Merging Objects / オブジェクトのマージ"
        ),
        pytest.param("nodeSelector", {"disk": "ssd"}, {"zone": "a"}, id="Merging Maps / マップのマージ"),
    ],
)
def test_the_fields_of_others_are_merged(where: str, ours: Json, theirs: Json) -> None:
    """Merging Objects, Merging Maps / オブジェクトのマージ、マップのマージ: "Recursively merge"."""
    config = deployment({where: ours})
    after = apply_config(config, live(deployment({where: {**ours, **theirs}}), config))

    assert pod_of(after)[where] == {**ours, **theirs}


def deployment_with_finalizers(*finalizers: str) -> Json:
    config = deployment()
    return {**config, "metadata": {**config["metadata"], "finalizers": list(finalizers)}}


@TABLE
def test_merging_lists_of_primitives(row: Row) -> None:
    """Merging Lists of Primitives / プリミティブ値のリストのマージ: finalizers are the documents' example."""
    after = result(
        row, deployment_with_finalizers("example.com/a", "example.com/b"), deployment_with_finalizers("example.com/a")
    )
    wanted = {"example.com/a", "example.com/b"} if row.after else {"example.com/a"}

    assert set(after["metadata"]["finalizers"]) == wanted


def test_merged_primitive_lists_behave_like_ordered_sets() -> None:
    """Merging Lists of Primitives / プリミティブ値のリストのマージ: "Uses the ordering specified"."""
    after = apply_config(
        deployment_with_finalizers("example.com/b", "example.com/a"),
        live(
            deployment_with_finalizers("example.com/a", "example.com/b", "example.com/foreign"),
            deployment_with_finalizers("example.com/a"),
        ),
    )

    ours = [name for name in after["metadata"]["finalizers"] if name != "example.com/foreign"]
    assert ours == ["example.com/b", "example.com/a"]
    assert "example.com/foreign" in after["metadata"]["finalizers"]


def test_the_list_of_arguments_is_replaced() -> None:
    """Merging Lists of Primitives / プリミティブ値のリストのマージ: the example says that ``args`` becomes [a, c, d].

    It does not: ``args`` has no patch strategy, so that the list is replaced, as the website's page on declarative
    management and real servers have it.
    """

    def with_args(*args: str) -> Json:
        return deployment({"containers": [{**NGINX, "args": list(args)}]})

    after = apply_config(with_args("a", "c"), live(with_args("a", "b", "d"), with_args("a", "b")))

    assert pod_of(after)["containers"][0]["args"] == ["a", "c"]


@TABLE
def test_merging_lists_of_objects(row: Row) -> None:
    """Merging Lists of Objects / オブジェクトのリストのマージ."""
    helper = {"name": "helper", **HELPER}
    after = result(row, deployment({"containers": [NGINX, helper]}), deployment({"containers": [NGINX]}))
    names = [container["name"] for container in pod_of(after)["containers"]]

    assert names == (["nginx", "helper"] if row.after else ["nginx"])


def test_the_list_of_containers() -> None:
    """Merging Lists of Objects / オブジェクトのリストのマージ: the example with the helpers a to d."""

    def containers(*names: str) -> Json:
        return deployment({"containers": [NGINX, *({"name": f"nginx-helper-{name}", **HELPER} for name in names)]})

    resource = containers("a", "b", "d")
    pod_of(resource)["containers"][2]["args"] = ["run"]
    after = apply_config(containers("b", "c"), live(resource, containers("a", "b")))
    shown = {each["name"]: (each["image"], each.get("args")) for each in pod_of(after)["containers"]}

    assert shown == {
        "nginx": ("nginx:1.10", None),
        "nginx-helper-b": ("helper:1.3", ["run"]),
        "nginx-helper-c": ("helper:1.3", None),
        "nginx-helper-d": ("helper:1.3", None),
    }
    assert [name for name in shown if name != "nginx-helper-d"] == ["nginx", "nginx-helper-b", "nginx-helper-c"]


def test_edit_and_set() -> None:
    """Edit and Set / the end of オブジェクトのリストのマージ: "Apply will change any values in the Resource Config"."""
    config = deployment(minReadySeconds=3)
    edited = live(deployment(minReadySeconds=9), config)

    assert apply_config(config, edited)["spec"]["minReadySeconds"] == 3


def test_ignoring_what_edit_and_set_wrote() -> None:
    """Edit and Set / the end of オブジェクトのリストのマージ: "edit-last-applied", then "Remove the field"."""
    edited = live(deployment(minReadySeconds=9), deployment())

    assert apply_config(deployment(), edited)["spec"]["minReadySeconds"] == 9


def test_values_of_the_control_plane_stay() -> None:
    """Applying Resource Config Updates / リソース構成の更新を適用する: "replicas values set by auto scalers"."""
    config = deployment()
    after = apply_config(
        {**config, "metadata": {**config["metadata"], "labels": LABELS}}, live(deployment(replicas=7), config)
    )

    assert after["spec"]["replicas"] == 7
    assert after["metadata"]["labels"] == LABELS
