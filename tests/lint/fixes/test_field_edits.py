import pytest

from kubectl_applylint.core.paths import ByKey, Field, Path, fields, parse
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.lint.fixes.field_edits import (
    FieldEdit,
    NotEditableError,
    RemoveField,
    RenameField,
    SetValue,
    apply_edits,
    minimal_removals,
    ordered_edits,
    positional_path,
)

POD: Json = {
    "metadata": {"labels": {"app": "web"}, "name": "web"},
    "spec": {"containers": [{"name": "a", "image": "a:1"}, {"name": "b", "image": "b:1"}], "finalizers": ["x"]},
}


@pytest.mark.parametrize(
    ("edit", "path", "wanted"),
    [
        (RemoveField(parse("spec.containers[name=b].image")), "spec.containers[1]", {"name": "b"}),
        (RemoveField(parse("spec.containers[0]")), "spec.containers", [{"name": "b", "image": "b:1"}]),
        (RemoveField(parse("metadata.labels.app")), "metadata", {"name": "web"}),
        (RemoveField(parse("spec.finalizers[=x]")), "spec", {"containers": POD["spec"]["containers"]}),
        (SetValue(parse("metadata.name"), "db"), "metadata", {"labels": {"app": "web"}, "name": "db"}),
        (SetValue(parse("metadata.uid"), 1), "metadata", {"labels": {"app": "web"}, "name": "web", "uid": 1}),
        (SetValue(parse("spec.finalizers[0]"), "y"), "spec.finalizers", ["y"]),
        (
            RenameField(parse("metadata.labels"), "annotations"),
            "metadata",
            {"annotations": {"app": "web"}, "name": "web"},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_edit_changes_one_place(edit: FieldEdit, path: str, wanted: Json) -> None:
    before = str(POD)
    after = apply_edits(POD, [edit])

    value = after
    for step in parse(path):
        value = value[step.name if isinstance(step, Field) else step.position]  # type: ignore[union-attr]  # no keys here
    assert equal(value, wanted)
    assert str(POD) == before


@pytest.mark.parametrize(
    "edit",
    [
        RemoveField(fields("status")),
        RemoveField(()),
        SetValue(fields("status", "phase"), "x"),
        SetValue(parse("spec.containers[name=c].image"), "x"),
        SetValue(parse("spec.containers[5]"), "x"),
        RenameField(fields("metadata", "labels"), "name"),
        RenameField(parse("spec.finalizers[0]"), "name"),
        SetValue(fields("metadata", "name", "first"), "x"),
    ],
    ids=repr,
)
def test_an_edit_of_a_missing_field_is_rejected(edit: FieldEdit) -> None:
    with pytest.raises(NotEditableError):
        apply_edits(POD, [edit])


def test_edits_of_a_removed_field_are_rejected() -> None:
    with pytest.raises(NotEditableError, match="removes"):
        apply_edits(POD, [RemoveField(fields("metadata")), SetValue(fields("metadata", "name"), "x")])


def test_positions_stay_valid_while_entries_are_removed() -> None:
    entries: Json = {"list": [{"a": number} for number in range(5)]}

    after = apply_edits(entries, [RemoveField(parse(f"list[{number}]")) for number in (0, 3, 1)])

    assert after == {"list": [{"a": 2}, {"a": 4}]}


def test_renames_come_last() -> None:
    order = ordered_edits(POD, [RenameField(fields("metadata"), "meta"), SetValue(fields("metadata", "name"), "db")])

    assert [type(edit) for edit in order] == [SetValue, RenameField]


def test_a_list_entry_is_named_by_its_key_only_if_one_has_it() -> None:
    twins: Json = {"list": [{"name": "a"}, {"name": "a"}]}

    with pytest.raises(NotEditableError, match="more than one"):
        positional_path(twins, (Field("list"), ByKey((("name", "a"),))))


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        (["metadata.labels.app"], {"metadata.labels"}),
        (["metadata.labels.app", "metadata.name"], {"metadata"}),
        (
            ["spec.containers[0].name", "spec.containers[0].image"],
            {"spec.containers[0].name", "spec.containers[0].image"},
        ),
        (["spec.containers[0]", "spec.containers[1]", "spec.finalizers[0]"], {"spec"}),
        (["metadata", "metadata.name"], {"metadata"}),
    ],
    ids=lambda value: " ".join(sorted(value)),
)
def test_nothing_empty_is_left_behind(paths: list[str], wanted: set[str]) -> None:
    assert set(minimal_removals(POD, [parse(path) for path in paths])) == {_path(path) for path in wanted}


def _path(text: str) -> Path:
    return parse(text)
