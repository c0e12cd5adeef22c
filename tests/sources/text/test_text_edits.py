import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from kubectl_applylint.core.documents import InCluster
from kubectl_applylint.core.paths import Field, Index, Path, fields, parse
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.lint.fixes.field_edits import (
    FieldEdit,
    NotEditableError,
    RemoveField,
    RenameField,
    SetValue,
    apply_edits,
)
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.sources.text.text_edits import edited_text, hunks, is_as_written
from tests.sources import generated, styled
from tests.sources.text.patching import patch_text

WEB = """\
# top
apiVersion: v1  # version
kind: ConfigMap
metadata:
  name: web
  annotations:
    # about x
    x: null  # gone
    z: "1"
data:
  a: |
    hello
  b: 'q'
  none:
list:
- name: x
  v: 1
# about the next
- {name: w, v: null, "z": 3}
---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}
"""
FLOW = '- {name: w, v: null, "z": 3}'
JSON = """\
{
  "apiVersion": "v1",
  "kind": "ConfigMap",
  "metadata": {"name": "a", "uid": null},
  "spec": {
    "n": 1,
    "list": [
      1,
      2
    ]
  }
}
"""


META = '  "metadata": {"name": "a", "uid": null},'


def changed_lines(text: str, *edits: FieldEdit, index: int = 0) -> list[str]:
    """Return the lines that an edit removes and adds."""
    after = edited_text(text, "web.yaml", index, edits)
    found = hunks("web.yaml", text, after)

    assert patch_text(text, found) == after
    lines = text.splitlines()
    gone = [f"-{line}" for one in found for line in lines[one.location.span.line - 1 : one.location.span.end_line - 1]]
    return gone + [f"+{line}" for one in found for line in one.text.splitlines()]


@pytest.mark.parametrize(
    ("edit", "lines"),
    [
        (RemoveField(parse("metadata.annotations.x")), ["-    x: null  # gone"]),
        (RemoveField(parse("data.a")), ["-  a: |", "-    hello"]),
        (RemoveField(parse("list[0].name")), ["-- name: x", "-  v: 1", "+- v: 1"]),
        (RemoveField(parse("list[0]")), ["-- name: x", "-  v: 1"]),
        (RemoveField(parse("list[1].v")), [f"-{FLOW}", '+- {name: w, "z": 3}']),
        (RemoveField(parse("list[1].name")), [f"-{FLOW}", '+- {v: null, "z": 3}']),
        (SetValue(parse("data.b"), "it's"), ["-  b: 'q'", "+  b: 'it''s'"]),
        (SetValue(parse("data.a"), "one"), ["-  a: |", "-    hello", "+  a: one"]),
        (SetValue(parse("data.none"), "yes"), ["-  none:", '+  none: "yes"']),
        (SetValue(parse("list[name=x].v"), "1"), ["-  v: 1", '+  v: "1"']),
        (SetValue(parse("metadata.namespace"), "shop"), ["+  namespace: shop"]),
        (SetValue(parse("list[1].k"), [1, "B"]), [f"-{FLOW}", '+- {k: [1, B], name: w, v: null, "z": 3}']),
        (RenameField(parse("list[1].z"), "y"), [f"-{FLOW}", '+- {name: w, v: null, "y": 3}']),
    ],
)  # fmt: skip
def test_only_the_lines_of_the_field_change(edit: FieldEdit, lines: list[str]) -> None:
    assert changed_lines(WEB, edit) == lines


@pytest.mark.parametrize(
    ("edit", "lines"),
    [
        (RemoveField(parse("metadata.uid")), [f"-{META}", '+  "metadata": {"name": "a"},']),
        (RemoveField(parse("spec.n")), ['-    "n": 1,']),
        (RemoveField(parse("spec.list[1]")), ["-      1,", "-      2", "+      1"]),
        (SetValue(parse("spec.n"), "1"), ['-    "n": 1,', '+    "n": "1",']),
        (SetValue(parse("spec.a"), "b"), ['+    "a": "b",']),
        (RenameField(parse("spec.n"), "m"), ['-    "n": 1,', '+    "m": 1,']),
    ],
)  # fmt: skip
def test_json_stays_json(edit: FieldEdit, lines: list[str]) -> None:
    assert changed_lines(JSON, edit) == lines


def test_another_document_of_the_file_stays() -> None:
    assert changed_lines(WEB, SetValue(parse("metadata.namespace"), "shop"), index=1) == [
        '-{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}',
        '+{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "shop", "name": "b"}}',
    ]


