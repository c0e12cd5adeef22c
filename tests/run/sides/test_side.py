"""The value of one side of a comparison."""

from pathlib import Path

from kubectl_applylint.run.sides.sides import of_folder


def test_symlinks_to_one_file_are_twins_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: b\n")
    for name in ("b.yaml", "c.yaml"):
        (tmp_path / name).symlink_to("a.yaml")
    side = of_folder(str(tmp_path))

    assert side.duplicate_links(["b.yaml", "c.yaml"]) == {"c.yaml"}
    assert side.duplicate_links(["a.yaml", "b.yaml"]) == {"b.yaml"}
