"""Common properties of the discoveries of units."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.lint.hiding.suppress import Extent
from kubectl_applylint.run.compare.against import NOTHING, Against
from kubectl_applylint.run.discover.discovery import UnknownRootError
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.sharding.shard import Shard
from kubectl_applylint.sharding.shares import share_of_shard
from tests.run.running import DIR, WEB, runs, write


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, outside of git, with two environments below ``all``."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "before/dev/web.yaml": WEB})
    return tmp_path


def roots(found: LoadedUnits) -> list[str]:
    return [run.unit.root for run in found.each if run.unit]


def shard(number: int, count: int) -> Executor:
    return Executor(share_of_shard(Shard(number, count)))


@pytest.mark.parametrize("against", [NOTHING, DIR], ids=["none", "dir"])
def test_roots_are_chosen_by_patterns(against: Against) -> None:
    assert roots(runs(roots=("pr*",), against=against)) == ["prod"]
    with pytest.raises(UnknownRootError, match="--unit x y: no unit has this root"):
        runs(roots=("x", "y"), against=against)


@pytest.mark.parametrize("against", [NOTHING, DIR], ids=["none", "dir"])
def test_the_only_unit_of_a_shard_is_not_all_that_was_named(folder: Path, against: Against) -> None:
    """A waiver that hides nothing in one unit may hide a finding in units of other shards."""
    write(folder, {"before/dev/web.yaml": "# other\n", "all/values/values.yaml": "replicas: 1\n"})
    first = [runs(against=against, executor=shard(1, count)).each[:1] for count in (1, 2)]
    (folder / "all/prod/web.yaml").unlink()
    (alone,) = runs(against=against, executor=shard(1, 2)).each + runs(against=against, executor=shard(2, 2)).each

    assert [run.input.extent for each in first for run in each] == [Extent.PART, Extent.PART]
    assert alone.input.extent is Extent.WHOLE


def test_shards_agree_on_what_they_share_out() -> None:
    both = {
        runs(against=against, executor=shard(number, 2)).division for against in (NOTHING, DIR) for number in (1, 2)
    }

    assert len(both) == 2


KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec: {path: %s, sourceRef: {kind: GitRepository, name: flux-system}}
"""


@pytest.mark.parametrize("against", [NOTHING, DIR], ids=["none", "dir"])
def test_a_kustomization_in_an_archive_has_no_note_about_its_path(folder: Path, against: Against) -> None:
    write(folder, {"all/.archive/old/ks.yaml": KUSTOMIZATION % ("old", "./gone")})
    write(folder, {"all/apps/ks.yaml": KUSTOMIZATION % ("new", "./lost")})
    flags = Flags(asked=AskedApplier(None))
    notes = runs(against=against, flags=flags, sets_aside=True).notes
    every = runs(against=against, flags=flags).notes

    assert [note for note in notes if "in its path" in note] == [
        "Kustomization flux-system/new: the files have nothing in its path (lost)"
    ]
    assert any("Kustomization flux-system/old" in note for note in every)
