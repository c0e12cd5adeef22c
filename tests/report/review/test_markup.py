import pytest

from kubectl_applylint.report.review.markup import bullet_list, code, details_tag, inert_text, size


@pytest.mark.parametrize(
    ("text", "inert"),
    [
        ("a | b", "a &#124; b"),
        ("@admin", "&#64;&#8203;admin"),
        ("1. one", "&#49;. one"),
        ("a\nb", "a b"),
        ("https://a", "https&#58;//a"),
        ("x" * 500, "x" * 399 + "…"),
    ],
)
def test_text_stays_text(text: str, inert: str) -> None:
    assert inert_text(text) == inert


def test_parts() -> None:
    assert details_tag("a", is_open=True) == "<details open>\n<summary>a</summary>"
    assert details_tag("a") == "<details>\n<summary>a</summary>"
    assert bullet_list("ab") == "- a\n- b"
    assert code("a*") == "<code>a&#42;</code>"


def test_size_counts_as_github_does() -> None:
    assert size(["a", "\N{PILE OF POO}"]) == 7
