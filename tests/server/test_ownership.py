"""Who owns which field after a write that is no apply."""

from kubectl_applylint.schema.load import load
from kubectl_applylint.server.ownership import after_write, context_of
from kubectl_applylint.values import JsonObject

SCHEMA = load("1.36")
BLANK: JsonObject = {"apiVersion": "v1", "kind": "ServiceAccount"}


def owners(account: JsonObject) -> list[str]:
    kind = SCHEMA.kind("v1", "ServiceAccount")
    assert kind is not None
    managers = after_write({**BLANK, **account}, None, BLANK, manager="ci", context=context_of(kind, SCHEMA, "v1"))
    return [str(manager) for manager in managers]


def test_the_writer_owns_what_is_new() -> None:
    assert len(owners({"imagePullSecrets": [{"name": "registry"}]})) == 1


def test_an_element_that_nothing_identifies_leaves_the_object_without_managers() -> None:
    """``UpdateNoErrors`` of apimachinery clears managedFields rather than storing wrong ones."""
    assert owners({"secrets": [{}]}) == []
