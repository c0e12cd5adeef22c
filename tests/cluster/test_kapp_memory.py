"""Deploys by kapp, predicted only from the cluster and then made by the real kapp."""

import json
from pathlib import Path

import pytest
import yaml

from kubectl_applylint.core.values import JsonObject
from tests.cluster.desk import Desk
from tests.cluster.kapp_program import deploy
from tests.cluster.test_adoption import WEB

APP = "shop"


def config(name: str, value: str = "1", **annotations: str) -> JsonObject:
    metadata = {"name": name, "annotations": annotations}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": value}}


def write(desk: Desk, *items: JsonObject) -> None:
    (desk.folder / APP).mkdir(exist_ok=True)
    (desk.folder / APP / "set.yaml").write_text("".join(f"---\n{json.dumps(item)}\n" for item in items))


def verdicts_and_problems(desk: Desk, app: str = APP) -> tuple[dict[str, str], list[str]]:
    """Return the verdict on each object, and the problems."""
    found: JsonObject = desk.report(f"plan {APP} --applier kapp --app {app} --against live")
    verdicts = {item["name"]: item["verdict"] for unit in found["units"] for item in unit["objects"]}
    return verdicts, [problem["message"] for problem in found["problems"]]


def stored_data(desk: Desk) -> dict[str, JsonObject]:
    """Return the data of the ConfigMaps of the namespace, without kapp's own."""
    found = desk.cluster.get(f"/api/v1/namespaces/{desk.namespace}/configmaps").json["items"]
    items = (item for item in found if "kapp.k14s.io/original" in item["metadata"].get("annotations", {}))
    return {item["metadata"]["name"]: item["data"] for item in items}


def test_a_second_deploy_sets_back_what_was_edited_and_deletes_what_was_left_out(desk: Desk, kapp: Path) -> None:
    name = (desk.namespace, APP)
    one, two, same = (config(each) for each in ("one", "two", "same"))
    write(desk, one, two, same)

    assert verdicts_and_problems(desk) == ({"one": "created", "two": "created", "same": "created"}, [])

    assert deploy(kapp, desk.cluster, name, [one, two, same]).code == 0
    desk.does('kubectl patch configmap one --type merge -p \'{"data": {"hand": "1"}}\'')
    write(desk, one, same)

    assert verdicts_and_problems(desk) == ({"one": "configured", "two": "pruned", "same": "unchanged"}, [])

    assert deploy(kapp, desk.cluster, name, [one, same]).code == 0
    assert stored_data(desk) == {"one": {"a": "1"}, "same": {"a": "1"}}


def test_only_a_changed_deployment_is_set_back(desk: Desk, kapp: Path) -> None:
    web: JsonObject = yaml.safe_load(WEB)
    assert deploy(kapp, desk.cluster, (desk.namespace, APP), [web]).code == 0
    write(desk, web)

    assert verdicts_and_problems(desk) == ({"web": "unchanged"}, [])

    desk.scale(7)
    assert verdicts_and_problems(desk) == ({"web": "configured"}, [])
    assert deploy(kapp, desk.cluster, (desk.namespace, APP), [web]).code == 0
    assert desk.live()["spec"]["replicas"] == 3


def test_objects_of_another_app_end_a_deploy(desk: Desk, kapp: Path) -> None:
    assert deploy(kapp, desk.cluster, (desk.namespace, "other"), [config("one")]).code == 0
    write(desk, config("one"))

    assert verdicts_and_problems(desk)[0] == {"one": "rejected"}
    assert verdicts_and_problems(desk, "other") == ({"one": "unchanged"}, [])
    assert deploy(kapp, desk.cluster, (desk.namespace, APP), [config("one")]).code == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_the_record_of_the_app_cannot_be_in_its_set(desk: Desk, kapp: Path, *, is_first: bool) -> None:
    if not is_first:
        assert deploy(kapp, desk.cluster, (desk.namespace, APP), [config("one")]).code == 0
    write(desk, config("one"), config(APP))

    verdicts, _ = verdicts_and_problems(desk)
    done = deploy(kapp, desk.cluster, (desk.namespace, APP), [config("one"), config(APP)])
    assert (done.code, set(verdicts.values())) == (1, {"rejected"})
    assert "has a disallowed label 'kapp.k14s.io/is-app'" in done.stderr


def test_configs_next_to_the_set_keep_live_values(desk: Desk, kapp: Path) -> None:
    rule = {"path": ["data", "hand"], "type": "copy", "sources": ["existing", "new"]}
    matching = {"resourceMatchers": [{"apiVersionKindMatcher": {"apiVersion": "v1", "kind": "ConfigMap"}}]}
    keeping: JsonObject = {
        "apiVersion": "kapp.k14s.io/v1alpha1",
        "kind": "Config",
        "rebaseRules": [{**rule, **matching}],
    }
    assert deploy(kapp, desk.cluster, (desk.namespace, APP), [config("one")]).code == 0
    desk.does('kubectl patch configmap one --type merge -p \'{"data": {"hand": "1"}}\'')
    write(desk, config("one"), keeping)

    found: JsonObject = desk.report(f"plan {APP} --applier kapp --app {APP} --against live")
    (predicted,) = found["units"][0]["objects"]
    assert deploy(kapp, desk.cluster, (desk.namespace, APP), [config("one"), keeping]).code == 0
    assert predicted["result"]["data"] == stored_data(desk)["one"] == {"a": "1", "hand": "1"}


@pytest.mark.parametrize("value", ["1", "2"])
def test_a_changed_version_gets_the_next_number(desk: Desk, kapp: Path, value: str) -> None:
    mark = {"kapp.k14s.io/versioned": ""}
    for earlier in ("0", "1"):
        assert deploy(kapp, desk.cluster, (desk.namespace, APP), [config("v", earlier, **mark)]).code == 0
    write(desk, config("v", value, **mark))

    verdicts = {
        name: verdict for name, verdict in verdicts_and_problems(desk)[0].items() if verdict in ("created", "pruned")
    }
    before = set(stored_data(desk))
    assert deploy(kapp, desk.cluster, (desk.namespace, APP), [config("v", value, **mark)]).code == 0
    assert verdicts == dict.fromkeys(set(stored_data(desk)) - before, "created")