def test_several_edits_of_one_object_are_combined() -> None:
    edits = (RemoveField(parse("list[0].name")), RemoveField(parse("list[1].v")), SetValue(parse("data.b"), "r"))

    assert changed_lines(WEB, *edits) == [
        "-  b: 'q'",
        "-- name: x",
        "-  v: 1",
        f"-{FLOW}",
        "+  b: 'r'",
        "+- v: 1",
        '+- {name: w, "z": 3}',
    ]


def test_an_item_of_a_list_is_found_in_it() -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a}\n  data:\n"

    assert changed_lines(text, RemoveField(parse("data"))) == ["-  data:"]


HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


@pytest.mark.parametrize(
    ("rest", "edit"),
    [
        ("data: &d {a: null, b: x}\ncopy: *d\n", RemoveField(parse("data.a"))),
        ("data: &d {a: null, b: x}\ncopy: *d\n", RemoveField(parse("copy.a"))),
        ("data: &d\n  a: null\n  b: x\ncopy:\n  <<: *d\n  c: y\n", RemoveField(parse("copy.a"))),
        ("data: &d\n  a: null\n  b: x\ncopy:\n  <<: *d\n  c: y\n", RemoveField(parse("data.a"))),
        ("data: {a: &x 1, b: *x}\n", SetValue(parse("data.a"), 2)),
        ("data: {a: &x 1, b: *x}\n", RemoveField(parse("data.a"))),
        ("data: {a: !!str 1}\n", SetValue(parse("data.a"), "2")),
        ("data:\n  a: 1\n  b: 2\n  a: 3\n", RemoveField(parse("data.a"))),
        ("list:\n- a: null\n  # about b\n  b: 1\n", RemoveField(parse("list[0].a"))),
        ("data: {a: null, # about b\n  b: 1}\n", RemoveField(parse("data.a"))),
        ("data: {b: 1 # about b\n , a: null}\n", RemoveField(parse("data.a"))),
        ("data: {a: 1.10}\n", SetValue(parse("data.a"), "1.1", is_same_text=True)),
        ("data: {a: yes}\n", SetValue(parse("data.a"), "true", is_same_text=True)),
        ("data: {a: {b: 1}}\n", SetValue(parse("data.a"), "true")),
        ("data: {}\n", SetValue(parse("data.a"), "true")),
        ("data:\n  ? a\n  : 1\n  b: 2\n", RemoveField(parse("data.a"))),
        ("list:\n- - 1\n  - 2\n", RemoveField(parse("list[0][0]"))),
        ("list:\n- a: 1\n", RemoveField(parse("list[0].a"))),
        ("data: {a: 1, b: \x85}\n", RemoveField(parse("data.a"))),
        ("data:\n  a: null\n  {{- if x }}\n", RemoveField(parse("data.a"))),
    ],
)  # fmt: skip
def test_edits_that_would_change_other_fields_are_not_made(rest: str, edit: FieldEdit) -> None:
    with pytest.raises(NotEditableError):
        edited_text(HEAD + rest, "web.yaml", 0, [edit])


def test_a_rendered_document_is_not_as_written() -> None:
    document = read_text(WEB, "web.yaml").documents[0]

    assert is_as_written(document)
    assert not is_as_written(replace(document, source={"kind": "ConfigMap"}))
    assert not is_as_written(replace(document, positions=InCluster()))


