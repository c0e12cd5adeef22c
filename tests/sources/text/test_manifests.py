import codecs

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.sources.text.manifests import Input, Skipped, decode, join, read_text

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "


def names(found: Input) -> list[str]:
    return [document.ref.name for document in found.documents]


def complaints(found: Input) -> list[tuple[str, str]]:
    return [(problem.where, problem.message.removeprefix("error parsing the file: ")) for problem in found.problems]


def test_documents_have_names_numbers_and_places() -> None:
    found = read_text(f"{HEAD}a\n---\n# skipped\n---\n{HEAD}b\n  namespace: prod\n", "dir/f.yaml")

    assert [
        (document.index, document.ref, str(document.locate(fields("metadata", "name")))) for document in found.documents
    ] == [
        (0, ObjectRef("v1", "ConfigMap", "", "a"), "dir/f.yaml:4:3"),
        (1, ObjectRef("v1", "ConfigMap", "prod", "b"), "dir/f.yaml:11:3"),
    ]
    assert (found.problems, found.skipped) == ((), ())


def test_a_list_is_flattened() -> None:
    found = read_text(
        f"{HEAD}first\n---\n"
        "apiVersion: v1\nkind: ConfigMapList\nitems:\n"
        "- metadata: {name: a, labels: {x: 5}}\n"
        "- {apiVersion: apps/v1, kind: Deployment, metadata: {name: b}}\n",
        "f.yaml",
    )

    assert [document.object for document in found.documents[1:]] == [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": {"x": 5}}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "b"}},
    ]
    assert [document.index for document in found.documents] == [0, 1, 2]
    assert [str(document.locate(fields("metadata", "name"))) for document in found.documents] == [
        *("f.yaml:4:3", "f.yaml:9:14", "f.yaml:10:54")
    ]


@pytest.mark.parametrize("items", ["[]", "null", "~"])
def test_a_list_may_be_empty(items: str) -> None:
    assert read_text(f"apiVersion: v1\nkind: List\nitems: {items}\n", "f.yaml") == Input()


@pytest.mark.parametrize(
    ("items", "place", "complaint"),
    [
        (
            "{}",
            "f.yaml:3:1",
            "json: cannot unmarshal object into Go struct field decodeList.items of type []json.RawMessage",
        ),
        ("[x]", "f.yaml:3:1", "json: cannot unmarshal string into Go value of type map[string]interface {}"),
        (
            "[{apiVersion: v1, kind: List, items: []}]",
            "f.yaml:3:1",
            "a List inside a List: *unstructured.Unstructured is not a list",
        ),
        (
            "[{apiVersion: v1}]",
            "f.yaml:3:9",
            "unable to get type info from the object: Object 'Kind' is missing",
        ),
        (
            "[{kind: X}]",
            "f.yaml:3:9",
            "unable to get type info from the object: Object 'apiVersion' is missing",
        ),
        ("[null]", "f.yaml:3:9", "unable to get type info from the object: Object 'Kind' is missing"),
    ],
)
def test_items_that_kubectl_leaves_out(items: str, place: str, complaint: str) -> None:
    found = read_text(f"apiVersion: v1\nkind: List\nitems: {items}\n---\n{HEAD}last\n", "f.yaml")

    assert complaints(found) == [(place, complaint)]
    assert names(found) == ["last"]


def test_metadata_that_does_not_decode_costs_one_object() -> None:
    found = read_text(f"{HEAD}a\n  labels:\n    x: 5\n---\n{HEAD}b\n", "f.yaml")

    assert complaints(found) == [
        (
            "f.yaml:6:5",
            'unable to decode "f.yaml": json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels'
            " of type string",
        )
    ]
    assert found.problems[0].advice.endswith("quote the value")
    assert names(found) == ["b"]


def test_standard_input_is_called_as_kubectl_calls_it() -> None:
    found = read_text(f"{HEAD}5\n", "-")

    assert found.problems[0].where == "-:4:3"
    assert found.problems[0].message.startswith('unable to decode "STDIN": ')


