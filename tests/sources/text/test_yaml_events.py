import subprocess
import sys

import pytest

from kubectl_applylint.sources.text.yaml_events import YamlError, events, is_yaml


def kinds(text: str) -> list[str]:
    return [type(event).__name__.removesuffix("Event") for event in events(text)]


def test_the_first_document_is_found() -> None:
    assert kinds("a: [1]\n...\nb: 2\n") == [
        *("MappingStart", "Scalar", "SequenceStart", "Scalar", "SequenceEnd", "MappingEnd")
    ]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n"])
def test_no_document_has_no_events(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("a: b\nc: d: e\n", "mapping values are not allowed in this context", (1, 4)),
        ("a:\n\tb: c\n", "found character that cannot start any token", (1, 0)),
        ("a: é\nb: \x01\n", "control characters are not allowed", (1, 3)),
        ("\x00", "control characters are not allowed", (0, 0)),
        ("a: 1\nb: 'c\nd: e\n", "found unexpected end of stream", (1, 3)),
        ("a: [1,\nb: }\n", "did not find expected node content", (1, 3)),
        ("%YAML 3.0\n---\n", "found incompatible YAML document", (0, 0)),
    ],
)
def test_complaints(text: str, problem: str, place: tuple[int, int]) -> None:
    with pytest.raises(YamlError) as complaint:
        kinds(text)

    assert (complaint.value.problem, (complaint.value.mark.line, complaint.value.mark.column)) == (problem, place)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("a: 1\n--- b\n...\n", True),
        ("a: 1\n---\nb: c: d\n", False),
        ("\x00", False),
        ("[" * 5000 + "]" * 5000, False),
    ],
    ids=lambda value: str(value)[:20],
)
def test_is_yaml(text: str, expected: bool) -> None:
    assert is_yaml(text) is expected


WITHOUT_LIBYAML = """
import sys
sys.modules["yaml._yaml"] = None
from kubectl_applylint.sources.text.manifests import read_text
text = "apiVersion: v1\\nkind: ConfigMap\\nmetadata:\\n  name: a\\t# tabs\\n  labels: {a: &x b}\\ndata:\\n  k: *x\\n"
found = read_text(text, "f.yaml")
print(found.documents[0].object, found.documents[0].locate(()))
for bad in ("a: b: c", "\\tx: 1", "a: \\x01", "a: [", "a: \\"", "[" * 10000):
    print(read_text(bad, "f.yaml").problems[0].where)
"""


@pytest.mark.slow
def test_reading_works_without_libyaml() -> None:
    run = subprocess.run([sys.executable, "-c", WITHOUT_LIBYAML], capture_output=True, text=True, check=True)

    assert run.stdout.splitlines() == [
        "{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'a', 'labels': {'a': 'b'}}, 'data': {'k': 'b'}}"
        " f.yaml:1:1",
        *("f.yaml:1:5", "f.yaml:1:1", "f.yaml:1:4", "f.yaml:2:1", "f.yaml:1:4", "f.yaml:1:2001"),
    ]
