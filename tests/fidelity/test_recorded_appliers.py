"""The engine against what other appliers than kubectl did: no figure may fall below its floor.

Everywhere every fifth call is predicted, in CI every one.
"""

import gzip
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.cluster import helm_controller_program
from tests.cluster.helm_programs import HELMS
from tests.fidelity import argocd_calls, argocd_stories, flux_calls, helm_calls, kapp_calls, kapp_stories
from tests.fidelity.argocd_ignores import RESPECTED, ways
from tests.fidelity.charts import Flags
from tests.fidelity.flux_stories import COMMON, FLAGS
from tests.fidelity.helm_controller_stories import CRDS, DRIFTS, INSTALL, UPGRADE
from tests.fidelity.score import Floors, below
from tests.fidelity.score_appliers import score_file, shares
from tests.fidelity.set_calls import ScoredCall

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
STRIDE = 1 if os.environ.get("CI") else 5
RECORDED = (*HELMS, helm_controller_program.NAME, flux_calls.NAME, argocd_calls.NAME, kapp_calls.NAME)
FLUX_COMMON = "flux-common"
"""The few reconciliations with common metadata; all are predicted."""
FLOORS: Floors = {"run": 0.99, "message": 0.97, "verdict": 0.99, "result": 0.99, "owners": 0.99, "pruned": 0.98}
"""The least share of right answers for each metric."""
FEW_FAILURES: Floors = {**FLOORS, "message": 0.95}
"""The floors where every fifth call has some twenty failures."""
FEW_PRUNED: Floors = {**FLOORS, "pruned": 0.94}
"""The floors where every fifth call has some twenty that prune."""
FLOORS_BY_APPLIER = {helm_controller_program.NAME: FEW_FAILURES, argocd_calls.NAME: FEW_PRUNED}


@cache
def results(applier: str) -> Sequence[ScoredCall]:
    """Return the calls of a recording, predicted once."""
    return tuple(score_file(HERE / f"{applier}.jsonl.gz", 1 if applier == FLUX_COMMON else STRIDE))


@pytest.mark.parametrize("applier", [*RECORDED, FLUX_COMMON])
def test_predictions_keep_their_floors(applier: str) -> None:
    assert [result.crash for result in results(applier) if result.crash] == []
    floors = FLOORS if STRIDE == 1 and applier == argocd_calls.NAME else FLOORS_BY_APPLIER.get(applier, FLOORS)
    assert below(shares(results(applier)), floors) == []


@pytest.mark.parametrize("applier", RECORDED)
def test_four_hundred_calls_of_each_applier_are_recorded(applier: str) -> None:
    with gzip.open(HERE / f"{applier}.jsonl.gz", "rt", encoding="utf-8") as lines:
        assert sum(1 for _ in lines) > 400


@pytest.mark.parametrize("applier", HELMS)
def test_every_action_is_recorded_with_and_without_failures(applier: str) -> None:
    recorded = {
        (call.action.value, bool(call.exit)) for call in helm_calls.read_recording(HERE / f"{applier}.jsonl.gz").calls
    }

    assert recorded == {(action, failed) for action in ("install", "upgrade") for failed in (True, False)}


def test_every_action_and_setting_of_helm_controller_is_recorded() -> None:
    calls = helm_calls.read_recording(HERE / f"{helm_controller_program.NAME}.jsonl.gz").calls
    by_action: dict[str, list[Flags]] = {
        "install": [*INSTALL],
        "upgrade": [*UPGRADE],
        "drift": [*DRIFTS],
        "uninstall": [()],
    }
    plain = {(call.action.value, tuple(flag for flag in call.flags if ".crds=" not in flag)) for call in calls}

    assert plain == {(action, flags) for action, drawn in by_action.items() for flags in drawn}
    assert {flag.partition("=")[2] for call in calls for flag in call.flags if ".crds=" in flag} | {""} == CRDS.keys()
    assert {(call.action.value, bool(call.exit)) for call in calls} >= {
        *((action, failed) for action in ("install", "upgrade") for failed in (True, False)),
        *(("drift", False), ("uninstall", False)),
    }


def test_reconciliations_of_every_kind_are_recorded() -> None:
    calls = flux_calls.read_recording(HERE / "flux.jsonl.gz").calls

    assert {call.flags for call in calls} >= FLAGS.keys()
    assert {bool(call.exit) for call in calls} == {True, False}
    assert any(call.inventory for call in calls)


def test_reconciliations_with_common_metadata_are_recorded() -> None:
    calls = flux_calls.read_recording(HERE / f"{FLUX_COMMON}.jsonl.gz").calls

    assert {flag for call in calls for flag in call.flags} >= COMMON.keys()
    assert {bool(call.exit) for call in calls} == {True, False}


def test_deploys_of_every_kind_are_recorded() -> None:
    calls = kapp_calls.read_recording(HERE / "kapp.jsonl.gz").calls

    assert {call.flags for call in calls} == kapp_stories.FLAGS.keys()
    assert {bool(call.exit) for call in calls} == {True, False}
    assert any("-ver-2" in ref.name for call in calls for ref, live in call.after.items() if live)


def test_syncs_of_every_kind_are_recorded() -> None:
    calls = argocd_calls.read_recording(HERE / "argocd.jsonl.gz").calls

    assert {ways(call.flags) for call in calls} == argocd_stories.FLAGS.keys()
    assert {bool(call.exit) for call in calls} == {True, False}
    assert any(RESPECTED in call.flags for call in calls)