@pytest.mark.parametrize("value", ["a", "'{{ a }}'"])
@pytest.mark.parametrize("header", ["kind: X", "apiversion: v1\nkind: X"], ids=["missing", "misspelled"])
def test_no_excuse_holds_for_an_object_without_api_version(header: str, value: str) -> None:
    found = read_text(f"{header}\nmetadata: {{name: a}}\ndata: {{a: {value}}}\n", "f.yaml")

    assert complaints(found) == [("f.yaml:1:1", "error validating data: apiVersion not set")]
    assert found.skipped == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("apiVersion: v1\nmetadata: {}\n", ("f.yaml:4:1", "error validating data: kind not set")),
        ("kind: X\nmetadata: {}\n", ("f.yaml:4:1", "error validating data: apiVersion not set")),
        ("apiVersion: 5\nkind: X\n", ("f.yaml:4:1", "error validating data: apiVersion isn't string type")),
        ("a: b: c\n", ("f.yaml:4:5", "mapping values are not allowed in this context")),
        ("a: [.inf]\n", ("f.yaml:4:5", "unsupported value: +Inf: JSON has no such number")),
        ("a: *" + "x" * 500, ("f.yaml:4:4", "unknown anchor '********' referenced")),
        ("apiVersion: v1\nkind: X\na: *" + "x" * 500, ("f.yaml:6:4", f"unknown anchor '{'x' * 184}")),
    ],
)
def test_documents_after_an_error_are_not_read(text: str, complaint: tuple[str, str]) -> None:
    first = '{"apiVersion": "v1", "kind": "ConfigMap",\n "metadata": {"name": "a"}}\n'
    found = read_text(f"{first}---\n{text}\n---\n{HEAD}never\n", "f.yaml")

    assert complaints(found) == [complaint]
    assert found.problems[0].advice.startswith("kubectl stops reading the file here and skips the rest; ")
    assert names(found) == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}{{{{ .Values.name }}}}\n",
        f"{{{{- if .Values.on }}}}\n{HEAD}a\n{{{{- end }}}}\n",
        'a: "{{ .Values.x | default "y" }}"\n',
    ],
)
def test_a_helm_template_is_left_out_whole(text: str) -> None:
    assert read_text(text, "f.yaml") == Input(skipped=(Skipped("f.yaml", 1, SkipReason.HELM),))


@pytest.mark.parametrize(
    "text",
    ["%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\na: 1\n", "a: {null: 1}\n", "--- text\n", "a: [.inf]\n"],
)
def test_yaml_for_others_is_left_out(text: str) -> None:
    assert read_text(text, "f.yaml") == Input(skipped=(Skipped("f.yaml", 1, SkipReason.OTHER),))
    assert len(read_text(f"{text}# apiVersion\n", "f.yaml").problems) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(f"{HEAD}first\n---\n{{{{- if .Values.on }}}}\n{HEAD}a\n{{{{- end }}}}\n", 6, id="a template"),
        pytest.param(f"{HEAD}first\n---\n# {{{{ x }}}}\n{HEAD}a\ndata: [\n", 12, id="a comment"),
    ],
)
def test_nothing_excuses_a_broken_document_behind_one_that_kubectl_applies(text: str, line: int) -> None:
    found = read_text(text, "f.yaml")

    assert names(found) == ["first"]
    assert [(one.where.split(":")[1], one.is_refused) for one in found.problems] == [(str(line), True)]


CONFLICT = f"<<<<<<< HEAD\n{HEAD}a\n=======\n{HEAD}b\n>>>>>>> other\n"


@pytest.mark.parametrize(("before", "line"), [("", 1), ("# a\n", 2)])
def test_a_merge_conflict_is_a_problem(before: str, line: int) -> None:
    (problem,) = read_text(f"{before}{CONFLICT}", "f.yaml").problems

    assert (problem.where, problem.message) == (f"f.yaml:{line}:1", "a merge conflict of git is not resolved")


def test_the_text_of_a_value_is_no_conflict() -> None:
    text = CONFLICT.replace("\n", "\n    ")

    assert read_text(f"{HEAD}a\ndata:\n  a: |\n    {text}\n", "f.yaml").problems == ()


def test_a_comment_is_no_template() -> None:
    (problem,) = read_text(f"# x: {{{{ y }}}}\n{HEAD}b\ndata: {{\n", "f.yaml").problems

    assert problem.message.startswith("error parsing the file: ")


