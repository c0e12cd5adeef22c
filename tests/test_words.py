"""People read plain technical English everywhere, and rules in Japanese too."""

import ast
import re
import subprocess
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Final

import pytest

from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.cli.parsing.options import COMMANDS
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.catalogue import catalogue
from tests.cases.cases import MARKER, read_case
from tests.cases.tool_cases import case_files, read_tool_case
from tests.test_architecture import MODULES, PACKAGE, nodes, offenders

ROOT = PACKAGE.parent
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "tests/README.md",
    *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")),
)
RULES = rulebook.built_in().rules
ENGLISH = ("summary", "message", "why", "fix", "remedy")
IN_EVERY_RULE = {"summary", "message", "why"}
INSTEAD: Final = {
    r"\banew\b": "again, recreated",
    r"\bforet(ell|old)": "predict",
    r"\b(nobody|somebody|whoever)\b": "no owner, someone, others, anyone who",
    r"\bwithout a word\b": "silently",
    r"\black(s|ed|ing)?\b": "has no, is missing",
    r"\b(goes|go|went|going) on\b": "continues",
    r"\bfor ever\b": "forever",
    r"\ball the same\b": "still",
    r"\bhas to be there\b": "is required",
    r"\b(is|are) (?-i:none)\b": "is not a valid X",
    r"\bleft the files?\b": "was removed from the files, is orphaned",
    r"\bby turns\b": "alternately",
    r"^(?!.*\bconnection).*\brefus(e|es|ed|ing|al)\b": "reject; only connections are refused",
    r"\bstrikes?\b": "applies, remove",
    r"\bthere is no such\b": "is not defined, not found",
    r"\bspeaks? of\b": "uses, refers to",
    r"\b(is|are) told\b": "is reported",
    r"\bbe had\b": "be read",
    r"\blooked at\b": "checked, read",
    r"\btaken for\b": "treated as, assumed",
    r"\b(comes?|came) of\b": "results from, left by",
    r"\bin the midst\b": "in the middle",
    r"\b(is|are) at hand\b": "exists, found",
    r"\bway out\b": "remedy",
}
"""Words that no text for people holds, as patterns, and what says the same in the terms of Kubernetes."""
FOR_DEVELOPERS: Final = {
    **{pattern: instead for pattern, instead in INSTEAD.items() if "none" not in pattern},
    r"\b(tells?|telling|told)\b": "return, report, distinguish, predict",
    r"\bof which\b": "whose, with",
    r"\bas far as\b": "if, as",
    r"\b(goes|go|going) by\b": "uses, depends on",
    r"\bbecomes? of\b": "the outcome of, happens to",
    r"\blets? go of\b": "disowns, releases",
    r"\bat hand\b": "available",
}
"""The same for docstrings, comments and commit subjects."""
PARTICIPLE: Final = re.compile(
    r"^_?[a-z]+(ed|told|said|kept|made|found|known|met|sent|given|taken|written|held|drawn|seen|cut)$"
)
"""The name of a function that says neither what it does nor what it returns."""
UNCLEAR: Final = {"told", "joined"}
"""Names that do not say what the value is."""
CLAUSE: Final = re.compile(r"(What|Who|Whose|Which|Where|When|How(?! (many|much|often|long|to)))\b")
"""The beginning of a docstring that names its subject by a clause."""
QUESTION: Final = re.compile(r"^test_(what|how|who|whose|where|when|which|whether|of|it|that)_")
"""The name of a test that asks a question, or does not begin with its subject; others state a behavior."""
ALLOWED: Final = {"required"}
"""``field.Required`` of Kubernetes."""
LONGEST_SUBJECT: Final = 60
FOR_JAPANESE: Final = {
    "リソース構成": "マニフェスト",
    "コントローラ(?!ー)": "コントローラー",
    "クラスタ(?!ー)": "クラスター",
}
"""Spellings that the Japanese documentation of Kubernetes does not use, and its own."""
NOT_PROSE: Final = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|\{\w*\}|\(\?P<\w+>|\b[a-z0-9]+(?:-[a-z0-9]+)+\b", re.DOTALL
)
"""Parts of a text that are no words of ours: code and its output, addresses, placeholders, regex groups, rule ids."""


