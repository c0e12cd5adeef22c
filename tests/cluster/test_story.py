"""Stories on a real server: every way to write, every way to end, and nothing left behind."""

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import LAST_APPLIED, Absent, ObjectRef, Present
from kubectl_applylint.core.values import Json
from tests.cases.cases import Case, read_case
from tests.cluster.cluster import Cluster, Run
from tests.cluster.proxy import Exchange, Recording
from tests.cluster.story import Stuck, move_to_namespace, play, verdict_of
from tests.cluster.test_crds import GADGETS
from tests.cluster.yamltext import dump

SETTINGS: dict[str, Json] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}}
REF = ObjectRef("v1", "ConfigMap", "", "settings")


def settings(**data: str) -> dict[str, Json]:
    return {**SETTINGS, "data": data}


def story(manifest: dict[str, Json], **rest: Json) -> Case:
    text = dump({"summary": "a story", "manifest": dump(manifest), **rest})
    return read_case(text, file="story.yaml", rule="rule")


def test_a_new_object_is_created(cluster: Cluster, proxy: Recording) -> None:
    played = play(cluster, proxy, story(settings(a="1")))

    assert (played.live, played.verdict) == (Absent(), Verdict.CREATED)
    assert isinstance(played.after, Present)
    assert played.after.object["data"] == {"a": "1"}
    assert played.after.object["metadata"]["namespace"] == "default"


def test_every_kind_of_step_leads_to_the_live_state(cluster: Cluster, proxy: Recording) -> None:
    steps = [
        {"create": settings(a="0", b="0", c="0", d="0")},
        {"replace": settings(a="1", b="1", c="1", d="1", r="1"), "manager": "replacer"},
        {"patch": {"data": {"b": "2"}}, "manager": "merger"},
        {"patch": {"data": {"c": "3"}}, "type": "strategic"},
        {"patch": [{"op": "remove", "path": "/data/d"}], "type": "json"},
        {"apply-server-side": settings(a="5"), "manager": "owner", "force": True},
        {"apply": settings(e="6")},
    ]
    played = play(cluster, proxy, story(settings(e="6"), steps=steps))

    assert isinstance(played.live, Present)
    assert played.live.object["data"] == {"a": "5", "b": "2", "c": "3", "e": "6", "r": "1"}
    managers = {entry["manager"] for entry in played.live.object["metadata"]["managedFields"]}
    named = {"replacer", "merger", "owner"}
    assert managers == named | {"kubectl-create", "kubectl-patch", "kubectl-client-side-apply"}
    assert played.verdict is Verdict.UNCHANGED


def test_a_conflict_is_distinguished_from_a_rejection(cluster: Cluster, proxy: Recording) -> None:
    steps = [{"apply-server-side": settings(a="1"), "manager": "owner"}]
    conflict = play(cluster, proxy, story(settings(a="2"), steps=steps, flags=["--server-side"]))
    rejected = play(cluster, proxy, story({**SETTINGS, "data": {"not a key": "1"}}))
    forced = play(cluster, proxy, story(settings(a="2"), steps=steps, flags=["--server-side", "--force-conflicts"]))

    assert (conflict.verdict, rejected.verdict, forced.verdict) == (
        Verdict.CONFLICT,
        Verdict.REJECTED,
        Verdict.SERVERSIDE_APPLIED,
    )
    assert (rejected.live, rejected.after) == (Absent(), Absent())


def test_custom_resources_have_their_definitions(cluster: Cluster, proxy: Recording) -> None:
    gadget = {"apiVersion": "test.example.com/v1", "kind": "Gadget", "metadata": {"name": "g"}}
    played = play(cluster, proxy, story(gadget, crds=[GADGETS]))

    assert played.verdict is Verdict.CREATED
    assert not cluster.get("/apis/test.example.com/v1").ok


def test_peers_go_first_and_do_not_decide_the_verdict(cluster: Cluster, proxy: Recording) -> None:
    broken = {**SETTINGS, "metadata": {"name": "Broken"}}
    played = play(cluster, proxy, story(settings(a="2"), peers=[broken, settings(a="1")]))

    assert played.verdict is Verdict.CONFIGURED