def test_the_excuse_of_a_broken_document_keeps_what_kubectl_reports() -> None:
    (skipped,) = read_text(f"a: b\n---\n{HEAD}{{{{ .Values.name }}}}\n", "f.yaml").skipped[1:]

    assert (skipped.line, skipped.why) == (3, SkipReason.HELM)
    assert skipped.problem
    assert skipped.problem.message.startswith("error parsing the file: ")


def test_braces_excuse_nothing_else() -> None:
    found = read_text('summary: "{{ $labels.pod }} is down"\na: b: c\n', "f.yaml")

    assert complaints(found) == [("f.yaml:2:5", "mapping values are not allowed in this context")]


def test_other_yaml_is_counted_by_class() -> None:
    found = read_text(f"services: {{}}\n---\n{HEAD}a\n---\n\n$patch: delete\n{HEAD}b\n", "f.yaml")

    assert found.skipped == (Skipped("f.yaml", 1, SkipReason.OTHER), Skipped("f.yaml", 9, SkipReason.PATCH))
    assert names(found) == ["a"]


UTF16 = [
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (b"", "utf-8"),
]


@pytest.mark.parametrize(("mark", "encoding"), UTF16, ids=[encoding for _, encoding in UTF16])
def test_encodings(mark: bytes, encoding: str) -> None:
    found = read_text(mark + f"{HEAD}é😀\n".encode(encoding), "f.yaml")

    assert names(found) == ["é😀"]
    assert str(found.documents[0].locate(())) == "f.yaml:1:1"


def test_invalid_utf_8_is_replaced_as_kubectl_does() -> None:
    found = read_text(f"{HEAD}a\ndata: {{k: ".encode() + b"\xe9 b\xe2\x82 \xff\xfe}\n", "f.yaml")

    assert found.documents[0].object["data"] == {"k": "� b� ��"}
    assert [problem.where for problem in found.problems] == ["f.yaml:5:11"]
    assert "not UTF-8" in found.problems[0].message


@pytest.mark.parametrize(
    "content",
    [
        f"{HEAD}a\n".encode("utf-32"),
        f"{HEAD}a\n".encode("utf-16-le"),
        codecs.BOM_UTF8 + f"{HEAD}a\nb: ".encode() + b"\xff\n",
        b"\x7fELF\x02\x01\x01\x00\x00\xff",
        b"\x00",
        f"{HEAD}a\nb: c: ".encode() + b"\xff\n",
    ],
    ids=["UTF-32", "UTF-16 without mark", "mark and damage", "binary", "NUL", "broken and damaged"],
)
def test_one_problem_for_what_is_no_text(content: bytes) -> None:
    found = read_text(content, "f.yaml")

    assert (names(found), len(found.problems)) == ([], 1)


def test_damage_in_other_files_is_none_of_our_business() -> None:
    assert read_text(b"a: \xff\n", "f.yaml") == Input(skipped=(Skipped("f.yaml", 1, SkipReason.OTHER),))


def test_the_place_of_damage() -> None:
    text, where = decode("é: x\ny: ".encode() + b"\xff")

    assert text == "é: x\ny: �"
    assert where is not None
    assert (where.line, where.column) == (1, 3)


def test_inputs_are_joined_in_order() -> None:
    found = [read_text(f"{HEAD}{name}\n---\n5\n---\n[\n", name) for name in ("b", "a")]

    assert names(join(found)) == ["b", "a"]
    assert [problem.where for problem in join(found).problems] == ["b:9:1", "a:9:1"]
    assert [skipped.file for skipped in join(found).skipped] == ["b", "a"]


def test_positions_do_not_make_documents_differ() -> None:
    one, other = (read_text(text, "f").documents for text in (f"{HEAD}a\n", f"# moved\n{HEAD}a\n"))

    assert one == other
    assert isinstance(one[0], Document)


def test_an_input_has_its_texts_for_excerpts() -> None:
    both = join([read_text("a: [", "a.yaml"), read_text(b"\xef\xbb\xbfkind: x", "b.yaml")])

    assert both.texts == {"a.yaml": "a: [", "b.yaml": "kind: x"}
