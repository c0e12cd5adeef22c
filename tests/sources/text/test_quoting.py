import pytest

from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.sources.text.quoting import MASK, document_at, may_be_secret, quotable

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


@pytest.mark.parametrize(
    "line",
    [
        "stringData: {a: *hunter2000}",
        "stringData: {a: !!int hunter2000}",
        "stringData: {a: !!float 'hunter2000'}",
        "immutable: !!bool hunter2000",
        "stringData: {a: &hunter2000 [*hunter2000]}",
        "--- hunter2000",
    ],
    ids=["alias", "integer", "float", "boolean", "itself", "separator"],
)
@pytest.mark.parametrize("header", [SECRET, "data: x\n", "kind: !!str Secret\n"], ids=["secret", "unknown", "tag"])
def test_a_complaint_quotes_nothing_of_what_may_be_a_secret(line: str, header: str) -> None:
    problems = read_text(f"{header}{line}\n", "a.yaml").problems

    assert "hunter2000" not in "".join(problem.message for problem in problems)


def test_a_complaint_quotes_other_kinds() -> None:
    (problem,) = read_text(f"{CONFIG}data: {{a: *other}}\n", "a.yaml").problems

    assert problem.message == "error parsing the file: unknown anchor 'other' referenced"


def test_a_number_that_is_too_big_is_not_quoted() -> None:
    complaint = "cannot unmarshal number 12345678e999 into Go value of type float64"

    assert quotable(complaint, SECRET, 1) == f"cannot unmarshal number {MASK} into Go value of type float64"


@pytest.mark.parametrize(
    ("line", "wanted"), [(0, "a"), (1, "---\nb"), (2, "---\nb"), (3, "--- \nc\n"), (9, "--- \nc\n")]
)
def test_a_document_ends_where_another_begins(line: int, wanted: str) -> None:
    assert document_at("a\n---\nb\n--- \nc\n", line) == wanted


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("kind: Deployment", False),
        ('{"kind": "Deployment"}', False),
        ("kind: List\nitems: [{kind: ConfigMap}]", True),
        ("kind: Deployment\nmetadata: {ownerReferences: [{kind: Secret}]}", True),
        ("kind: *a", True),
        ("kind:\n  Secret", True),
        ("a: b", True),
    ],
)
def test_only_a_plain_kind_is_known_not_to_be_a_secret(text: str, doubtful: bool) -> None:
    assert may_be_secret(text) is doubtful


def test_complaints_without_quotes_stay() -> None:
    assert quotable("did not find expected key", SECRET, 1) == "did not find expected key"
