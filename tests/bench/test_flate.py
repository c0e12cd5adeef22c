"""Calls of flate."""

from pathlib import Path

from bench import flate


def test_flate_is_found_on_the_path(tmp_path: Path) -> None:
    assert not flate.program({"PATH": str(tmp_path)})

    (tmp_path / "flate").write_text("#!/bin/sh\n")
    (tmp_path / "flate").chmod(0o755)
    assert flate.program({"PATH": str(tmp_path)}) == str(tmp_path / "flate")


def test_flate_compares_with_the_last_commit_and_keeps_what_it_renders() -> None:
    kept = flate.command("flate", "clusters/home", Path("cache"), compares=True, keeps=True)
    unkept = flate.command("flate", "clusters/home", Path("cache"), compares=False, keeps=False)

    assert kept[:5] == ["flate", "diff", "all", "--base", "HEAD~1"]
    assert unkept[:3] == ["flate", "build", "all"]
    assert "--helm-render-cache-mb" in unkept
    assert "--helm-render-cache-mb" not in kept
