"""Secrets whose variables a unit begins or stops to use."""

from pathlib import Path

import pytest

from kubectl_applylint.core.holes import Hole, compare_holes
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.discover.secret_variables import with_shared_secrets
from kubectl_applylint.run.sides import sides
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Applied, Form, Substitutes, Unit

SETTINGS = Hole("ks.yaml", "variable DOMAIN of Secret flux-system/settings", "settings", "1")
CHANGED = replace(SETTINGS, digest="2")
REMOTE = Hole("k/kustomization.yaml", "resources[0]: https://x: a URL", "x", "1")


def unit_of(cluster: str, *holes: Hole) -> Unit:
    applied = Applied("flux", cluster=cluster, variables=Substitutes(secrets=tuple(("DOMAIN", one) for one in holes)))
    return Unit("apps/web", Form.KUSTOMIZATION, frozenset(), applied)


def changes_of(folder: Path, others: tuple[Unit, Unit], was: tuple[Hole, ...], now: tuple[Hole, ...]) -> list[str]:
    """Return the changes of the holes of a unit of the cluster ``prod`` beside another one, before and after."""
    side = sides.of_folder(str(folder))
    found = Revisions(side, side, frozenset(), ((others[0],), (others[1],)))
    inputs = (Input(holes=was), Input(holes=now))
    return [
        one.change for one in compare_holes(with_shared_secrets(found, (None, unit_of("prod")), *inputs).holes, now)
    ]


@pytest.mark.parametrize(
    ("was", "now", "changes"),
    [
        pytest.param((), (SETTINGS,), [""], id="begins"),
        pytest.param((SETTINGS,), (), [], id="stops"),
        pytest.param((SETTINGS,), (SETTINGS,), [""], id="continues"),
        pytest.param((), (CHANGED,), ["is new"], id="values that no unit has earlier"),
        pytest.param((CHANGED,), (), ["is removed"], id="values that no unit has later"),
        pytest.param((REMOTE,), (SETTINGS,), ["", "is removed"], id="another hole"),
    ],
)
def test_a_secret_that_another_unit_reads_is_no_change(
    was: tuple[Hole, ...], now: tuple[Hole, ...], changes: list[str], tmp_path: Path
) -> None:
    other = unit_of("prod", SETTINGS)

    assert changes_of(tmp_path, (other, other), was, now) == changes


def test_changed_values_are_a_change(tmp_path: Path) -> None:
    others = (unit_of("prod", SETTINGS), unit_of("prod", CHANGED))

    assert changes_of(tmp_path, others, (SETTINGS,), (CHANGED,)) == ["has changed"]
    assert changes_of(tmp_path, others, (), (CHANGED,)) == ["is new"]


def test_a_secret_of_another_cluster_is_another_one(tmp_path: Path) -> None:
    other = unit_of("dev", SETTINGS)

    assert changes_of(tmp_path, (other, other), (), (SETTINGS,)) == ["is new"]