def places(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    if path:
        yield path, value
    for step, inner in _inside(value):
        yield from places(inner, (*path, step))


def _inside(value: Json) -> Iterator[tuple[Field | Index, Json]]:
    if isinstance(value, dict):
        yield from ((Field(name), inner) for name, inner in value.items())
    elif isinstance(value, list):
        yield from ((Index(position), inner) for position, inner in enumerate(value))


def drawn(random: Random, manifest: Json) -> Sequence[FieldEdit]:
    """Return one to three edits of places below the header of an object."""
    inside = [(path, value) for path, value in places(manifest) if len(path) > 1 and path[0] != Field("metadata")]
    return [_drawn(random, *place) for place in random.sample(inside, min(len(inside), random.randint(1, 3)))]


def _drawn(random: Random, path: Path, value: Json) -> FieldEdit:
    if isinstance(value, (dict, list)) or random.random() < 0.5:
        return RemoveField(path)
    if isinstance(path[-1], Field) and random.random() < 0.3:
        return random.choice((RenameField(path, "other"), SetValue((*path[:-1], Field("added")), ["a", "b c"])))
    return SetValue(path, random.choice(("web", "it's", "yes", "a: b", 7)) if isinstance(value, str) else 7)


COMMENT = re.compile(r"# c\d+\.")
FILES = 500


@pytest.mark.slow
def test_generated_files_parse_to_the_intended_object_and_keep_their_comments() -> None:
    done = 0
    for seed in range(FILES):
        random = Random(seed)
        text = styled.text(random, styled.manifest(random))
        manifest = read_text(text, "web.yaml").documents[0].object
        edits = drawn(random, manifest)
        try:
            after = edited_text(text, "web.yaml", 0, edits)
        except NotEditableError:
            continue
        done += 1
        read = read_text(after, "web.yaml")
        assert equal(read.documents[0].object, apply_edits(manifest, edits)), seed
        assert "\r\n" not in text or "\n" not in after.replace("\r\n", ""), seed
        lost = {*COMMENT.findall(text)} - {*COMMENT.findall(after)}
        assert lost <= inside_of(text, edits), seed

    assert done > FILES * 0.7


def inside_of(text: str, edits: Sequence[FieldEdit]) -> set[str]:
    """Return the comments on the lines of what is removed or written over, and of the maps that it leaves empty."""
    document, lines = read_text(text, "web.yaml").documents[0], text.splitlines()
    found: set[str] = set()
    for edit in edits:
        for path in (edit.path, edit.path[:-1], edit.path[:-2]):
            key, value = document.positions.key(path), document.positions.value(path)
            is_whole = path == edit.path or _is_gone(document.object, path, edits)
            if key and is_whole:
                found |= {*COMMENT.findall("\n".join(lines[key.line - 1 : (value or key).end_line]))}
    return found


def _is_gone(manifest: Json, path: Path, edits: Sequence[FieldEdit]) -> bool:
    return all(each != path for each, _ in places(apply_edits(manifest, edits)))


@pytest.mark.slow
def test_edited_twice_is_edited_once() -> None:
    for seed in range(FILES):
        random = Random(seed)
        text = styled.text(random, styled.manifest(random))
        edits = [edit for edit in drawn(random, read_text(text, "a").documents[0].object) if isinstance(edit, SetValue)]
        try:
            after = edited_text(text, "web.yaml", 0, edits)
        except NotEditableError:
            continue

        assert edited_text(after, "web.yaml", 0, edits) == after, seed


@pytest.mark.slow
def test_edits_of_drawn_texts_change_nothing_else() -> None:
    for seed in range(FILES):
        random = Random(seed)
        text = generated.manifest(random, "web")
        read = read_text(text, "web.yaml")
        if read.problems or not read.documents:
            continue
        manifest = read.documents[0].object
        edits = drawn(random, manifest)
        try:
            after = edited_text(text, "web.yaml", 0, edits) if edits else text
        except NotEditableError:
            continue

        assert equal(
            read_text(after, "web.yaml").documents[0].object, apply_edits(manifest, edits) if edits else manifest
        )
        assert patch_text(text, hunks("web.yaml", text, after)) == after


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["plain", "windows"])
@pytest.mark.parametrize(
    "text",
    [
        "---\n# one\n{0}\n---\n---\n# two\n{1}\n--- # three\n{2}\n",
        "{0}\n---\napiVersion: v1\nkind: List\nitems: [{1}, {2}]\n---\n# empty\n",
        "{0}\n---\n\n---\n{1}\n---\n{2}",
        "{0}\n{1}\n{2}\n",
    ],
    ids=["separators", "a list", "an empty document", "JSON"],
)
def test_an_object_of_many_is_edited_in_its_own_document(text: str, newline: str) -> None:
    objects = [
        f'{{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {{"name": "m{number}"}}, "data": {{"a": "{number}"}}}}'
        for number in range(3)
    ]
    for marker in range(3):
        text = text.replace(f"{{{marker}}}", objects[marker])
    text = text.replace("\n", newline)

    for number in range(3):
        expected = text.replace(f'"a": "{number}"', '"a": "x"')
        assert edited_text(text, "many.yaml", number, [SetValue(fields("data", "a"), "x")]) == expected


@pytest.mark.slow
def test_the_time_of_an_edit_does_not_depend_on_the_other_documents() -> None:
    one = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"

    def seconds(documents: int) -> float:
        text = "---\n".join([one] * documents)
        edited_text(text, "many.yaml", 0, [SetValue(fields("data", "a"), "x")])
        begin = time.process_time()
        for number in range(20):
            edited_text(text, "many.yaml", number, [SetValue(fields("data", "a"), "x")])
        return time.process_time() - begin

    assert seconds(1000) < 15 * seconds(20)
