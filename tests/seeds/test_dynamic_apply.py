"""Apply semantics of Metacontroller: its page on dynamic apply, heading by heading."""

import pytest

from kubectl_applylint import api
from kubectl_applylint.appliers.last_applied import annotate
from kubectl_applylint.core.outcome import Outcome, Write
from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.dynamic import MERGE_KEYS, merge, merge_key
from kubectl_applylint.server.write import JSON_BODY, Refused, Server, answer
from tests.seeds.objects import SCHEMA

WEB = {"name": "nginx", "image": "nginx", "ports": [{"containerPort": 80, "name": "web"}]}
SIDECAR = {"name": "sidecar", "image": "log-uploader"}
POD: Json = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "my-pod", "namespace": "default", "labels": {"app": "my-app"}},
    "spec": {"containers": [{"name": "nginx", "image": "nginx"}]},
}


def cat_set(*containers: Json) -> dict[str, Json]:
    template = {"metadata": {"labels": {"app": "nginx"}}, "spec": {"containers": list(containers)}}
    return {
        "apiVersion": "ctl.enisoc.com/v1",
        "kind": "CatSet",
        "metadata": {"name": "my-catset"},
        "spec": {"template": template},
    }


def containers_of(resource: Json) -> list[Json]:
    return list(resource["spec"]["template"]["spec"]["containers"])


def kubectl(config: Json, live: Json) -> Outcome:
    """Return what kubectl makes of an object that it applied before and others changed since."""
    return api.predict(config, schema=SCHEMA, live=live)


def test_a_label_is_added_and_all_extra_fields_stay() -> None:
    """Motivation: "it will update only the part you changed (adding a label)"."""
    filled_in = [
        {"name": "nginx", "image": "nginx", "imagePullPolicy": "Always", "resources": {"requests": {"cpu": "100m"}}}
    ]
    observed = {**POD, "spec": {"containers": filled_in}, "status": {"phase": "Running"}}
    labels = {"app": "my-app", "role": "staging"}
    after = merge(observed, POD, {**POD, "metadata": {**POD["metadata"], "labels": labels}})

    assert after == {**observed, "metadata": {**observed["metadata"], "labels": labels}}


def test_replace_unsets_what_others_have_filled_in() -> None:
    """Motivation: replace "will fail because it thinks you're trying to unset all those extra fields"."""
    kind = SCHEMA.kind("v1", "Pod")
    live = api.predict(with_request(POD), schema=SCHEMA).result
    replaced = answer(Write("PUT", JSON_BODY, POD), live, Server(kind, "1.36"))

    assert isinstance(replaced, Refused)
    assert "pod updates may not change fields other than" in replaced.causes[0].message


def with_request(pod: Json) -> dict[str, Json]:
    """Return the Pod with the CPU request that the LimitRanger has set."""
    container = {**pod["spec"]["containers"][0], "resources": {"requests": {"cpu": "100m"}}}
    return {**pod, "spec": {"containers": [container]}}


def test_kubectl_removes_the_sidecar_from_a_custom_resource() -> None:
    """Dynamic Apply: kubectl "will completely replace the containers list with yours"."""
    live = annotate(cat_set(WEB)) | {"spec": cat_set(WEB, SIDECAR)["spec"]}
    outcome = kubectl(cat_set({**WEB, "image": "nginx:2"}), live)

    assert containers_of(outcome.result) == [{**WEB, "image": "nginx:2"}]


def test_kubectl_keeps_the_sidecar_of_a_deployment() -> None:
    """Dynamic Apply: "if this had been a Deployment or StatefulSet, kubectl apply would have preserved" it."""

    def deployment(*containers: Json) -> dict[str, Json]:
        whole = cat_set(*containers)
        return {
            **whole,
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "my-catset", "namespace": "default"},
            "spec": {**whole["spec"], "selector": {"matchLabels": {"app": "nginx"}}},
        }

    live = annotate(deployment(WEB)) | {"spec": deployment(WEB, SIDECAR)["spec"]}
    after = kubectl(deployment({**WEB, "image": "nginx:2"}), live).result

    assert [each["name"] for each in containers_of(after)] == ["nginx", "sidecar"]


def test_metacontroller_keeps_the_sidecar_of_a_custom_resource() -> None:
    """Dynamic Apply: "Metacontroller can emulate strategic merge inside CRDs"."""
    after = merge(cat_set(WEB, SIDECAR), cat_set(WEB), cat_set({**WEB, "image": "nginx:2"}))

    assert containers_of(after) == [{**WEB, "image": "nginx:2"}, SIDECAR]


@pytest.mark.parametrize(
    ("items", "key"),
    [
        pytest.param([{"name": "a"}, {"name": "b"}], "name", id="all items are objects with a field in common"),
        pytest.param([{"name": "a"}, "b"], None, id="an item is a scalar"),
        pytest.param([{"name": "a"}, [{"name": "b"}]], None, id="an item is another list"),
        pytest.param([{"name": "a"}, {"image": "b"}], None, id="no field in common"),
        pytest.param([{"host": "a"}, {"host": "b"}], None, id="the common field is none of the conventional keys"),
        pytest.param([{"name": "a", "containerPort": 1}], "containerPort", id="the fixed order decides"),
    ],
)
def test_conventions(items: list[Json], key: str | None) -> None:
    """Conventions: "A list is detected as an associative list if and only if all ... conditions are met"."""
    assert merge_key(items) == key


def test_the_most_common_key_is_one_of_the_conventional_keys() -> None:
    """Conventions: "(most commonly name)"."""
    assert "name" in MERGE_KEYS


@pytest.mark.parametrize(
    ("observed", "desired", "after"),
    [
        pytest.param(
            [{"name": "theirs"}],
            [{"name": "ours"}],
            [{"name": "theirs"}, {"name": "ours"}],
            id="Atomic object lists: they merge all the same",
        ),
        pytest.param(
            [{"host": "theirs"}],
            [{"host": "ours"}],
            [{"host": "ours"}],
            id="Unconventional associative list keys: the list is replaced",
        ),
        pytest.param(
            [{"port": 53, "protocol": "TCP"}],
            [{"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}],
            [{"port": 53, "protocol": "UDP"}],
            id="Multi-field associative list keys: one of the two is lost",
        ),
        pytest.param(
            ["theirs"],
            ["ours"],
            ["ours"],
            id="Scalar-valued associative lists: the list is replaced",
        ),
    ],
)
def test_limitations(observed: Json, desired: Json, after: Json) -> None:
    """Limitations: "configurations that the native apply allows, but are currently not supported"."""
    assert merge({"list": observed}, {}, {"list": desired}) == {"list": after}