def texts(rule: Rule) -> dict[str, str]:
    """Return the English texts of a rule by their keys in ``rule.yaml``, without those that it does not have."""
    named = {key: getattr(rule, key) for key in ENGLISH}
    return {key: text for key, text in named.items() if text}


def in_japanese(rule: Rule) -> Mapping[str, str]:
    """Return the Japanese texts of a rule by their keys in ``rule.yaml``."""
    return rule.translations.get("ja", {})


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def banned_words(text: str, words: Mapping[str, str]) -> Iterator[str]:
    """Yield each banned word in the sentences of a text with its replacement; skip code and placeholders."""
    bare = " ".join(NOT_PROSE.sub("{}", text).split())
    for sentence in re.split("(?<=[.:;]) ", bare):
        for pattern, instead in words.items():
            yield from (f"{found[0]}: {instead}" for found in re.finditer(pattern, sentence, re.IGNORECASE))


def literals(module: Path) -> Iterator[str]:
    """Yield the texts of several words in a module, but for docstrings."""
    every = list(nodes(module))
    docstrings = {id(node.value) for node in every if isinstance(node, ast.Expr)}
    for node in every:
        if isinstance(node, ast.Constant) and id(node) not in docstrings and isinstance(node.value, str):
            yield from [node.value] if " " in node.value else []


def docstrings(module: Path) -> Iterator[str]:
    """Yield the docstrings of a module and of its functions, classes and attributes, without the code in them."""
    yield from (
        re.sub("``.*?``", "{}", node.value.value, flags=re.DOTALL)
        for node in nodes(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


def prose(module: Path) -> Iterator[str]:
    """Yield the docstrings and comments of a module, without the code in them."""
    yield from docstrings(module)
    with module.open("rb") as stream:
        tokens = [token.string for token in tokenize.tokenize(stream.readline) if token.type == tokenize.COMMENT]
    yield from (comment.lstrip("# ") for comment in tokens if "noqa" not in comment and "type: ignore" not in comment)


def banned_prose(module: Path) -> list[str]:
    return [word for text in prose(module) for word in banned_words(text, FOR_DEVELOPERS)]


def test_docstrings_and_comments_are_in_plain_words() -> None:
    assert offenders(banned_prose, MODULES) == {}


def test_docstrings_and_comments_of_tests_are_in_plain_words() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))

    assert {str(file.relative_to(ROOT)): found for file in files if (found := banned_prose(file))} == {}


def test_docstrings_of_tests_begin_with_a_noun_or_a_sentence() -> None:
    """Boolean attributes begin with "Whether", numbers with "How many"; tests of documents quote their headings."""
    files = sorted((ROOT / "tests").rglob("*.py"))
    found = {str(file.relative_to(ROOT)): [text for text in docstrings(file) if CLAUSE.match(text)] for file in files}

    assert {file: texts for file, texts in found.items() if texts} == {}


def participles(module: Path) -> list[str]:
    """Return the functions of a module that are named by a participle alone."""
    found = (node for node in nodes(module) if isinstance(node, ast.FunctionDef) and PARTICIPLE.match(node.name))
    return [node.name for node in found if node.name not in ALLOWED and not is_property(node)]


def test_functions_are_named_by_verbs_or_by_what_they_return() -> None:
    assert offenders(participles, MODULES) == {}


def test_functions_of_tests_are_named_by_verbs_or_by_what_they_return() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))

    assert {str(file.relative_to(ROOT)): found for file in files if (found := participles(file))} == {}


def unclear_tests(module: Path) -> Iterator[str]:
    """Yield the names of tests that are questions or contain banned words."""
    names = [node.name for node in nodes(module) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    yield from (name for name in names if QUESTION.match(name))
    yield from (word for name in names for word in banned_words(name.replace("_", " "), FOR_DEVELOPERS))


def test_names_of_tests_state_the_behavior() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))

    assert {str(file.relative_to(ROOT)): found for file in files if (found := [*unclear_tests(file)])} == {}


