"""The units of files, and what is reported of all of them together."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.run.discover.repository_units import list_units
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.sharding.shard import Shard
from kubectl_applylint.sharding.shares import share_of_shard
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Applied
from tests.run.running import WEB, plan, runs, write


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, outside of git, with two environments below ``all``."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "before/dev/web.yaml": WEB})
    return tmp_path


def shard(number: int, count: int) -> Executor:
    return Executor(share_of_shard(Shard(number, count)))


def roots(found: LoadedUnits) -> list[str]:
    return [run.unit.root for run in found.each if run.unit]


def test_each_unit_is_an_apply_of_its_own() -> None:
    found = runs()

    assert roots(found) == ["dev", "prod"]
    assert [len(run.input.subjects) for run in found.each] == [1, 1]
    assert len(found.subjects) == len(found.documents) == 2


def test_the_configuration_says_how_a_unit_is_applied(folder: Path) -> None:
    entry = Configured(
        "prod", str(folder / "all"), Applied(namespace="shop", options=(("server_side", True), ("field_manager", "ci")))
    )
    dev, prod = plan(runs(units=(entry,))).outcomes

    assert (dev[1].verdict, dev[1].ref.namespace) == ("created", "default")
    assert (prod[1].verdict, prod[1].ref.namespace) == ("serverside-applied", "shop")


def test_the_namespace_of_the_caller_goes_before_that_of_a_unit(folder: Path) -> None:
    entry = Configured("prod", str(folder / "all"), Applied(namespace="shop"))
    found = runs(units=(entry,), flags=Flags(namespace="mine"))

    assert {subject.ref.namespace for subject in found.subjects} == {"mine"}


def test_units_are_listed_if_they_hold_objects(folder: Path) -> None:
    write(folder, {"all/values/values.yaml": "replicas: 1\n"})

    assert [unit.root for unit in list_units(Request(files=("all",))).units] == ["dev", "prod"]


def test_the_same_object_in_two_units_of_one_target_is_known(folder: Path) -> None:
    prod = Applied(target="prod", is_known_target=True)
    units = tuple(Configured(path, applied=prod) for path in ("dev", "prod"))
    found = runs("all", units=units)
    assert [[one.root for one in subject.other_units] for subject in found.subjects] == [[], ["dev"]]
    assert not any(subject.other_units for subject in runs("all").subjects)


def test_each_pair_of_units_of_one_target_meets_in_one_shard(folder: Path) -> None:
    prod = Applied(target="prod", is_known_target=True)
    units = tuple(Configured(path, applied=prod) for path in ("dev", "prod"))
    shards = [runs("all", units=units, executor=shard(number, 2)) for number in (1, 2)]
    each = [
        (one.unit.root, subject) for found in shards for one in found.each if one.unit for subject in one.input.subjects
    ]

    assert {root: [one.root for one in subject.other_units] for root, subject in each} == {"dev": [], "prod": ["dev"]}


WALL = "apiVersion: example.com/v1\nkind: Wall\nmetadata: {name: a, namespace: later}\n"
LATER = "apiVersion: v1\nkind: Namespace\nmetadata: {name: later}\n"


def test_an_object_of_an_unknown_kind_before_its_namespace_is_unknown(folder: Path) -> None:
    """Its scope is unknown, and an object of the cluster has no namespace."""
    write(folder, {"all/dev/a.yaml": WALL, "all/dev/b.yaml": LATER, "all/dev/web.yaml": ""})
    verdicts = {document.ref.kind: outcome.verdict for document, outcome in plan(runs("all/dev")).outcomes}

    assert verdicts == {"Wall": "unknown", "Namespace": "created"}
