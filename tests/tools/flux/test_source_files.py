"""The files of an artifact; ``tests/fidelity/test_record_flux_builds.py`` compares more with those of Flux."""

from kubectl_applylint.tools.flux.source_files import packed_files


def test_an_ignore_file_of_an_inner_folder_wins_and_the_source_wins_over_both() -> None:
    files = {".sourceignore": b"*.txt\n", "a/.sourceignore": b"!keep.txt\n", "a/keep.txt": b"", "b/keep.txt": b""}

    assert packed_files(files, files.__getitem__) == {".sourceignore", "a/.sourceignore", "a/keep.txt"}
    assert packed_files(files, files.__getitem__, "/a\n") == {".sourceignore"}
