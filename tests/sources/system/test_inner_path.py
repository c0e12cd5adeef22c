"""Paths of repositories: which there are, and that a file made at one is nowhere else."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.sources.system import inner_path
from kubectl_applylint.sources.system.inner_path import InnerPath, UnsafePath, parse

HOSTILE = {
    "nothing": "",
    "parent": "..",
    "above": "../x.yaml",
    "parent inside": "a/../../x.yaml",
    "absolute": "/tmp/x.yaml",
    "two slashes": "a//x.yaml",
    "folder itself": "a/./x.yaml",
    "trailing slash": "a/",
    "NUL": "a/x\0.yaml",
    "backslash": "..\\x.yaml",
    "drive": "C:/x.yaml",
    "drive without folder": "a/c:x.yaml",
    "device": "a/NUL",
    "device with extension": "con.yaml",
    "device with a space": "Aux .yaml",
    "serial port": "COM1",
    "git folder": "a/.GIT/config",
    "long name": "x" * 256,
    "long path": "/".join(["x" * 200] * 30),
    "lone surrogate": "a\ud800",
}
HARMLESS = ["a.yaml", "deploy/prod/web.yaml", "..a/b..", "...", "console.yaml", "größe/ñ", ".gitignore", "-x", "a b"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_paths_are_unsafe(text: str) -> None:
    assert isinstance(parse(text), UnsafePath)
    assert not inner_path.is_inner(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_other_names_are_paths(text: str) -> None:
    found = parse(text)

    assert isinstance(found, InnerPath)
    assert str(found) == text
    assert inner_path.is_inner(text)


@pytest.mark.parametrize("parts", [(), ("..",), ("a", ""), ("a/b",), ("/",)])
def test_a_path_cannot_be_made_of_other_parts(parts: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        InnerPath(parts)


@given(st.text(alphabet="./\\ab:\0"))
def test_a_path_stays_below_its_folder(text: str) -> None:
    found = parse(text)

    assert isinstance(found, UnsafePath) or os.path.normpath(f"/top/{found}") == f"/top/{text}"


def test_a_file_is_made_with_its_folders_for_the_user_alone(tmp_path: Path) -> None:
    inner_path.create(str(tmp_path), InnerPath(("a", "b", "c.yaml")), b"x")

    assert (tmp_path / "a/b/c.yaml").read_bytes() == b"x"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a/b/c.yaml").stat().st_mode) == 0o600


def test_a_script_is_executable_for_the_user_alone(tmp_path: Path) -> None:
    inner_path.create(str(tmp_path), InnerPath(("helm",)), b"#!/bin/sh\n", is_executable=True)

    assert stat.S_IMODE((tmp_path / "helm").stat().st_mode) == 0o700


@pytest.mark.parametrize("by_names", [False, True], ids=["descriptors", "names"])
@pytest.mark.parametrize("inner", ["out/x.yaml", "link.yaml", "there.yaml", "there.yaml/x"])
def test_nothing_is_overwritten_and_no_link_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inner: str, by_names: bool
) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    top.mkdir()
    outside.mkdir()
    (top / "out").symlink_to(outside)
    (top / "link.yaml").symlink_to(outside / "x.yaml")
    (top / "there.yaml").write_text("old")
    if by_names:
        monkeypatch.setattr(inner_path, "_HAS_FOLDER_DESCRIPTORS", False)
    with pytest.raises(OSError, match=r"."):
        inner_path.create(str(top), InnerPath(tuple(inner.split("/"))), b"new")

    assert list(outside.iterdir()) == []
    assert (top / "there.yaml").read_text() == "old"
