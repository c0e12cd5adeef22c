"""What is measured, and what it has to come to."""

import json
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import applications, flate, fleet, flux, kubeconform, objects
from bench.measure import Cost, best_of, like_installed
from kubectl_applylint.api import load_schema, predict
from kubectl_applylint.sharding.cutting import Stretch, cut
from kubectl_applylint.sharding.shard import Shard
from kubectl_applylint.sources.system.processes import cores
from tests.cluster.build import helm
from tests.cluster.cluster import Cluster
from tests.cluster.proxy import recording

PYTHON = sys.executable
DISCOVERY = ("/api", "/apis", "/version")
MOST_REQUESTS = 13
LEAST_GAIN = 5.0
LONGEST_HOOK = 0.35
HOOKED_FILES = 10
MANY_FILES = 1000
CHANGED_FILES = 10
LEAST_PREDICTIONS = 800
"""In a second of one core."""
LEAST_BUSY = 1.4
LONGEST_CHANGE = 0.6
MOST_COLD = 70.0
"""A schema checker reads each file once; the rest is prediction. Its documents here are small."""
MOST_WARM = 5.0
MOST_MEGABYTES = 600
MOST_GROWTH = 1.05
SHARDS = 4
MOST_FOR_SHARDS = 1.15
MANY_SHARDS = 64
MOST_IMBALANCE = 1.3
FLUX_APPLICATIONS = 90
"""As many as in the larger repositories of homes and small companies."""
LONGEST_KUSTOMIZATION = {False: 1.5, True: 0.4}
"""Seconds of a plan of one changed Kustomization, without and with kept renders."""
MOST_FOR_RELEASE = {False: 3.0, True: 1.5}
"""The same of one changed HelmRelease, in times of flate."""
MOST_FOR_EVERYTHING = 5.0
LONGEST_UNCHANGED = 1.5
MOST_FLUX_MEGABYTES = 300
FLEET = fleet.Fleet(units=400, targets=20, objects=5000, pairs=20)
"""Of the size that docs/ci.md tells of, a fifth."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. ``ratio`` and ``wanted`` are empty where there is nothing to compare with."""

    name: str
    measured: str
    ratio: str = ""
    wanted: str = ""
    met: bool = True


def local(folder: Path, *, count: int, runs: int) -> Iterator[Figure]:
    """Yield what needs no cluster, measured with ``count`` files."""
    environment = like_installed(folder)
    files = sorted(map(str, objects.write(folder / "files", max(count, HOOKED_FILES)).iterdir()))
    empty = best_of(runs, [PYTHON, "-c", "pass"], environment)
    yield Figure("empty Python", _seconds(empty))
    for name, command in {
        "start-up: --version": ["--version"],
        "start-up: check of 1 file": ["check", "--no-cache", files[0]],
    }.items():
        cost = best_of(runs, [PYTHON, "-m", "kubectl_applylint", *command], environment)
        yield Figure(name, _seconds(cost), f"{cost.work / empty.work:.1f} × empty Python")
    yield hook(files[:HOOKED_FILES], best_of(runs, hook_command(files[:HOOKED_FILES]), environment), empty)
    every = best_of(runs, [PYTHON, "-m", "kubectl_applylint", "check", "--no-cache", *files], environment)
    yield Figure(f"check of {len(files)} files", _seconds(every), f"{len(files) / every.work:.0f} files a second")


def predictions(count: int) -> Figure:
    """Return how many applies one process predicts in a second of work: of objects that are created, then changed."""
    schema = load_schema("1.36")
    before, after = (
        [objects.manifest(number, changed=changed) for number in range(count)] for changed in (False, True)
    )
    predict(before[0], schema=schema)
    started = time.process_time()
    for first, then in zip(before, after, strict=True):
        predict(then, schema=schema, live=predict(first, schema=schema).result)
    a_second = 2 * count / (time.process_time() - started)
    return Figure(
        name=f"{2 * count} predictions",
        measured=f"{a_second:.0f} a second",
        wanted=f"≥ {LEAST_PREDICTIONS}",
        met=a_second >= LEAST_PREDICTIONS,
    )


