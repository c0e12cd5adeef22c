"""The recorder of releases: what it writes reads and scores like any other recording."""

from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.crds import install, uninstall
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.record import definitions
from tests.fidelity.record_appliers import RECORDERS, record_calls, studio, write
from tests.fidelity.score import below
from tests.fidelity.score_appliers import score_file, shares


def test_calls_are_counted_as_they_are_written(tmp_path: Path) -> None:
    calls = [{"action": "install", "exit": 0}, {"action": "upgrade", "exit": 1}, {"action": "upgrade", "exit": 1}]

    assert write(tmp_path / "calls.jsonl.gz", {}, calls) == {"install succeeded": 1, "upgrade failed": 2}


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.parametrize("applier", RECORDERS)
def test_new_stories_are_predicted(applier: str, cluster: Cluster, tmp_path: Path) -> None:
    file, bases = tmp_path / "calls.jsonl.gz", load_all([BASES])
    installed = install(cluster.api, definitions(bases))
    head = {"server": cluster.version, "applier": applier, "crds": definitions(bases)}
    try:
        counts = write(file, head, record_calls(studio(cluster, bases, applier), applier, "test", 3))
    finally:
        uninstall(cluster.api, installed)
    results = list(score_file(file))

    calls = sum(number for name, number in counts.items() if not name.startswith("rollback "))
    assert calls == len(results) >= 3
    assert [result.crash for result in results if result.crash] == []
    assert below(shares(results), {"run": 0.9, "verdict": 0.9, "result": 0.9, "owners": 0.9}) == []
