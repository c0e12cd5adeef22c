"""Owners of fields after a write that is no apply."""

from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.ownership import after_write, blank, context_of

SCHEMA = load("1.36")
BLANK: JsonObject = {"apiVersion": "v1", "kind": "ServiceAccount"}


def owners(account: JsonObject) -> list[str]:
    kind = SCHEMA.kind("v1", "ServiceAccount")
    assert kind is not None
    context = context_of(kind, SCHEMA, "v1")
    managers = after_write({**BLANK, **account}, None, BLANK, manager="ci", context=context, codec=ManagedFieldsCodec())
    return [str(manager) for manager in managers]


def test_the_writer_owns_what_is_new() -> None:
    assert len(owners({"imagePullSecrets": [{"name": "registry"}]})) == 1


def test_an_element_that_nothing_identifies_leaves_the_object_without_managers() -> None:
    """``UpdateNoErrors`` of apimachinery clears managedFields rather than storing wrong ones."""
    assert owners({"secrets": [{}]}) == []


def test_servers_of_two_versions_write_blank_objects_each_in_its_way() -> None:
    """One process may ask about several versions; 1.36 writes no creationTimestamp into pod templates any more."""
    kinds = [load(version).kind("apps/v1", "Deployment") for version in ("1.36", "1.30")]
    metadata = [dig(blank(kind), "spec", "template", "metadata") for kind in kinds if kind]

    assert metadata == [{}, {"creationTimestamp": None}]
