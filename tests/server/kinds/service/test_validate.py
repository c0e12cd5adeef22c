import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate import validate
from tests.server.stored import kind_of
from tests.server.validate.objects import fields, messages, service

CHOSEN = Unknown("a free port")
OUTSIDE: JsonObject = {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30001}
RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges"


def port(number: int, name: str = "", **rest: Json) -> JsonObject:
    return {"port": number, "targetPort": number, "protocol": "TCP", **({"name": name} if name else {}), **rest}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({}, [], id="good"),
        pytest.param({"ports": None}, ["ports"], id="no ports"),
        pytest.param({"ports": None, "clusterIP": "None", "clusterIPs": ["None"]}, [], id="headless without ports"),
        pytest.param({"ports": [port(0)]}, ["ports[0].port", "ports[0].targetPort"], id="port of no number"),
        pytest.param({"ports": [port(1, "A")]}, ["ports[0].name"], id="name of a port"),
        pytest.param({"ports": [port(1), port(2, "b")]}, ["ports[0].name"], id="several need names"),
        pytest.param({"ports": [port(1, "a"), port(2, "a")]}, ["ports[1].name"], id="one name twice"),
        pytest.param({"ports": [port(1, "a"), port(1, "b")]}, ["ports[1]"], id="one port twice"),
        pytest.param({"ports": [port(1, "a"), port(1, "b", protocol="UDP")]}, [], id="two protocols"),
        pytest.param(
            {"ports": [port(1, protocol="x", appProtocol="a b")]},
            ["ports[0].appProtocol", "ports[0].protocol"],
            id="protocols",
        ),
        pytest.param({"ports": [port(1, targetPort="UPPER")]}, ["ports[0].targetPort"] * 2, id="name of a target"),
        pytest.param({"ports": [port(1, nodePort=30000)]}, ["ports[0].nodePort"], id="no ports of nodes inside"),
        pytest.param({"type": "x"}, ["type"], id="type"),
        pytest.param({"selector": {"a b": ""}}, ["selector"], id="selector"),
        pytest.param({"sessionAffinity": "x"}, ["sessionAffinity"], id="affinity"),
        pytest.param(
            {"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86401}}},
            ["sessionAffinityConfig.clientIP.timeoutSeconds"],
            id="a long affinity",
        ),
        pytest.param({"internalTrafficPolicy": "x"}, ["internalTrafficPolicy"], id="traffic inside"),
        pytest.param({"trafficDistribution": "x"}, ["trafficDistribution"], id="traffic nearby"),
        pytest.param({"trafficDistribution": "PreferSameNode"}, [], id="traffic on the node"),
        pytest.param({"externalTrafficPolicy": "Local"}, ["externalTrafficPolicy"], id="traffic from nowhere"),
        pytest.param(
            {"externalIPs": ["1.2.3.4"], "externalTrafficPolicy": "x"}, ["externalTrafficPolicy"], id="traffic"
        ),
        pytest.param({"externalIPs": ["127.0.0.1", "x"]}, ["externalIPs[0]", "externalIPs[1]"], id="outside addresses"),
        pytest.param({"healthCheckNodePort": 30001}, ["healthCheckNodePort"], id="no need of health"),
        pytest.param(
            {"allocateLoadBalancerNodePorts": False, "loadBalancerClass": "a/b"},
            ["allocateLoadBalancerNodePorts", "loadBalancerClass"],
            id="only for balancers",
        ),
        pytest.param({"loadBalancerSourceRanges": ["10.0.0.0/8"]}, ["LoadBalancerSourceRanges"], id="sources"),
        pytest.param(
            {"type": "NodePort", "clusterIP": "None", "clusterIPs": ["None"]}, ["clusterIPs[0]"], id="headless"
        ),
        pytest.param({**OUTSIDE}, [], id="balancer"),
        pytest.param({**OUTSIDE, "healthCheckNodePort": 70000}, ["healthCheckNodePort"], id="health"),
        pytest.param({**OUTSIDE, "loadBalancerClass": "a b"}, ["loadBalancerClass"], id="class"),
        pytest.param(
            {**OUTSIDE, "loadBalancerSourceRanges": [" 10.0.0.0/8", "x"]}, ["LoadBalancerSourceRanges[1]"], id="ranges"
        ),
        pytest.param(
            {"type": "ExternalName", "externalName": "A"},
            ["clusterIPs", "externalName", "ipFamilies", "ipFamilyPolicy"],
            id="another name",
        ),
    ],
)
def test_services(spec: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(service(**spec))] == expected


