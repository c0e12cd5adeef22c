import os
from pathlib import Path

import pytest

from kubectl_applylint.sources.files.globs import PatternError, expand, path_pattern

FILES = (
    "a.yaml",
    "b.yml",
    ".hidden.yaml",
    "x/a.yaml",
    "x/[1].yaml",
    "y/a.yaml",
    "y/z/a.yaml",
    "-.yaml",
    "^.yaml",
    "é.yaml",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        Path(name).touch()


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("*.yaml", ["-.yaml", ".hidden.yaml", "^.yaml", "a.yaml", "é.yaml"]),
        ("?.y*ml", ["-.yaml", "^.yaml", "a.yaml", "b.yml", "é.yaml"]),
        ("[ab].*", ["a.yaml", "b.yml"]),
        ("[^ab].*", ["-.yaml", "^.yaml", "é.yaml"]),
        ("[a-b].*", ["a.yaml", "b.yml"]),
        (r"[\-\^].yaml", ["-.yaml", "^.yaml"]),
        (r"[^\^-].yaml", None),
        ("*/a.yaml", ["x/a.yaml", "y/a.yaml"]),
        ("**/a.yaml", ["x/a.yaml", "y/a.yaml"]),
        ("./x/*", ["x/[1].yaml", "x/a.yaml"]),
        (r"x/\[1\].yaml", ["x/[1].yaml"]),
        ("[xy]/*/a.yaml", ["y/z/a.yaml"]),
        ("*", ["-.yaml", ".hidden.yaml", "^.yaml", "a.yaml", "b.yml", "x", "y", "é.yaml"]),
        ("*.json", []),
        ("nowhere/*", []),
        ("a.yaml/*", []),
        ("a.yaml", ["a.yaml"]),
        ("nothing", []),
        ("[", None),
        ("[]a]", None),
        ("[a", None),
        ("[a-]", None),
        ("a\\", None),
        ("x/[/*", None),
    ],
)
def test_patterns(pattern: str, paths: list[str] | None) -> None:
    if paths is None:
        with pytest.raises(PatternError):
            expand(pattern)
    else:
        assert expand(pattern) == paths


def test_an_absolute_pattern() -> None:
    assert expand(f"{os.getcwd()}/x/a*") == [f"{os.getcwd()}/x/a.yaml"]


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("apps/*", "apps/web", True),
        ("apps/*", "apps/web/base", False),
        ("apps/*", "apps", False),
        ("clusters/*/apps", "clusters/prod/apps", True),
        ("apps/web-?", "apps/web-1", True),
        ("apps/[ab]*", "apps/cache", False),
        ("**", "apps/web", True),
        ("apps/**", "apps", True),
        ("apps/**/config.json", "apps/a/b/config.json", True),
        ("apps/**/config.json", "apps/config.json", True),
        ("apps/**/config.json", "other/config.json", False),
        ("**/overlays/**", "a/overlays/b/c", True),
        ("", "", True),
        ("*", "", True),
        ("/".join(["**"] * 200 + ["x"]), "/".join("y" * 200), False),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_path_pattern_matches_whole_paths(pattern: str, path: str, *, is_match: bool) -> None:
    assert path_pattern(pattern).matches(path) is is_match


@pytest.mark.parametrize("pattern", ["apps/[", "apps\\", "a/[b/c]"])
def test_a_path_pattern_that_go_rejects_is_rejected(pattern: str) -> None:
    with pytest.raises(PatternError):
        path_pattern(pattern)
