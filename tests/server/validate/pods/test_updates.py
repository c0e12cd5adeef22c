import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate import validate
from tests.server.stored import kind_of
from tests.server.validate.objects import CONTAINER, fields, pod

GATE = {"schedulingGates": [{"name": "a/b"}, {"name": "c"}]}
TOLERATION: JsonObject = {"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
IN_ZONE: JsonObject = {"key": "zone", "operator": "In", "values": ["a"]}
ON_DISK: JsonObject = {"key": "disk", "operator": "Exists"}
TERMS = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"


def near(*terms: JsonObject, **kinds: Json) -> JsonObject:
    node = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [*terms]}}
    return {"affinity": {"nodeAffinity": node, **kinds}}


def term(*expressions: JsonObject, **rest: Json) -> JsonObject:
    return {"matchExpressions": [*expressions], **rest}


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({}, {}, [], id="nothing"),
        pytest.param({"container": {"image": "other"}}, {}, [], id="image"),
        pytest.param({"container": {"name": "other"}}, {}, [""], id="name"),
        pytest.param({"containers": [CONTAINER, {**CONTAINER, "name": "d"}]}, {}, ["containers"], id="more"),
        pytest.param({"initContainers": [{**CONTAINER, "name": "d"}]}, {}, ["initContainers"], id="more at first"),
        pytest.param({"activeDeadlineSeconds": 5}, {}, [], id="deadline"),
        pytest.param({"activeDeadlineSeconds": 5}, {"activeDeadlineSeconds": 6}, [], id="shorter deadline"),
        pytest.param(
            {"activeDeadlineSeconds": 6}, {"activeDeadlineSeconds": 5}, ["activeDeadlineSeconds"], id="longer"
        ),
        pytest.param({}, {"activeDeadlineSeconds": 5}, ["activeDeadlineSeconds"], id="no deadline any more"),
        pytest.param({"terminationGracePeriodSeconds": 1}, {"terminationGracePeriodSeconds": -1}, [], id="grace"),
        pytest.param({"terminationGracePeriodSeconds": 1}, {}, [""], id="less grace"),
        pytest.param({"tolerations": [TOLERATION]}, {}, [], id="toleration"),
        pytest.param(
            {"tolerations": [{**TOLERATION, "tolerationSeconds": 9}]},
            {"tolerations": [TOLERATION]},
            [],
            id="longer toleration",
        ),
        pytest.param({}, {"tolerations": [TOLERATION]}, ["tolerations"], id="no toleration"),
        pytest.param({}, GATE, [], id="no gates"),
        pytest.param(GATE, {}, ["schedulingGates[0].name", "schedulingGates[1].name"], id="gates"),
        pytest.param({"nodeSelector": {"a": "b"}}, {}, [""], id="selector"),
        pytest.param({"affinity": {}}, {}, [""], id="an empty affinity"),
    ],
)
def test_little_of_a_pod_changes(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    found = [field.removeprefix("spec").removeprefix(".") for field in fields(pod(**new), pod(**old))]

    assert found == expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({"nodeSelector": {"a": "b", "c": "d"}}, {"nodeSelector": {"a": "b"}}, [], id="more labels"),
        pytest.param({"nodeSelector": {"a": "c"}}, {"nodeSelector": {"a": "b"}}, ["nodeSelector"], id="another label"),
        pytest.param({}, {"nodeSelector": {"a": "b"}}, ["nodeSelector"], id="no label"),
        pytest.param(near(term(IN_ZONE)), {}, [], id="affinity"),
        pytest.param(near(term(IN_ZONE), podAffinity={}), {}, [""], id="affinity to pods"),
        pytest.param(near(term(IN_ZONE), podAffinity={}), {"affinity": {"podAffinity": {}}}, [], id="affinity beside"),
        pytest.param(near(term(IN_ZONE, ON_DISK)), near(term(IN_ZONE)), [], id="more expressions"),
        pytest.param(near(term(ON_DISK, IN_ZONE)), near(term(IN_ZONE)), [f"{TERMS}[0]"], id="expressions first"),
        pytest.param(near(term(ON_DISK)), near(term(IN_ZONE)), [f"{TERMS}[0]"], id="other expressions"),
        pytest.param(near(term(IN_ZONE), term(ON_DISK)), near(term(IN_ZONE)), [TERMS], id="more terms"),
        pytest.param({}, near(term(IN_ZONE)), [TERMS], id="no terms"),
        pytest.param(near({}), near({}), [], id="a term that chooses nothing"),
        pytest.param(near(term(IN_ZONE)), near({}), [f"{TERMS}[0]"], id="which stays so"),
        pytest.param({"activeDeadlineSeconds": 5}, {}, [], id="the rest as ever"),
        pytest.param({"hostNetwork": True}, {}, [""], id="and no more"),
    ],
)
def test_a_gated_pod_may_be_bound_more_narrowly(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    found = [field.removeprefix("spec").removeprefix(".") for field in fields(pod(**new, **GATE), pod(**old, **GATE))]

    assert found == expected


def test_unknown_fields_stay() -> None:
    old = pod(restartPolicy="Always", dnsPolicy="Default", terminationGracePeriodSeconds=30)
    more = {"terminationMessagePolicy": "File", "imagePullPolicy": "Always"}
    old["spec"]["containers"] = [{**CONTAINER, **more}]
    new = {**old, "spec": {**old["spec"], "nodeName": Unknown("where it runs"), "priority": Unknown("of its class")}}

    assert validate(new, old, kind_of(new), "1.36") == ()