def test_an_external_service_needs_only_an_external_name() -> None:
    addressless: JsonObject = {"clusterIP": None, "clusterIPs": None, "ipFamilies": None, "ipFamilyPolicy": None}

    assert fields(service(**addressless, type="ExternalName", externalName="a.b.", ports=None)) == []
    assert fields(service(**addressless, type="ExternalName", ports=None)) == ["spec.externalName"]


@pytest.mark.parametrize(
    ("annotations", "spec", "expected"),
    [
        pytest.param({RANGES: "10.0.0.0/8, 10.1.0.0/16"}, OUTSIDE, [], id="ranges"),
        pytest.param({RANGES: " "}, OUTSIDE, [], id="none"),
        pytest.param({RANGES: "x"}, OUTSIDE, [RANGES], id="bad ranges"),
        pytest.param({RANGES: "x"}, {**OUTSIDE, "loadBalancerSourceRanges": ["10.0.0.0/8"]}, [], id="the field counts"),
        pytest.param({RANGES: "10.0.0.0/8"}, {}, [RANGES], id="only for balancers"),
        pytest.param(
            {"service.kubernetes.io/topology-mode": "Auto", "service.kubernetes.io/topology-aware-hints": "Disabled"},
            {},
            ["service.kubernetes.io/topology-mode"],
            id="hints",
        ),
        pytest.param({"service.kubernetes.io/topology-mode": "Auto"}, {}, [], id="one word for hints"),
    ],
)
def test_annotations(annotations: JsonObject, spec: JsonObject, expected: list[str]) -> None:
    found = fields(service(metadata={"annotations": annotations}, **spec))

    assert found == [f"metadata.annotations[{key}]" for key in expected]


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({**OUTSIDE, "healthCheckNodePort": 30002}, OUTSIDE, ["healthCheckNodePort"], id="health"),
        pytest.param({**OUTSIDE, "loadBalancerClass": "a/b"}, OUTSIDE, ["loadBalancerClass"], id="class"),
        pytest.param({**OUTSIDE, "loadBalancerClass": "a/b"}, {}, [], id="class of a new balancer"),
        pytest.param({"externalIPs": ["010.1.1.1"]}, {"externalIPs": ["010.1.1.1"]}, [], id="stored outside address"),
        pytest.param(
            {"externalIPs": ["127.0.0.1"]}, {"externalIPs": ["127.0.0.1"]}, ["externalIPs[0]"], id="but no special one"
        ),
    ],
)
def test_some_fields_stay(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(service(**new), service(**old))] == expected


def test_stored_ranges_in_an_annotation_may_stay() -> None:
    stored = service(metadata={"annotations": {RANGES: "x"}}, **OUTSIDE)

    assert fields(stored, stored) == []


def test_older_servers_ask_for_other_things() -> None:
    kubelet = service(**OUTSIDE, ports=[port(10250)])

    assert [fields(kubelet, version=version) for version in ("1.30", "1.33")] == [["spec.ports[0]"], []]
    assert fields(service(trafficDistribution="PreferSameZone"), version="1.33") == ["spec.trafficDistribution"]
    assert fields(service(metadata={"name": "1a"}), version="1.33") == ["metadata.name"]
    assert fields(service(metadata={"name": "1a"})) == []


def test_values_that_the_server_chooses_are_valid() -> None:
    ports = [port(80, "a", nodePort=CHOSEN), port(81, "b", nodePort=CHOSEN)]
    chosen = {"clusterIP": CHOSEN, "clusterIPs": [CHOSEN], "type": "LoadBalancer", "healthCheckNodePort": CHOSEN}
    spec = {
        "ports": ports,
        "externalTrafficPolicy": "Local",
        "sessionAffinity": "None",
        "internalTrafficPolicy": "Cluster",
    }
    made = {**service(), "spec": {**service()["spec"], **chosen, **spec}}

    assert validate(made, None, kind_of(made), "1.36") == ()
    assert validate(made, made, kind_of(made), "1.36") == ()


def test_a_range_has_the_message_of_the_server() -> None:
    assert messages(service(**OUTSIDE, loadBalancerSourceRanges=["x"])) == [
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or '
        "2001:db8::/64)"
    ]


def test_a_port_that_is_there_twice_is_shown_as_the_server_keys_it() -> None:
    shown = '{"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}'
    ports = [port(1, "a", protocol="TCP"), port(1, "b", protocol="TCP")]

    assert messages(service(ports=ports)) == [f"spec.ports[1]: Duplicate value: {shown}"]
