import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.kinds.service.clashes import clashes


def service(ports: list[Json] = [], ips: list[Json] = []) -> JsonObject:  # noqa: B006  never changed
    return {"spec": {"clusterIPs": ips, "ports": [{"nodePort": port} for port in ports]}}


@pytest.mark.parametrize(
    ("wanted", "others", "fields"),
    [
        pytest.param(service([30443]), [service([30443])], ["spec.ports[0].nodePort"], id="a port"),
        pytest.param(service([30001, 30443]), [service([30443])], ["spec.ports[1].nodePort"], id="the second port"),
        pytest.param(service([30443]), [service([30444])], [], id="another port"),
        pytest.param(service([30443]), [], [], id="no other"),
        pytest.param(service([Unknown("free")]), [service([Unknown("free")])], [], id="ports that the server chose"),
        pytest.param(service([None, 0]), [service([None, 0])], [], id="no ports"),
        pytest.param(service(ips=["10.0.0.7"]), [service(ips=["10.0.0.7"])], ["spec.clusterIPs[0]"], id="an address"),
        pytest.param(service(ips=["None"]), [service(ips=["None"])], [], id="headless"),
        pytest.param(service(ips=[Unknown("free")]), [service(ips=[Unknown("free")])], [], id="chosen addresses"),
        pytest.param({}, [{}], [], id="nothing"),
    ],
)
def test_ports_and_addresses_of_other_services_clash(
    wanted: JsonObject, others: list[JsonObject], fields: list[str]
) -> None:
    assert [refusal.field for refusal in clashes(wanted, others)] == fields


def test_the_server_says_which_value_it_cannot_give() -> None:
    (refusal,) = clashes(service(ips=["10.0.0.7"]), [service(ips=["10.0.0.7"])])

    assert refusal.message == (
        'Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: provided IP is already allocated'
    )