def test_a_given_state_is_stored_with_its_owners(cluster: Cluster, proxy: Recording) -> None:
    owners: list[Json] = [{"manager": "helm", "operation": "Update", "apiVersion": "v1"}]
    owners[0] |= {"fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:a": {}}}}
    live = {**settings(a="1"), "metadata": {"name": "settings", "namespace": "default", "managedFields": owners}}
    played = play(cluster, proxy, story(settings(a="1"), live=live, flags=["--server-side"]))

    assert isinstance(played.live, Present)
    assert played.live.object["metadata"]["managedFields"] == owners
    assert played.verdict is Verdict.SERVERSIDE_APPLIED


def test_a_given_state_moves_with_its_annotations() -> None:
    def live(namespace: str) -> dict[str, Json]:
        annotations = {LAST_APPLIED: f'{{"metadata":{{"name":"default","namespace":"{namespace}"}}}}\n'}
        return {"metadata": {"name": "default", "namespace": namespace, "annotations": annotations}}

    assert move_to_namespace(live("default"), "case-7") == live("case-7")


def test_a_state_that_the_server_would_not_keep_is_no_state(cluster: Cluster, proxy: Recording) -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}

    with pytest.raises(Stuck, match=r"^the server stores live differently: spec\.clusterIP"):
        play(cluster, proxy, story(service, live=service))
    with pytest.raises(Stuck, match=r"^live cannot be stored: "):
        play(cluster, proxy, story(service, live={**service, "spec": {}}))


def test_a_step_that_fails_is_named(cluster: Cluster, proxy: Recording) -> None:
    steps = [{"create": settings(a="1")}, {"patch": {"data": 5}}]

    with pytest.raises(Stuck, match=r"^steps\[1\] \(patch\) failed: "):
        play(cluster, proxy, story(settings(), steps=steps))


def test_objects_and_namespaces_are_gone_afterwards(cluster: Cluster, proxy: Recording) -> None:
    metadata = {"name": "settings", "namespace": "applylint-named", "finalizers": ["example.com/kept"]}
    play(cluster, proxy, story({**settings(a="1"), "metadata": metadata}))

    assert cluster.has_controllers or not cluster.get("/api/v1/namespaces/applylint-named").ok
    assert not cluster.get("/api/v1/namespaces/applylint-named/configmaps/settings").ok


def test_a_namespace_of_the_story_is_not_there_before(cluster: Cluster, proxy: Recording) -> None:
    namespace: dict[str, Json] = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "applylint-made"}}
    inside = {**settings(a="1"), "metadata": {"name": "settings", "namespace": "applylint-made"}}
    made = play(cluster, proxy, story(namespace))
    filled = play(cluster, proxy, story(inside, peers=[namespace]))

    assert (made.live, made.verdict) == (Absent(), Verdict.CREATED)
    assert filled.verdict is Verdict.CREATED


@pytest.mark.parametrize(
    ("stdout", "sent", "verdict"),
    [
        ("configmap/settings unchanged\n", [], Verdict.UNCHANGED),
        (
            "configmap/other created\nconfigmap/settings created\nconfigmap/settings configured\n",
            [],
            Verdict.CONFIGURED,
        ),
        ("configmap/other created\n", [("/c/settings", 409)], Verdict.CONFLICT),
        ("", [("/c", 422), ("/c/other", 409)], Verdict.REJECTED),
        ("", [], Verdict.REJECTED),
    ],
    ids=["word", "last word", "conflict", "conflict of another", "refused by kubectl"],
)
def test_the_verdict_is_the_object_s_own(stdout: str, sent: list[tuple[str, int]], verdict: Verdict) -> None:
    exchanges = [Exchange("PATCH", path, (), None, None, status) for path, status in sent]

    assert verdict_of(REF, Run(0, stdout, ""), exchanges, "/c/settings") is verdict
