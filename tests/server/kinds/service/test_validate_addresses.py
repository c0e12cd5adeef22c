import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import fields, service

CHOSEN = Unknown("a free address")
BOTH: JsonObject = {
    "clusterIPs": ["10.0.0.1", "fd00::1"],
    "ipFamilies": ["IPv4", "IPv6"],
    "ipFamilyPolicy": "RequireDualStack",
}
HEADLESS: JsonObject = {"clusterIP": "None", "clusterIPs": ["None"]}
NOTHING: JsonObject = {"clusterIP": None, "clusterIPs": None, "ipFamilies": None, "ipFamilyPolicy": None}


def ports(*pairs: tuple[int, int]) -> list[JsonObject]:
    return [{"name": f"p{place}", "port": number, "nodePort": node} for place, (number, node) in enumerate(pairs)]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({}, [], id="one"),
        pytest.param(BOTH, [], id="two"),
        pytest.param(HEADLESS, [], id="none"),
        pytest.param(NOTHING, [], id="chosen later"),
        pytest.param({"clusterIP": CHOSEN, "clusterIPs": [CHOSEN]}, [], id="chosen"),
        pytest.param({"clusterIP": "10.0.0.2"}, ["clusterIPs"], id="two words"),
        pytest.param({"clusterIP": None}, ["clusterIPs"], id="only in the list"),
        pytest.param({"clusterIP": "x", "clusterIPs": ["x"]}, ["clusterIPs[0]"], id="no address"),
        pytest.param({"clusterIP": "010.0.0.1", "clusterIPs": ["010.0.0.1"]}, ["clusterIPs[0]"], id="zeros"),
        pytest.param({**HEADLESS, "clusterIPs": ["None", "10.0.0.1"]}, ["clusterIPs"], id="none and one"),
        pytest.param({"clusterIPs": ["10.0.0.1", "10.0.0.2"]}, ["clusterIPs"], id="two of a family"),
        pytest.param({**BOTH, "clusterIPs": ["10.0.0.1", "fd00::1", "fd00::2"]}, ["clusterIPs"], id="three"),
        pytest.param({"ipFamilies": ["IPv6"]}, ["clusterIPs[0]"], id="another family"),
        pytest.param({"ipFamilies": ["IPv5"]}, ["ipFamilies[0]"], id="no family"),
        pytest.param({**BOTH, "ipFamilies": ["IPv4", "IPv4"]}, ["clusterIPs[1]", "ipFamilies[1]"], id="one twice"),
        pytest.param({"ipFamilyPolicy": "x"}, ["ipFamilyPolicy"], id="policy"),
        pytest.param({**BOTH, "ipFamilyPolicy": "SingleStack"}, ["ipFamilyPolicy"] * 2, id="too many for the policy"),
        pytest.param({"type": "ExternalName", "externalName": "a", **NOTHING}, [], id="another name"),
    ],
)
def test_addresses_and_families_agree(spec: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(service(**spec))] == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"ports": ports((80, 30000), (81, 30001))}, [], id="two ports"),
        pytest.param({"ports": ports((80, 30000), (81, 30000))}, ["spec.ports[1].nodePort"], id="one for two"),
    ],
)
def test_ports_of_nodes_differ(spec: JsonObject, expected: list[str]) -> None:
    assert fields(service(type="NodePort", externalTrafficPolicy="Cluster", **spec)) == expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({}, {}, [], id="nothing changes"),
        pytest.param({"clusterIP": "10.0.0.2", "clusterIPs": ["10.0.0.2"]}, {}, ["clusterIPs[0]"], id="another"),
        pytest.param({"clusterIP": None, "clusterIPs": None}, {}, ["clusterIPs[0]"], id="none is given"),
        pytest.param(BOTH, {}, [], id="a second one"),
        pytest.param({**BOTH, "clusterIPs": ["10.0.0.1", "fd00::2"]}, BOTH, ["clusterIPs[1]"], id="another second"),
        pytest.param({}, BOTH, [], id="the second is given up"),
        pytest.param(
            {"ipFamilyPolicy": "PreferDualStack"},
            BOTH,
            ["ipFamilyPolicy", "ipFamilyPolicy"],
            id="the second is given up against the policy",
        ),
        pytest.param(
            {"ipFamilies": ["IPv6"], "clusterIP": "10.0.0.1"}, {}, ["clusterIPs[0]"], id="a family that does not fit"
        ),
        pytest.param({**HEADLESS, "ipFamilies": ["IPv6"]}, HEADLESS, [], id="families of nothing"),
        pytest.param(HEADLESS, {}, ["clusterIPs[0]"], id="headless from now on"),
        pytest.param({**NOTHING, "type": "ExternalName", "externalName": "a", "ports": None}, {}, [], id="given up"),
    ],
)
def test_addresses_stay(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(service(**new), service(**old))] == expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param(ports((80, 80)), None, ["spec.ports[0].nodePort"], id="below"),
        pytest.param(ports((80, 32767), (81, 32768)), None, ["spec.ports[1].nodePort"], id="above"),
        pytest.param(ports((80, 80)), ports((80, 30000)), ["spec.ports[0].nodePort"], id="changed"),
        pytest.param(ports((80, 80), (81, 30001)), ports((80, 80)), [], id="stored"),
    ],
)
def test_new_ports_of_nodes_are_in_their_range(new: Json, old: Json, expected: list[str]) -> None:
    """A dry run skips this check: recorded from a real write on kube-apiserver 1.36.3, on 2026-11-21."""
    kind = {"type": "NodePort", "externalTrafficPolicy": "Cluster"}
    before = service(**kind, ports=old) if old is not None else None

    assert fields(service(**kind, ports=new), before) == expected
