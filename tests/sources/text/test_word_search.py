import pytest

from kubectl_applylint.sources.text.word_search import paths_with_words


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param(b"kind: web\n", True, id="a word"),
        pytest.param(b"name: my-web\n", True, id="beside a dash"),
        pytest.param(b"name: website\n", False, id="a part of a word"),
        pytest.param(b"name: web_1\n", False, id="before an underscore"),
        pytest.param(b"a.b\n", True, id="a word with a dot"),
        pytest.param(b"axb\n", False, id="a dot is no pattern"),
        pytest.param(b"web\0", False, id="a binary file"),
        pytest.param(b"x" * 8000 + b" web \0", True, id="zero bytes far behind the start"),
    ],
)
def test_whole_words_are_found_in_text_files(text: bytes, is_found: bool) -> None:
    assert paths_with_words([("x.yaml", text)], ["web", "a.b"]) == ({"x.yaml"} if is_found else set())