def large(folder: Path, *, count: int, runs: int) -> Iterator[Figure]:
    """Yield what a repository of ``count`` files costs: all of it, and a commit that changes a few of them."""
    environment, repository = like_installed(folder), folder / "repository"
    changed = objects.write_commits(repository, count, changed=CHANGED_FILES)
    check = [PYTHON, "-m", "kubectl_applylint", "check", "--no-cache"]
    every = best_of(runs, [*check, str(repository)], environment)
    yield Figure(
        name=f"check of {count} files",
        measured=_seconds(every, of="wall"),
        ratio=f"{every.work / every.wall:.1f} of {cores()} cores busy",
        wanted=f"≥ {LEAST_BUSY}",
        met=every.work / every.wall >= min(LEAST_BUSY, 0.7 * cores()),
    )
    few = best_of(runs, [*check, *changed], environment)
    change = best_of(runs, [*check, "--against", "HEAD~1"], environment, folder=repository)
    yield Figure(
        name=f"check of {len(changed)} changed files of {count}",
        measured=_seconds(change, of="wall"),
        ratio=f"{change.wall / few.wall:.2f} × check of these",
        wanted=f"≤ {LONGEST_CHANGE} s",
        met=change.wall <= LONGEST_CHANGE,
    )


def monorepo(folder: Path, environment: Mapping[str, str], *, counts: Sequence[int], runs: int) -> Iterator[Figure]:
    """Yield what repositories of so many files cost, beside kubeconform: everything anew, then with nothing changed."""
    program, schemas = kubeconform.program(environment), kubeconform.schemas(folder / "schemas")
    ours = like_installed(folder) | {"APPLYLINT_CACHE_DIR": str(folder / "cache")}
    check = [PYTHON, "-m", "kubectl_applylint", "check", "--against=none"]
    costs: list[Cost] = []
    for count in counts:
        repository = str(applications.write(folder / f"of-{count}", count))
        theirs = best_of(runs, kubeconform.command(program, schemas, repository), environment)
        cold = best_of(runs, [*check, "--no-cache", repository], ours)
        best_of(1, [*check, repository], ours)
        warm = best_of(runs, [*check, repository], ours)
        yield Figure(f"kubeconform of {count} files", _seconds(theirs, of="wall"))
        yield _compared(f"check of {count} files in applications", cold, theirs, MOST_COLD)
        yield _compared(f"check of {count} files, nothing changed", warm, theirs, MOST_WARM)
        costs.append(cold)
    yield memory(f"check of {counts[-1]} files", costs[-1])
    yield growth(f"{counts[0]} to {counts[-1]} files", counts[-1] / counts[0], costs[0], costs[-1])


def fleets(folder: Path, size: fleet.Fleet, *, runs: int) -> Iterator[Figure]:
    """Yield what plans of several targets cost: memory, growth with the pairs, and by how much shards take longer."""
    environment, root = like_installed(folder), fleet.write(folder / "fleet", size)
    plan = [PYTHON, "-m", "kubectl_applylint", "plan", "all", "--exit-zero", "--no-cache", "--targets"]
    part = root / "part.json"
    few = best_of(runs, [*plan, fleet.FEW], environment, folder=root)
    every = best_of(runs, [*plan, "", "-o", f"part={part}"], environment, folder=root)
    share = [*plan, "", "--timings", str(part), "-o", "part=/dev/null", "--shard"]
    costs = [best_of(runs, [*share, f"{number}/{SHARDS}"], environment, folder=root) for number in range(1, SHARDS + 1)]
    pairs, some = size.targets * size.pairs, fleet.few(size) * size.pairs
    yield Figure(f"plan of {pairs} pairs of targets and units", _seconds(every))
    yield memory(f"plan of {pairs} pairs", every)
    yield growth(f"{some} to {pairs} pairs", pairs / some, few, every)
    ratio = sum(cost.work for cost in costs) / every.work
    name = f"{SHARDS} shards of the plan, in sum"
    yield Figure(name, _seconds(every), f"{ratio:.2f} × one run", f"≤ {MOST_FOR_SHARDS} ×", ratio <= MOST_FOR_SHARDS)
    yield balance(json.loads(part.read_text())["seconds"], MANY_SHARDS)
    yield from _units(root / "all", environment, runs=runs)


