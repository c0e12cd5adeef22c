import os
from pathlib import Path

import pytest

from kubectl_applylint.run.part_json import part_text
from kubectl_applylint.run.parts import Part, RunId
from kubectl_applylint.sources.part_files import BEGINNING, without_parts


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


def test_every_part_begins_so() -> None:
    run = RunId("1", "check", 1, "en", "", "", "", "", "")

    assert part_text(Part(run, {})).encode().startswith(BEGINNING)
