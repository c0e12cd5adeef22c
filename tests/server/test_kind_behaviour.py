"""Behavior of a kind without settings of its own."""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.kinds import behaviour_of


def test_other_kinds_are_left_as_they_are() -> None:
    kind = load("1.36").kind("v1", "ConfigMap")
    assert kind is not None
    usual = behaviour_of(kind)
    item: JsonObject = {"kind": "ConfigMap"}

    assert usual.prepare(item, None, 36) is item
    assert usual.prepare_status(item, {}) is item
    assert usual.allocate(item, None) is item
    assert usual.convert(usual.read(item)) is item
    assert not list(usual.clashes(item, [item]))
