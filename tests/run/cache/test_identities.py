"""The identities of the program and its tools in cache keys."""

import os
from pathlib import Path

from kubectl_applylint.run.cache.identities import files_identity, program_identity, tool_identities


def package(folder: Path) -> Path:
    (folder / "lamps" / "core").mkdir(parents=True)
    for name in ("__init__.py", "core/light.py"):
        (folder / "lamps" / name).write_text("on = True\n")
    return folder / "lamps"


def test_a_changed_module_is_another_program(tmp_path: Path) -> None:
    found = package(tmp_path)
    first = files_identity(found, "1.0")
    os.utime(found / "core" / "light.py", (1, 1))

    assert files_identity(found, "1.0") != first


def test_an_installed_program_is_identified_by_its_digests(tmp_path: Path) -> None:
    found = package(tmp_path)
    record = tmp_path / "lamps-1.0.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("lamps/core/light.py,sha256=abc,10\n")
    first = files_identity(found, "1.0")
    os.utime(found / "core" / "light.py", (1, 1))
    os.utime(record, (1, 1))
    assert files_identity(found, "1.0") == first

    record.write_text("lamps/core/light.py,sha256=abd,10\n")
    assert files_identity(found, "1.0") != first
    assert files_identity(found, "1.1") != first


def test_this_program_and_its_tools_have_identities() -> None:
    assert program_identity() == program_identity()
    assert len(tool_identities()) == 4
