"""managedFields as managers, and managers as managedFields."""

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.fieldset import of_paths
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec, read
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Owned

SPEC = of_paths([("f:spec", "f:replicas")])
DATA = of_paths([("f:data",)])


def entry(manager: str = "ci", **fields: Json) -> dict[str, Json]:
    return {
        "manager": manager,
        "operation": UPDATE,
        "apiVersion": "v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:replicas": {}}},
        **fields,
    }


def object_managed_by(*entries: Json) -> JsonObject:
    return {"metadata": {"managedFields": list(entries)}}


def test_managers_are_read_in_the_order_of_the_list() -> None:
    live = object_managed_by(
        entry(), entry("kubectl", operation=APPLY, time="2026-01-01T00:00:00Z"), entry(subresource="scale")
    )

    assert list(read(live).items()) == [
        (Identity("ci", UPDATE, "v1"), Owned(SPEC, "v1")),
        (Identity("kubectl", APPLY, ""), Owned(SPEC, "v1", "2026-01-01T00:00:00Z")),
        (Identity("ci", UPDATE, "v1", "scale"), Owned(SPEC, "v1")),
    ]


def test_invalid_managed_fields_are_left_out() -> None:
    assert read(object_managed_by(7, entry(operation="Delete"), entry(fieldsType="FieldsV2"))) == {}
    assert read({"metadata": {"managedFields": 7}}) == read({}) == {}


def test_managers_are_written_in_the_order_of_the_server() -> None:
    now = Unknown("the time of the write")
    managers = {
        Identity("b", UPDATE, "v1"): Owned(DATA, "v1", now),
        Identity("c", UPDATE, "v1"): Owned(SPEC, "v1", "2026-01-01T00:00:00Z"),
        Identity("a", APPLY, ""): Owned(SPEC, "v1", now),
    }

    written = ManagedFieldsCodec().entries(managers)

    assert written == [
        entry("a", operation=APPLY, time=now),
        entry("c", time="2026-01-01T00:00:00Z"),
        entry("b", time=now, fieldsV1={"f:data": {}}),
    ]


def test_unchanged_entries_are_written_as_the_identical_object() -> None:
    codec, listed = ManagedFieldsCodec(), entry()

    (written,) = codec.entries(codec.read(object_managed_by(listed)))

    assert isinstance(written, dict)
    assert written["fieldsV1"] is listed["fieldsV1"]


def test_entries_with_another_spelling_are_normalized() -> None:
    codec = ManagedFieldsCodec()
    fields: JsonObject = {"f:ports": {'k:{"port":80.0}': {".": {}}}}

    (written,) = codec.entries(codec.read(object_managed_by(entry(fieldsV1=fields))))

    assert written == entry(fieldsV1={"f:ports": {'k:{"port":80}': {}}})


def test_written_entries_are_read_as_the_identical_fields() -> None:
    codec = ManagedFieldsCodec()

    (written,) = codec.entries({Identity("ci", UPDATE, "v1"): Owned(SPEC, "v1")})
    (owned,) = codec.read(object_managed_by(written)).values()

    assert owned.fields is SPEC


def test_a_list_is_read_once() -> None:
    codec, live = ManagedFieldsCodec(), object_managed_by(entry())

    assert codec.read(live) is codec.read({"kind": "Other", **live})
    assert codec.read(live) is not read(live)


def test_a_changed_object_is_read_again_by_the_next_codec() -> None:
    listed: dict[str, Json] = entry()
    live = object_managed_by(listed)
    before = read(live)

    listed["manager"] = "other"

    assert [each.name for each in (*before, *read(live))] == ["ci", "other"]


def test_each_list_is_decoded_on_its_own() -> None:
    codec = ManagedFieldsCodec()

    names = [next(iter(codec.read(object_managed_by(entry(str(number)))))).name for number in range(100)]

    assert names == [str(number) for number in range(100)]
