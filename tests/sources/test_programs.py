"""Copies of files for programs that render: what a hostile tree cannot do with them."""

import os
import stat
from pathlib import Path

from kubectl_applylint.sources.programs import copied


def test_a_copy_holds_the_files_and_goes(tmp_path: Path) -> None:
    with copied({"a/b.yaml": b"x", "c.yaml": b"y"}) as copy:
        assert copy.problems == ()
        assert Path(copy.folder, "a/b.yaml").read_bytes() == b"x"
        assert stat.S_IMODE(os.stat(copy.folder).st_mode) == 0o700

    assert not Path(copy.folder).exists()


def test_a_path_that_leads_out_is_a_problem_and_the_rest_is_copied(tmp_path: Path) -> None:
    victim = tmp_path / "victim.yaml"
    victim.write_text("mine")
    above = "../" * 20 + str(victim).lstrip("/")
    with copied({above: b"theirs", str(victim): b"theirs", "c.yaml": b"y"}) as copy:
        found = [(one.where.removeprefix(copy.folder + "/"), one.message) for one in copy.problems]

        assert sorted(os.listdir(copy.folder)) == ["c.yaml"]
    assert victim.read_text() == "mine"
    assert found == [
        (above, "not a path inside of a repository: it has a part '..'"),
        (str(victim), "not a path inside of a repository: it is absolute"),
    ]


def test_a_file_that_is_a_folder_too_is_a_problem() -> None:
    with copied({"a": b"x", "a/b.yaml": b"y"}) as copy:
        assert [one.where for one in copy.problems] == [f"{copy.folder}/a/b.yaml"]
