"""The measurements run, and meet the promised figures that a small setting can show."""

import os
import re
from pathlib import Path

import pytest

from bench import figures
from bench.fleet import Fleet
from bench.measure import Cost, best_of, like_installed
from bench.objects import manifest, write
from kubectl_applylint.schema.load import load
from tests.cluster.cluster import Cluster

pytestmark = pytest.mark.slow

SLOWEST_HOOK = 25
"""How many times as much work as an empty Python the hook may be on ten files; 15 were measured, for 0.44 s."""


def test_manifests_are_distinct_and_of_known_kinds() -> None:
    made = [manifest(number) for number in range(20)]
    schema = load("1.36")

    assert len({(item["kind"], item["metadata"]["name"]) for item in made}) == 20
    assert all(schema.kind(item["apiVersion"], item["kind"]) for item in made)


def test_the_figures_that_need_no_cluster(tmp_path: Path) -> None:
    found = {figure.name: figure for figure in figures.local(tmp_path, count=10, runs=1)}

    assert list(found) == [
        "empty Python",
        "start-up: --version",
        "start-up: check of 1 file",
        "hook on 10 files",
        "check of 10 files",
    ]
    assert all(re.fullmatch(r"\d+\.\d\d s", figure.measured) for figure in found.values())


def test_predictions_are_counted() -> None:
    found = figures.predictions(10)

    assert found.name == "20 predictions"
    assert int(found.measured.removesuffix(" a second")) > 0


def test_the_figures_of_a_large_repository(tmp_path: Path) -> None:
    every, changed = figures.large(tmp_path, count=20, runs=1)

    assert (every.name, changed.name) == ("check of 20 files", "check of 10 changed files of 20")
    assert float(changed.ratio.split()[0]) > 0.5, (every, changed)


def test_the_figures_of_a_repository_of_flux(tmp_path: Path) -> None:
    found = {figure.name: figure for figure in figures.releases(tmp_path, count=3, runs=1)}

    assert list(found) == [
        "plan of 1 changed Kustomization of 3, nothing kept",
        "plan of 1 changed HelmRelease of 3, nothing kept",
        "plan of 1 changed Kustomization of 3, kept",
        "plan of 1 changed HelmRelease of 3, kept",
        "render of 3 HelmReleases, nothing kept",
        "plan of 3 HelmReleases, nothing changed",
        "memory of a render of Flux",
    ]
    assert found["render of 3 HelmReleases, nothing kept"].measured.endswith(" s")


def test_the_hook_costs_little(tmp_path: Path) -> None:
    files = sorted(map(str, write(tmp_path / "files", figures.HOOKED_FILES).iterdir()))
    environment = like_installed(tmp_path)

    empty = best_of(3, [figures.PYTHON, "-c", "pass"], environment)
    hook = best_of(3, figures.hook_command(files), environment)

    assert hook.work <= SLOWEST_HOOK * empty.work


def test_a_command_that_works_costs_more_than_one_that_sleeps(tmp_path: Path) -> None:
    environment = like_installed(tmp_path)

    works = best_of(1, [figures.PYTHON, "-c", "sum(range(20_000_000))"], environment)
    sleeps = best_of(1, [figures.PYTHON, "-c", "import time; time.sleep(0.5)"], environment)

    assert works.work > sleeps.work
    assert sleeps.wall >= 0.5


def test_a_live_check_takes_few_requests_and_is_quicker_than_kubectl_diff(
    cluster: Cluster, namespace: str, tmp_path: Path
) -> None:
    theirs, ours, requests = figures.live(cluster, namespace, tmp_path, count=60, runs=2)

    assert requests.met, requests.measured
    assert float(ours.ratio.split()[0]) > 1, (theirs.measured, ours.measured)


def test_the_figures_beside_kubeconform(tmp_path: Path) -> None:
    found = list(figures.monorepo(tmp_path, os.environ, counts=[20, 40], runs=1))

    assert [figure.name for figure in found] == [
        *("kubeconform of 20 files", "check of 20 files in applications", "check of 20 files, nothing changed"),
        *("kubeconform of 40 files", "check of 40 files in applications", "check of 40 files, nothing changed"),
        *("memory of a check of 40 files", "growth from 20 to 40 files"),
    ]


def test_plans_of_a_fleet_keep_their_bounds(tmp_path: Path) -> None:
    """Of a small one; start-up is most of what four shards take of that."""
    small = Fleet(units=60, targets=10, objects=400, pairs=8)
    found = list(figures.fleets(tmp_path, small, runs=1))

    assert [figure.name for figure in found] == [
        "plan of 80 pairs of targets and units",
        "memory of a plan of 80 pairs",
        "growth from 16 to 80 pairs",
        "4 shards of the plan, in sum",
        "slowest of 64 simulated shards",
        "plan of 60 units",
        "memory of a plan of 60 units",
        "growth from 20 to 60 units",
    ]
    assert [figure.met for figure in (*found[:3], *found[5:])] == [True] * 6, found


def test_shards_are_balanced_by_the_timings_of_a_part() -> None:
    seconds = {"eu": 1.0, "eu: a": 1.0, "eu: b": 1.0, "us": 1.0, "us: a": 3.0}

    assert figures.balance(seconds, 2) == figures.Figure(
        "slowest of 2 simulated shards", "4.00 s", "1.14 × the mean", "≤ 1.3 ×"
    )


def test_growth_is_the_exponent_between_two_sizes() -> None:
    assert figures.growth("100 to 1000 files", 10, Cost(1.0, 2.0), Cost(1.0, 2.0 * 10**1.5)) == figures.Figure(
        "growth from 100 to 1000 files", "n^1.50", "", "≤ n^1.05", met=False
    )
