from pathlib import Path

import pytest

from tests.fidelity.record_updates import main
from tests.fidelity.updates import read_updates, wrong


@pytest.mark.slow
@pytest.mark.usefixtures("metacontroller_programs")
def test_a_new_recording_reads_like_any_other(tmp_path: Path) -> None:
    main(["--seed", "fresh", "--cases", "500", "--out", str(tmp_path / "updates.jsonl.gz")])

    updates = read_updates(tmp_path / "updates.jsonl.gz")
    assert len(updates) == 500
    assert wrong(one for one in updates if one.is_as_in_newer_versions) == []