def _units(folder: Path, environment: Mapping[str, str], *, runs: int) -> Iterator[Figure]:
    """Yield what a plan of all units of a fleet costs, and how that grows from a quarter of the teams."""
    plan = [PYTHON, "-m", "kubectl_applylint", "plan", "--exit-zero", "--no-cache", "--against=none"]
    teams = sorted(path.name for path in folder.iterdir())
    quarter = teams[: math.ceil(len(teams) / 4)]
    few, every = (best_of(runs, [*plan, *named], environment, folder=folder) for named in (quarter, ["."]))
    some, count = (sum(len(list((folder / team).iterdir())) for team in named) for named in (quarter, teams))
    yield Figure(f"plan of {count} units", _seconds(every))
    yield memory(f"plan of {count} units", every)
    yield growth(f"{some} to {count} units", count / some, few, every)


def releases(folder: Path, *, count: int, runs: int) -> Iterator[Figure]:
    """Yield what a repository of Flux costs, beside flate if that is on the PATH: changes, and all of it."""
    environment = {**like_installed(folder), "APPLYLINT_CACHE_DIR": str(folder / "cache")}
    environment["PATH"] = f"{helm(os.environ).parent}{os.pathsep}{environment['PATH']}"
    with flux.repository_with_charts(
        folder / "flux", count, [PYTHON, "-m", "kubectl_applylint"], environment
    ) as repository:
        measured = partial(_best_of_both, repository, {**environment, **repository.environment}, runs)
        for keeps in (False, True):
            words = "kept" if keeps else "nothing kept"
            change, _ = measured("settings", compares=True, keeps=keeps)
            most = LONGEST_KUSTOMIZATION[keeps]
            yield _within(f"plan of 1 changed Kustomization of {count}, {words}", change, most)
            ours, theirs = measured("release", compares=True, keeps=keeps)
            yield _beside_flate(
                f"plan of 1 changed HelmRelease of {count}, {words}", ours, theirs, MOST_FOR_RELEASE[keeps]
            )
        every, theirs = measured("release", compares=False, keeps=False)
        yield _beside_flate(
            f"render of {count} HelmReleases, nothing kept", every, theirs, MOST_FOR_EVERYTHING, of="work"
        )
        same, _ = measured("main", compares=True, keeps=True)
        yield _within(f"plan of {count} HelmReleases, nothing changed", same, LONGEST_UNCHANGED)
        yield memory("render of Flux", every, MOST_FLUX_MEGABYTES)


def _best_of_both(
    repository: flux.Repository, environment: Mapping[str, str], runs: int, branch: str, *, compares: bool, keeps: bool
) -> tuple[Cost, Cost | None]:
    """Return what this program and flate cost on a branch; ``None`` without flate."""
    flux.check_out(repository.folder, branch)
    other = flate.program(environment)
    commands = [repository.command(compares=compares, keeps=keeps)]
    if other:
        commands.append(flate.command(other, flux.CLUSTER, repository.cache, compares=compares, keeps=keeps))
    costs = [best_of(runs + 1, one, environment, folder=repository.folder) for one in commands]
    return costs[0], costs[1] if other else None


def _beside_flate(name: str, ours: Cost, theirs: Cost | None, most: float, of: str = "wall") -> Figure:
    if theirs is None:
        return Figure(name, _seconds(ours, of=of), "flate is not on the PATH")
    ratio = getattr(ours, of) / getattr(theirs, of)
    shown = f"{ratio:.2f} × flate ({_seconds(theirs, of=of)})"
    return Figure(name, _seconds(ours, of=of), shown, f"≤ {most} ×", ratio <= most)


def _within(name: str, cost: Cost, most: float) -> Figure:
    return Figure(name, _seconds(cost, of="wall"), "", f"≤ {most} s", cost.wall <= most)


def balance(seconds: Mapping[str, float], count: int) -> Figure:
    """Return how much longer the slowest of many shards would take than all do on average, by the timings of a part."""
    names = [name for name in seconds if ": " not in name]
    units = {name: [took for key, took in seconds.items() if key.startswith(f"{name}: ")] for name in names}
    stretches = [
        Stretch(round(1000 * seconds[name]), tuple(round(1000 * took) for took in units[name])) for name in names
    ]
    loads = [_load(stretches, cut(stretches, Shard(number, count))) for number in range(1, count + 1)]
    ratio = max(loads) / (sum(loads) / count)
    return Figure(
        name=f"slowest of {count} simulated shards",
        measured=f"{max(loads) / 1000:.2f} s",
        ratio=f"{ratio:.2f} × the mean",
        wanted=f"≤ {MOST_IMBALANCE} ×",
        met=ratio <= MOST_IMBALANCE,
    )


