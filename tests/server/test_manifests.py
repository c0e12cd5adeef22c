"""Objects with changed fields."""

from kubectl_applylint.core.values import MISSING
from kubectl_applylint.server.manifests import in_metadata, in_spec, with_fields


def test_fields_come_and_go() -> None:
    assert with_fields({"a": 1, "b": 2}, {"a": MISSING, "c": 3}) == {"b": 2, "c": 3}


def test_parts_of_an_object_are_made_where_there_are_none() -> None:
    assert in_metadata({"kind": "K"}, {"name": "n"}) == {"kind": "K", "metadata": {"name": "n"}}
    assert in_spec({"spec": {"a": 1, "b": 2}}, {"a": MISSING}) == {"spec": {"b": 2}}
