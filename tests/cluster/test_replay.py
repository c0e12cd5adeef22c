"""The replay command: it stamps files below what people wrote, and notices what would be recorded differently."""

import shutil
from pathlib import Path

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import Present
from tests.cases.cases import MARKER, read_case
from tests.cluster.cluster import Cluster
from tests.cluster.proxy import Recording
from tests.cluster.replay import check, main, stamp
from tests.cluster.replay_tools import written_part

DATA = Path(__file__).parent / "data"
SEEDS = Path(__file__).parent.parent / "seeds" / "recorded"
RULES = Path(__file__).parent.parent.parent / "rules"
TOOLS = Path(__file__).parent.parent / "stories"
STORIES = [*DATA.glob("*.yaml"), *SEEDS.glob("*.yaml"), *RULES.glob("*/*/cases/*.yaml"), *TOOLS.glob("*/*.yaml")]
CASES = sorted(file for file in STORIES if "--applier=metacontroller" not in file.read_text())
STORY = (DATA / "scaled-by-another.yaml").read_text()


@pytest.mark.parametrize("file", CASES, ids=lambda file: f"{file.parent.parent.name}/{file.stem}")
def test_a_replayed_case_is_as_recorded(cluster: Cluster, proxy: Recording, file: Path) -> None:
    assert check(cluster, proxy, file) == []


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATA / "scaled-by-another.yaml", tmp_path))


def test_a_replay_writes_below_the_marker_and_nowhere_else(cluster: Cluster, proxy: Recording, file: Path) -> None:
    file.write_text(written_part(STORY))

    assert stamp(cluster, proxy, file, "2026-11-21")
    assert file.read_text() == STORY
    assert not stamp(cluster, proxy, file, "2027-01-01")


def test_a_recorded_case_can_be_read(cluster: Cluster) -> None:
    case = read_case(STORY, file="story.yaml", rule="rule")

    assert case.verified is not None
    assert case.verified.kubernetes == cluster.version
    assert case.verdict is Verdict.CONFIGURED
    assert isinstance(case.live, Present)
    assert isinstance(case.after, Present)
    assert (case.live.object["spec"]["replicas"], case.after.object["spec"]["replicas"]) == (5, 2)


@pytest.mark.parametrize(
    ("old", "new", "complaints"),
    [
        ("verdict: configured", "verdict: unchanged", ["verdict was unchanged, is configured"]),
        ("    replicas: 5\n", "    replicas: 6\n", ["live differs: spec.replicas"]),
        (STORY[STORY.index("after:") :], "after: null\n", ["after was absent, is there"]),
        (STORY[STORY.index("after:") :], "", ["after was unknown (the case has not been replayed yet), is there"]),
        (STORY[STORY.index(MARKER) :], "", ["never replayed"]),
    ],
    ids=["verdict", "live", "absent", "half stamped", "unstamped"],
)
def test_a_check_names_what_differs(
    cluster: Cluster, proxy: Recording, file: Path, old: str, new: str, complaints: list[str]
) -> None:
    file.write_text(STORY.replace(old, new))

    assert check(cluster, proxy, file) == complaints


@pytest.mark.cluster
def test_the_command_reports_the_result_of_each_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, broken = tmp_path / "good.yaml", tmp_path / "broken.yaml"
    good.write_text(written_part((DATA / "owned-by-another.yaml").read_text()))
    broken.write_text("summary: no manifest\n")

    assert main([str(good), str(broken)]) == 1
    assert capsys.readouterr().out == f"{good}: recorded\n{broken}: {broken}: manifest is missing\n"
