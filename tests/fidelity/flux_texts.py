"""Random templates, objects and ignore files for the program of ``tests/appliers_go/flux_build``."""

from collections.abc import Callable, Iterator
from random import Random

from kubectl_applylint.core.values import Json, JsonObject

VARIABLES = {
    "a": "value",
    "b": "b",
    "c": "",
    "long": "a/b/c.d-e_f/b/c",
    "x9": "9",
    "e_1": "-3",
    "uni": "Straße ñandú ŉ İ x",
    "dots": "..a.b..*?[x]\\",
}
_NAMES = (*VARIABLES, "é", "unset")
_ATOMS = (
    *(
        "a",
        "b",
        "c",
        "/",
        "//",
        "\\/",
        "\\\\",
        "\\",
        "$",
        "$$",
        "$$$",
        "{",
        "}",
        "${",
        "}",
        ":",
        "-",
        "=",
        "+",
        "?",
        "#",
    ),
    *("%", "*", "?", "[a-c]", "[^a]", "[", "]", "1", "-1", "2", " ", "\n", ".", "é", "^", ",", "value", "ß", "x"),
)
_SAFE = ("a", "b", "c", "1", "-", "2", ".", "*", "?", "[a-c]", "é", "al", "/b")
_OPERATORS = {
    "default": (":-", ":=", "=", ":+", ":?", "-", "+"),
    "remove": ("#", "##", "%", "%%"),
    "replace": ("/", "//", "/#", "/%"),
    "case": (",", ",,", "^", "^^", ",^"),
}
_WORDS = (
    *(
        "a",
        "value",
        "${A}",
        "${B:-default with spaces}",
        "$${x}",
        "#",
        "# c",
        "-",
        "- x",
        ":",
        ": y",
        "?",
        "{",
        "[",
        "]",
    ),
    *("}", "'", '"', "\\", "\t", "é", "😀", "\xa0", "\ufeff", "\x07", "%", "@", "`", "!", "&", "*", "|", ">", "---"),
    *("...", "key:", "0x1F", "yes", "null", "~", "1.5", "1e3", "0o7", "2020-01-02", "a-long-word-" + "x" * 30, "true"),
    *(",", "=", "<<", "1:30", "_", "1_0"),
)
_PATHS = ("a", "b", "c", "d.yaml", "e.png", "f.tar.gz", ".github", "x-y", ".sops.yaml", "foo.bar", "[z]")
_PATTERNS = (
    *("*", "a", "b", "/a", "a/", "**/b", "a/**", "a/b", "*.yaml", "!d.yaml", "!a/b/", "/**/c", "a/**/c", "a/*/c", "**"),
    *("!**/d.yaml", "\\!a", "[a-c]", "[", "a**", "?", "# c", "  ", " a", "a ", "a\\ ", "!/a/b", "b/", "/", "//a", "!"),
    *("*/b", "!.github", "!*.png", "**/", "a/b/", "[!a]", "[^a]"),
)


def template_questions(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield templates with all kinds of expressions, valid and not."""
    random = Random(seed)
    for _ in range(count):
        parts = (random.choice((_expression, _any_text))(random, 0) for _ in range(random.randint(1, 4)))
        yield {"template": "".join(parts), "variables": VARIABLES, "strict": random.random() < 0.5}


def _any_text(random: Random, _: int) -> str:
    return _drawn(random, _ATOMS, 4)


def _drawn(random: Random, words: tuple[str, ...], most: int, between: str = "") -> str:
    return between.join(random.choice(words) for _ in range(random.randint(0, most)))


def _expression(random: Random, depth: int) -> str:
    name, kind = random.choice(_NAMES), random.choice((*_OPERATORS, *_OPERATORS, "plain", "length", "part", "odd"))
    first, second = (_argument(random, depth) for _ in range(2))
    match kind:
        case "plain":
            return random.choice(("${%s}", "$${%s}")) % name
        case "length":
            return f"${{#{name}}}"
        case "part":
            numbers = (str(random.randint(-6, 9)), "+2", first)
            return f"${{{name}:{':'.join(random.choice(numbers) for _ in range(random.randint(1, 2)))}}}"
        case "odd":
            return f"${{{_any_text(random, 0)}}}"
    operator = random.choice(_OPERATORS[kind])
    rest = {"default": first + random.choice(("", second)), "remove": first, "replace": f"{first}/{second}", "case": ""}
    return f"${{{name}{operator}{rest[kind]}}}"


def _argument(random: Random, depth: int) -> str:
    if depth < 3 and random.random() < 0.25:
        return _expression(random, depth + 1)
    return _drawn(random, random.choice((_SAFE, _SAFE, _ATOMS)), 4)


def object_questions(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield objects whose texts need all styles of YAML."""
    random = Random(seed)
    for _ in range(count):
        yield {"object": {"k": _value(random, 0), "l": _value(random, 0)}}


def _value(random: Random, depth: int) -> Json:
    chance = random.random()
    if depth < 3 and chance < 0.25:
        return {_key(random): _value(random, depth + 1) for _ in range(random.randint(0, 4))}
    if depth < 3 and chance < 0.4:
        return [_value(random, depth + 1) for _ in range(random.randint(0, 3))]
    if chance < 0.5:
        return random.choice((True, False, None, 1, -5, 0, 1.5, 1e21, 1e-7, 123456789012, 2**63))
    return _words(random)


def _words(random: Random) -> str:
    makers: tuple[Callable[[], str], ...] = (
        lambda: _drawn(random, _WORDS, 3, " "),
        lambda: _drawn(random, _WORDS, 30, " "),
        lambda: _drawn(random, (*_WORDS, " ", "  "), 6),
        lambda: _drawn(random, (*_WORDS, "\n", "\n\n", " \n", "\n ", "\n  "), 9),
    )
    return random.choice(makers)()


def _key(random: Random) -> str:
    names = (
        "a",
        "b1",
        "b10",
        "b2",
        "long.key/name",
        "${K}",
        "yes",
        "1",
        "a b",
        "é",
        "k" + "x" * random.randint(0, 140),
    )
    return random.choice((*names, _words(random)))


def ignore_questions(seed: str, count: int) -> Iterator[JsonObject]:
    """Yield files of a source with ignore files."""
    random = Random(seed)
    for _ in range(count):
        files: dict[str, str] = {}
        for _ in range(random.randint(3, 12)):
            path = "/".join(random.choice(_PATHS) for _ in range(random.randint(1, 4)))
            if not any(f"{one}/".startswith(f"{path}/") or path.startswith(f"{one}/") for one in files):
                files[path] = "x"
        folders = {
            "",
            *("/".join(path.split("/")[:end]) + "/" for path in files for end in range(1, path.count("/") + 1)),
        }
        for folder in sorted(folders):
            if random.random() < 0.3:
                files[f"{folder}.sourceignore"] = _patterns(random)
        yield {"files": files, "ignore": random.choice((None, _patterns(random)))}


def _patterns(random: Random) -> str:
    return "\n".join(random.choice(_PATTERNS) for _ in range(random.randint(0, 4))) + random.choice(("", "\n", "\r\n"))
