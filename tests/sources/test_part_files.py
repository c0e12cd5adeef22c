import os
from pathlib import Path

import pytest

from kubectl_applylint.sharding.part_json import part_text
from kubectl_applylint.sharding.parts import Part, RunId
from kubectl_applylint.sources.part_files import BEGINNING, VERSION, object_of, without_parts


def test_parts_are_left_out_by_how_they_begin(tmp_path: Path) -> None:
    texts = {"part.json": BEGINNING + b"}", "object.json": b'{"kind": "Secret"}', "part.yaml": BEGINNING, "a.json": b""}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    (tmp_path / "folder.json").mkdir()
    every = [*texts, "folder.json", "nowhere.json"]

    assert [*without_parts((name, str(tmp_path / name)) for name in every)] == [
        *("object.json", "part.yaml", "a.json", "folder.json", "nowhere.json")
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")

    assert [*without_parts([("pipe.json", str(tmp_path / "pipe.json"))])] == ["pipe.json"]


def test_every_part_has_the_same_beginning() -> None:
    run = RunId("1", "check", 1, "en", "", "", "", "", "")

    assert part_text(Part(run, {})).encode().startswith(BEGINNING)


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"\xff", "not JSON"), (b"{", "not JSON"), (b"[" * 9999, "not JSON"), (b"{}", "its version is not part-v1")],
    ids=["binary", "half", "deep", "other"],
)
def test_an_invalid_file_has_a_reason(content: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        object_of(content, VERSION)


def test_such_a_file_is_an_object() -> None:
    assert object_of(BEGINNING + b"}", VERSION) == {"version": VERSION}
