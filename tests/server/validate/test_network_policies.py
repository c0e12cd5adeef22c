"""Validation of network policies: kube-apiserver 1.36.3, asked on 2026-11-21."""

from collections.abc import Iterator

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate.field_context import FieldContext
from kubectl_applylint.server.validate.groups.networking import _stored_blocks as stored_blocks
from tests.server.validate.objects import a, messages


def policy(*peers: JsonObject) -> JsonObject:
    """Return a policy that lets pods speak to some peers."""
    return a("networking.k8s.io/v1", "NetworkPolicy", {"podSelector": {}, "egress": [{"to": list(peers)}]})


def block(*exceptions: Json) -> JsonObject:
    return {"ipBlock": {"cidr": "10.0.0.0/8", "except": list(exceptions)}}


@pytest.mark.parametrize(
    ("peer", "stored", "errors"),
    [
        pytest.param(block("10.1.0.0/16"), None, [], id="valid"),
        pytest.param(block(None), None, [""], id="nothing in a block"),
        pytest.param(block(None), {"podSelector": {}}, [""], id="nothing where no block was stored"),
        pytest.param(block("10.1"), block("10.1"), [], id="stored as it is"),
        pytest.param(block("10.1"), block("10.2"), ["10.1"], id="another"),
    ],
)
def test_errors_of_exceptions_from_a_block(peer: JsonObject, stored: JsonObject | None, errors: list[str]) -> None:
    words = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
    old = policy(stored) if stored else None
    assert messages(policy(peer), old) == [
        f'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "{text}": {words}' for text in errors
    ]


def test_valid_blocks_are_not_looked_for_among_those_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(
        "kubectl_applylint.server.validate.groups.networking._stored_blocks", lambda fld: calls.append(fld)
    )
    large = policy(*(block(f"10.{number}.0.0/16") for number in range(100)))

    assert messages(large, large) == []
    assert calls == []


def test_faulty_blocks_at_their_stored_places_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(
        "kubectl_applylint.server.validate.groups.networking._stored_blocks", lambda fld: calls.append(fld)
    )
    large = policy(*(block(f"10.{number}") for number in range(100)))

    assert messages(large, large) == []
    assert calls == []


def test_stored_blocks_are_gathered_once_for_all_faulty_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    gathered: list[str] = []

    def count_blocks(spec: FieldContext) -> Iterator[str]:
        for stored in stored_blocks(spec):
            gathered.append(stored)
            yield stored

    monkeypatch.setattr("kubectl_applylint.server.validate.groups.networking._stored_blocks", count_blocks)
    peers = [block(f"10.{number}") for number in range(100)]

    assert messages(policy(*reversed(peers)), policy(*peers)) == []
    assert len(gathered) == 2 * len(peers)
