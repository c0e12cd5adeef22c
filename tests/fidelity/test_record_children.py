from pathlib import Path

import pytest

from tests.fidelity.children_stories import read_stories, score_story
from tests.fidelity.record_children import main


@pytest.mark.slow
@pytest.mark.usefixtures("metacontroller_programs", "cluster")
def test_a_new_recording_reads_like_any_other(tmp_path: Path) -> None:
    main(["--seed", "fresh", "--cases", "2", "--out", str(tmp_path / "children.jsonl.gz")])

    results = [score_story(story) for story in read_stories(tmp_path / "children.jsonl.gz")]
    assert len(results) == 2
    assert [result.crash for result in results if result.crash] == []
    assert all(result.judgements["run"] for result in results)
