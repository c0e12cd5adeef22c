import pytest

from kubectl_applylint.model import Finding, Location, Severity, Span
from kubectl_applylint.state import ObjectRef
from kubectl_applylint.suppress import Comment, Comments, read, reason
from kubectl_applylint.values import JsonObject

MANIFEST: JsonObject = {"metadata": {"name": "web"}}


def finding(rule: str = "port-lost", line: int = 3) -> Finding:
    return Finding(
        rule=rule,
        severity=Severity.ERROR,
        confidence="high",
        ref=ObjectRef("v1", "Service", "default", "web"),
        path=(),
        location=Location("web.yaml", Span(line, 1, line, 2)),
        message="",
        fix="",
    )


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        pytest.param("a: 1  # applylint: ignore[x-y] why not", Comment(("x-y",), 1, "why not"), id="on the line"),
        pytest.param("# applylint: ignore[x-y]\na: 1", Comment(("x-y",), 2, ""), id="above the line"),
        pytest.param("  # applylint: ignore[x-y]\n  # more\na: 1", Comment(("x-y",), 3, ""), id="above more comments"),
        pytest.param("#applylint:ignore[ x-y , z-z ] r", Comment(("x-y", "z-z"), 2, "r"), id="two rules"),
        pytest.param("a: 1\n# applylint: ignore-file[x-y] old", Comment(("x-y",), None, "old"), id="file and rule"),
        pytest.param("# applylint: ignore-file vendored", Comment((), None, "vendored"), id="whole file"),
    ],
)
def test_read_understands(text: str, comment: Comment) -> None:
    assert read(text) == Comments((comment,))


@pytest.mark.parametrize(
    "text",
    [
        "# applylint: ignore",
        "# applylint: ignore[] r",
        "# applylint: ignore-file[ ]",
        "# applylint: off",
        "# applylint: x",
    ],
)
def test_read_keeps_the_lines_of_what_it_does_not_understand(text: str) -> None:
    assert read(f"a: 1\n{text}") == Comments(unclear=(2,))


@pytest.mark.parametrize("text", ["", "a: 1", "# say applylint: ignore[x-y]", "url: http://x#applylint: ignore[x-y]"])
def test_read_leaves_other_text_alone(text: str) -> None:
    assert read(text) == Comments()


@pytest.mark.parametrize(
    ("comment", "hidden"),
    [
        (Comment(("port-lost",), 3, "r"), "r"),
        (Comment(("port-lost",), None, ""), ""),
        (Comment((), None, "r"), "r"),
        (Comment(("port-lost",), 4, "r"), None),
        (Comment(("other",), 3, "r"), None),
    ],
    ids=["same line", "rule in file", "file", "other line", "other rule"],
)
def test_a_comment_hides_its_rule_at_its_place(comment: Comment, hidden: str | None) -> None:
    assert reason(finding(), MANIFEST, Comments((comment,))) == hidden


@pytest.mark.parametrize(
    ("annotations", "hidden"),
    [({"applylint.dev/ignore.port-lost": "r"}, "r"), ({"applylint.dev/ignore.other": "r"}, None), (None, None)],
    ids=["this rule", "another rule", "no annotations"],
)
def test_an_annotation_hides_its_rule_for_the_object(annotations: JsonObject | None, hidden: str | None) -> None:
    assert reason(finding(), {"metadata": {"annotations": annotations}}, Comments()) == hidden
