"""Whatever stands in a file: no exception, no hang, and at most one problem for a text that cannot be read."""

import time
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.paths import leaves
from kubectl_applylint.sources.text.manifests import read_text
from tests.sources.generated import INVALID, manifest, mutate

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: "
LONGEST_SECONDS = 20.0
"""A busy machine takes its time, but none of these files takes a second on an idle one."""


def scramble(random: Random) -> bytes:
    """Return a manifest with some of its bytes replaced, doubled or cut off."""
    content = bytearray(manifest(random, "a").encode())
    for _ in range(random.randint(1, 5)):
        at = random.randrange(len(content) + 1)
        content[at : at + random.randint(0, 9)] = random.choice((b"", random.randbytes(3), bytes(content[:at])))
    return bytes(content)


def random_syntax(random: Random) -> bytes:
    """Return pieces of syntax in any order."""
    pieces = (
        *INVALID,
        "a",
        "1",
        "\n",
        "\n  ",
        "---\n",
        "...\n",
        "<<: ",
        "&b ",
        "*b",
        "{{ .x }}",
        '{"a":1}',
        "\ufeff",
        "é",
    )
    return "".join(random.choices(pieces, k=random.randint(1, 30))).encode("utf-8", "replace")


def twice_wrong(random: Random) -> bytes:
    return mutate(random, mutate(random, manifest(random, "a"))).encode(
        random.choice(("utf-8", "utf-16", "latin-1")), "replace"
    )


def noise(random: Random) -> bytes:
    return random.choice((b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"{")) + random.randbytes(
        random.randint(0, 60)
    )


@pytest.mark.parametrize("make", [scramble, random_syntax, twice_wrong, noise])
@pytest.mark.slow
def test_generated_files(make: Callable[[Random], bytes]) -> None:
    random = Random(4)

    for _ in range(500):
        found = read_text(make(random), "f.yaml")

        stopped = [problem for problem in found.problems if problem.message.startswith("error parsing")]
        assert len(stopped) <= 1
        for document in found.documents:
            assert all(document.locate(path).span.line >= 1 for path, _ in leaves(document.object))


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes(content: bytes) -> None:
    found = read_text(content, "f.yaml")

    assert all(problem.where.startswith("f.yaml:") for problem in found.problems)


LONG: dict[str, str] = {
    "lists": HEAD + "[" * 100_000,
    "lists on lines": HEAD + "[\n" * 100_000,
    "maps": HEAD + "{a: " * 100_000,
    "dashes": HEAD + "\n" + "- " * 100_000,
    "blocks": HEAD + "\n" + "".join(" " * depth + "a:\n" for depth in range(1, 3000)),
    "complex keys": "? " * 100_000,
    "open JSON": '{"a":' * 100_000,
    "deep JSON": '{"a":' * 5_000 + "1" + "}" * 5_000,
    "braces": "{{" * 500_000,
    "actions": "{{a " * 200_000,
    "braces in a list": "a: [{{ {}" * 100_000,
    "separators": "---\n" * 50_000,
    "directives": "%YAML 1.1\n" * 100_000,
    "apostrophes": HEAD + '"' + "\\'" * 100_000 + '"',
    "strings with apostrophes": HEAD + "".join(f'"\\\'"\ny{number}: ' for number in range(5000)),
    "colons": HEAD + "[" + "a:," * 50_000,
    "tags": HEAD + "[" + "!a," * 50_000,
    "references": HEAD + "[" + "*b," * 50_000,
    "digits": HEAD + "9" * 100_000,
    "underscores": HEAD + "1" + "_" * 500_000,
    "an open string": HEAD + '"' + "a\n" * 500_000,
    "a key": "k" * 1_000_000 + ": 1",
    "zeros": "\0" * 1_000_000,
    "tabs": "\t" * 500_000,
    "surrogates": '{"a":"' + "\\ud800" * 200_000 + '"}',
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
@pytest.mark.slow
def test_long_and_deep_files(text: str) -> None:
    start = time.perf_counter()

    found = read_text(text, "f.yaml")

    assert len(found.problems) <= 1
    assert time.perf_counter() - start < LONGEST_SECONDS