def _load(stretches: Sequence[Stretch], pieces: Sequence[tuple[int, int]]) -> int:
    openings = sum(stretches[number].opening for number in {number for number, _ in pieces})
    return openings + sum(stretches[number].weights[place] for number, place in pieces)


def _compared(name: str, ours: Cost, theirs: Cost, most: float) -> Figure:
    ratio = ours.wall / theirs.wall
    return Figure(name, _seconds(ours, of="wall"), f"{ratio:.1f} × kubeconform", f"≤ {most:.0f} ×", ratio <= most)


def memory(of: str, cost: Cost, most: int = MOST_MEGABYTES) -> Figure:
    """Return the most memory that one process took."""
    megabytes = cost.memory / 1_000_000
    return Figure(
        f"memory of a {of}",
        f"{megabytes:.0f} MB",
        "",
        f"≤ {most}",
        megabytes <= most,
    )


def growth(sizes: str, times: float, least: Cost, most: Cost) -> Figure:
    """Return how the work grows from the smallest size to one that is so many ``times`` as large, as an exponent."""
    exponent = math.log(most.work / least.work) / math.log(times)
    return Figure(f"growth from {sizes}", f"n^{exponent:.2f}", "", f"≤ n^{MOST_GROWTH}", exponent <= MOST_GROWTH)


def hook_command(files: Sequence[str]) -> list[str]:
    """Return how pre-commit calls the hook, where nothing is known of the files from an earlier run."""
    return [PYTHON, "-m", "kubectl_applylint.hooks.pre_commit", "--no-cache", *files]


def hook(files: Sequence[str], cost: Cost, empty: Cost) -> Figure:
    """Return what the hook costs on these files."""
    return Figure(
        name=f"hook on {len(files)} files",
        measured=_seconds(cost),
        ratio=f"{cost.work / empty.work:.1f} × empty Python",
        wanted=f"≤ {LONGEST_HOOK} s",
        met=cost.work <= LONGEST_HOOK,
    )


def live(cluster: Cluster, namespace: str, folder: Path, *, count: int, runs: int) -> Iterator[Figure]:
    """Yield how a check of live objects compares with ``kubectl diff`` of the same files on the same server."""
    environment = like_installed(folder)
    applied, wanted = objects.write(folder / "applied", count), objects.write(folder / "wanted", count, changed=True)
    done = cluster.run("apply", "-n", namespace, "-f", str(applied))
    assert done.code == 0, done.stderr
    on_files = ["-n", namespace, "-f", str(wanted)]
    check = [PYTHON, "-m", "kubectl_applylint", "check", "--against=live", f"--cache-dir={folder / 'cache'}", *on_files]
    diff = [str(cluster.kubectl), "diff", f"--cache-dir={folder / 'kubectl'}", *on_files]
    with cluster.user() as reader, recording(reader.api) as proxy:
        ours = best_of(runs, [*check, f"--kubeconfig={reader.kubeconfig}"], environment)
        best_of(1, [*check, f"--kubeconfig={reader.reached_through(proxy.url).kubeconfig}"], environment)
        exchanges = proxy.take()
    theirs = best_of(runs, [*diff, f"--kubeconfig={cluster.kubeconfig}"], environment)
    yield Figure(f"kubectl diff of {count} live objects", _seconds(theirs, of="wall"))
    yield Figure(
        name=f"check of {count} live objects",
        measured=_seconds(ours, of="wall"),
        ratio=f"{theirs.wall / ours.wall:.1f} × quicker",
        wanted=f"≥ {LEAST_GAIN:.0f} ×",
        met=theirs.wall / ours.wall >= LEAST_GAIN,
    )
    requests = [exchange for exchange in exchanges if exchange.path not in DISCOVERY]
    yield Figure(
        name="requests of this check beside discovery",
        measured=str(len(requests)),
        wanted=f"≤ {MOST_REQUESTS}, GET only",
        met=0 < len(requests) <= MOST_REQUESTS and {exchange.method for exchange in exchanges} == {"GET"},
    )


def _seconds(cost: Cost, of: str = "work") -> str:
    return f"{cost.wall if of == 'wall' else cost.work:.2f} s"