def defined_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of functions, parameters and variables that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@pytest.mark.parametrize("folder", ["kubectl_applylint", "tests", "scripts", "bench"])
def test_names_say_what_a_value_is(folder: str) -> None:
    files = {str(file): file.read_text(encoding="utf-8") for file in (ROOT / folder).rglob("*.py")}
    suspects = {file: text for file, text in files.items() if any(word in text for word in UNCLEAR)}

    assert {
        file: found
        for file, text in suspects.items()
        if (found := UNCLEAR.intersection(defined_names(ast.parse(text))))
    } == {}


def is_property(function: ast.FunctionDef) -> bool:
    names = {node.id for node in function.decorator_list if isinstance(node, ast.Name)}
    return not names.isdisjoint({"property", "cached_property"})


def test_commit_subjects_of_the_branch_are_in_plain_words() -> None:
    """Of a clone: those since the default branch of its origin."""
    log = subprocess.run(
        ["git", "log", "--format=%s", "origin/HEAD..HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    subjects = log.stdout.splitlines()

    assert [word for subject in subjects for word in banned_words(subject, FOR_DEVELOPERS)] == []
    assert [subject for subject in subjects if len(subject) > LONGEST_SUBJECT] == []


def test_modules_say_it_in_plain_words() -> None:
    def words(module: Path) -> list[str]:
        return [word for text in literals(module) for word in banned_words(text, INSTEAD)]

    assert offenders(words, MODULES) == {}


@pytest.mark.parametrize("argv", [["--help"], *([command, "--help"] for command in COMMANDS)], ids=" ".join)
def test_help_is_in_plain_words(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse("applylint", argv)

    assert list(banned_words(capsys.readouterr().out, INSTEAD)) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_in_plain_words(page: str) -> None:
    assert list(banned_words((ROOT / page).read_text(encoding="utf-8"), INSTEAD)) == []


def case_summaries() -> Iterator[str]:
    """Yield the summary of each case, read without what was recorded, which takes three times as long."""
    for rule in RULES:
        for file in case_files(rule.folder):
            written = file.read_text(encoding="utf-8").partition(MARKER)[0]
            yield read_case(written, file=str(file), rule=rule.id).summary
        for file in case_files(rule.folder, of_tools=True):
            written = file.read_text(encoding="utf-8").partition(MARKER)[0]
            yield read_tool_case(written, file=str(file), rule=rule.id).summary


def test_hazards_and_cases_are_in_plain_words() -> None:
    known = catalogue()
    hazards = [*known.titles.values(), *known.predicted.values(), *known.hidden.values()]

    assert [word for text in (*hazards, *case_summaries()) for word in banned_words(text, INSTEAD)] == []


def test_rules_are_in_plain_words() -> None:
    english = {(rule.id, key): list(banned_words(text, INSTEAD)) for rule in RULES for key, text in texts(rule).items()}
    japanese = {
        (rule.id, key): list(banned_words(text, FOR_JAPANESE))
        for rule in RULES
        for key, text in in_japanese(rule).items()
    }

    assert {place: words for place, words in english.items() if words} == {}
    assert {place: words for place, words in japanese.items() if words} == {}


def untranslated_keys(rule: Rule) -> Iterator[str]:
    """Yield the keys of texts in one language only, with other placeholders in Japanese, or not in Japanese script."""
    english, japanese = texts(rule), in_japanese(rule)
    yield from (english.keys() | IN_EVERY_RULE) ^ japanese.keys()
    yield from (
        key for key in english.keys() & japanese.keys() if placeholders(english[key]) != placeholders(japanese[key])
    )
    yield from (key for key in IN_EVERY_RULE & japanese.keys() if not re.search("[ぁ-ん]", japanese[key]))


def test_rules_have_japanese_texts() -> None:
    assert {rule.id: keys for rule in RULES if (keys := sorted(untranslated_keys(rule)))} == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the server refuses it", ["the server refuses: reject; only connections are refused"]),
        ("it restarts. Connections to it are refused", []),
        ("a new object would get {anew}", []),
        ("see apply-rejected and `refused`, [as told](refused.md)", []),
        ("made\nanew: nobody sees it", ["anew: again, recreated", "nobody: no owner, someone, others, anyone who"]),
    ],
    ids=["server", "connection", "placeholder", "code", "two"],
)
def test_banned_words_are_found(text: str, words: list[str]) -> None:
    assert list(banned_words(text, INSTEAD)) == words
