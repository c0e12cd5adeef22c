"""Commands about rendered objects, played: each form with each command; tests/README.md has the line for more cases."""

from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.rendered import COMMANDS, FORMS, drawn
from tests.cluster.rendered_play import Hall

SEEDS = range(len(COMMANDS) * len(FORMS))


def test_each_form_meets_each_command() -> None:
    assert len({(drawn(seed).form, drawn(seed).command) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_printed_commands_have_exactly_the_stated_effects(
    cluster: Cluster, reader: Cluster, helm: Path, seed: int
) -> None:
    assert Hall(cluster, reader, helm).play(seed).faults == []
