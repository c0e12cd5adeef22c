"""Recordings of questions with their answers."""

from pathlib import Path

from tests.fidelity.pairs import parse_arguments, read_pairs, write_pairs


def test_equal_pairs_give_equal_bytes(tmp_path: Path) -> None:
    recordings = [tmp_path / name for name in ("a.gz", "b.gz")]
    for recording, question in zip(recordings, ({"x": 1, "y": 2}, {"y": 2, "x": 1}), strict=True):
        write_pairs(recording, [(question, {"error": ""})])

    assert recordings[0].read_bytes() == recordings[1].read_bytes()
    assert read_pairs(recordings[0]) == [({"x": 1, "y": 2}, {"error": ""})]


def test_a_recorder_has_its_own_number_of_cases() -> None:
    found = parse_arguments(["--seed", "a"], "records", 300)

    assert (found.seed, found.cases, found.out) == ("a", 300, None)
