"""The fixes of all rules on a real server, and how those who follow them take them apart."""

from collections import Counter
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.cluster.cluster import Cluster
from tests.cluster.fix_ways import Outcome, alternatives, table
from tests.cluster.proxy import Recording
from tests.cluster.replay_fixes import Server, replay_fix
from tests.tree import ROOT

RULES = ROOT / "rules"
COUNTED = [outcome for outcome in Outcome if outcome is not Outcome.FAILED]


def floors() -> dict[str, list[int]]:
    """Return the counts of the rules' README by family."""
    rows = (line.strip("| \n").split("|") for line in (RULES / "README.md").read_text().splitlines())
    return {row[0].strip(): list(map(int, row[1:])) for row in rows if len(row) == 5 and row[1].strip().isdigit()}


FLOORS = floors()


@pytest.mark.early(70)
@pytest.mark.parametrize("family", sorted(set(FLOORS) - {"all"}))
def test_the_fixes_of_a_family_go_well(cluster: Cluster, reader: Cluster, proxy: Recording, family: str) -> None:
    server = Server(cluster, proxy, reader)
    files = sorted((RULES / family).glob("*/cases/bad-*.yaml"))
    replayed = {file: replay_fix(server, file) for file in files}

    assert [f"{file}: {one.reason}" for file, one in replayed.items() if one.outcome is Outcome.FAILED] == []
    counts = Counter(one.outcome for one in replayed.values())
    assert [counts[outcome] for outcome in COUNTED] == FLOORS[family]


def test_the_counts_name_all_families() -> None:
    families = {path.parents[2].name for path in RULES.glob("*/*/cases/bad-*.yaml")}

    assert set(FLOORS) == {*families, "all"}
    assert FLOORS["all"] == [sum(column) for column in zip(*(FLOORS[one] for one in families), strict=True)]


def step(kind: str, text: str) -> JsonObject:
    return {"kind": kind, "text": text}


EDIT = step("edit", "in web.yaml: delete line 3")
WRITE, OR = step("decision", "write it into web.yaml, then"), step("decision", "or replace it")
APPLY, DELETE = step("command", "kubectl apply -f web.yaml"), step("command", "kubectl delete deployment/web")


@pytest.mark.parametrize(
    ("fixes", "ways"),
    [
        ([[WRITE, APPLY]], [[WRITE, APPLY]]),
        ([[WRITE, APPLY, OR, DELETE, APPLY]], [[WRITE, APPLY], [OR, DELETE, APPLY]]),
        ([[EDIT, WRITE, APPLY, OR, DELETE]], [[EDIT, WRITE, APPLY], [OR, DELETE]]),
        ([[OR, DELETE]], [[OR, DELETE]]),
        ([[EDIT, WRITE, APPLY], [EDIT, WRITE, APPLY]], [[EDIT, EDIT, WRITE, APPLY]]),
        ([[WRITE, APPLY], [WRITE, DELETE]], [[WRITE, APPLY, WRITE, DELETE]]),
        ([[WRITE, OR, DELETE], [WRITE]], [[WRITE], [OR, DELETE, WRITE]]),
    ],
    ids=["one", "two", "an edit belongs to the first", "or at the start", "typed once", "both", "the last one again"],
)
def test_a_fix_has_alternatives(fixes: list[list[JsonObject]], ways: list[list[Json]]) -> None:
    assert alternatives(fixes) == ways


def test_the_outcomes_are_counted() -> None:
    assert table([Outcome.PROVEN, Outcome.OPEN, Outcome.PROVEN]).split() == [
        *("proven", "2", "decided", "0", "left", "0", "open", "1", "failed", "0"),
    ]


def test_a_fix_that_does_not_help_is_reported(
    cluster: Cluster, reader: Cluster, proxy: Recording, tmp_path: Path
) -> None:
    source = RULES / "drift" / "live-change-undone" / "cases" / "bad-rollout-undone.yaml"
    file = tmp_path / "live-change-undone" / "cases" / source.name
    file.parent.mkdir(parents=True)
    file.write_text(source.read_text().replace("        image: nginx:1.26\n", "        image: nginx:1.27\n"))

    replayed = replay_fix(Server(cluster, proxy, reader), file)

    assert replayed.outcome is Outcome.FAILED
    assert replayed.reason.startswith("still found before the apply: ")
