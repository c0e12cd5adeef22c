"""The plan of a repository for several clusters: ``plan --targets 'env=prod'``."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.parts import digest_of, existing_part, run_of, write_parts
from kubectl_applylint.cli.show import refuse_forms, without_parts
from kubectl_applylint.cli.state import live_sources, request_of, requested_shard, timings_of
from kubectl_applylint.cli.target_reports import COMMAND, RENDERERS, code_of, show_targets
from kubectl_applylint.cli.terminal.progress import with_progress
from kubectl_applylint.cli.terminal.stopwatch import phase
from kubectl_applylint.cli.unreached import UnreachedError
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.config.targets import ConfiguredTarget
from kubectl_applylint.core import selector
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.collect import UnitResult
from kubectl_applylint.run.compare.against import AgainstKind
from kubectl_applylint.run.discover.discovery import UnknownRootError
from kubectl_applylint.run.discover.share import WHOLE
from kubectl_applylint.run.evaluate import PlanEvaluation
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.pipeline import run as execute
from kubectl_applylint.run.request import is_by_units
from kubectl_applylint.run.sides.places import Place, place_of, with_cache
from kubectl_applylint.sharding.parts import Part, RunId, ShardResult, mask_results
from kubectl_applylint.sharding.shares import share_of_keys
from kubectl_applylint.sharding.target_pieces import requested_units, unit_keys_in_shard
from kubectl_applylint.sharding.target_shares import TargetShare, target_reports, target_unit
from kubectl_applylint.sources.cluster.snapshot import MAX_BYTES
from kubectl_applylint.sources.system.contents import read_file
from kubectl_applylint.sources.system.timing import measure
from kubectl_applylint.units.model import Unit

_Keys: TypeAlias = frozenset[tuple[str, ...]]


def plan_targets(program: str, arguments: Arguments, config: Config) -> int:
    """Predict each unit for each target; return 1 if an apply would be rejected, 3 if a target is unreadable."""
    refuse_forms(COMMAND, config, (*RENDERERS, Format.PART))
    chosen = _chosen_targets(arguments, config)
    place = _place(arguments, config)
    run = _run_id(arguments, config, place) if without_parts(config) is not config else None
    done = (
        existing_part(program, arguments, config, run, partial(_differs, chosen))
        if run and arguments.share.resumes
        else None
    )
    if done is not None:
        return code_of(target_reports(done.targets), config)
    pieces = {target.name: _pieces(arguments, config, target, place) for target in chosen}
    shard = requested_shard(arguments)
    mine = unit_keys_in_shard(shard, pieces, timings_of(arguments)) if shard else None
    numbered = [(number, target) for number, target in enumerate(chosen) if mine is None or target.name in mine]
    shares: list[TargetShare] = []
    seconds: dict[str, float] = {}
    for number, target in with_progress(numbered, "planning for target"):
        own = partial(_share, arguments, config, target, place, mine[target.name] if mine else None)
        (share, results), took = measure(own)
        shares.append(replace(share, number=number))
        seconds |= _seconds(target.name, results, took)
    if run:
        division = digest_of([(name, [unit.key for unit in units]) for name, units in pieces.items()])
        shards = {shard.number if shard else 1: ShardResult(targets=tuple(shares))}
        write_parts(Part(replace(run, units=division), shards, seconds), config)
    return show_targets(program, target_reports(shares), without_parts(config))


def _run_id(arguments: Arguments, config: Config, place: Place | None) -> RunId:
    """Return the identity of the run for its parts."""
    return replace(run_of(arguments, config, (), place), command=COMMAND)


def _differs(chosen: Sequence[ConfiguredTarget], found: ShardResult) -> str:
    """Return why an existing part differs, or ``""``."""
    lost = next((one.name for one in found.targets if one.problems), "")
    if lost:
        return f"{lost} could not be read"
    contents = {target.name: partial(_content, target) for target in chosen}
    other = next((one.name for one in found.targets if one.content != contents[one.name]()), "")
    return f"it and this run have read different snapshots of {other}" if other else ""


def _seconds(name: str, results: Sequence[UnitResult], took: float) -> Mapping[str, float]:
    """Return the seconds of the units of a target, and of the rest of its run."""
    units = {f"{name}: {one.unit.root}": one.seconds for one in results if one.unit}
    return {**units, name: max(took - sum(one.seconds for one in results), 0.0)}


def _chosen_targets(arguments: Arguments, config: Config) -> tuple[ConfiguredTarget, ...]:
    """Return the targets to plan for; raise ``ConfigError`` if there are none, or one has no state."""
    if "against" in arguments.flags:
        raise ConfigError(["--against cannot be used with --targets: each target has its own state to compare with"])
    try:
        terms = selector.parse(arguments.targets or "")
    except ValueError as fault:
        raise ConfigError([f"--targets: {fault}"]) from None
    chosen = tuple(target for target in config.targets if target.is_meant(terms))
    if not chosen:
        names = ", ".join(target.name for target in config.targets)
        known = f"the configuration has {names}" if names else "the configuration has no targets"
        raise ConfigError([f"--targets: no target has these labels; {known}"])
    unknown = [target.name for target in chosen if target.against is None]
    if unknown:
        raise ConfigError(
            f"targets: {name}: against or context is missing: where is its live state read?" for name in unknown
        )
    return chosen


def _place(arguments: Arguments, config: Config) -> Place | None:
    """Return the location of the files, which are read once; ``None`` for a single apply."""
    request = request_of(arguments, config)
    request = replace(request, against=config.targets[0].against or request.against)
    if not is_by_units(request):
        return None
    return with_cache(place_of(request.files, request.units, request.own), request.units)


def _target_request(arguments: Arguments, config: Config, target: ConfiguredTarget) -> tuple[Arguments, Config]:
    context = target.context or arguments.connection.context
    asked = replace(
        arguments,
        connection=replace(arguments.connection, context=context),
        flags={**arguments.flags, "against": (str(target.against),)},
        roots=target.units or arguments.roots,
    )
    own = replace(
        config,
        against=target.against or config.against,
        namespace=target.namespace or config.namespace,
        kubernetes_version=target.kubernetes_version or config.kubernetes_version,
    )
    return asked, own


def _pieces(arguments: Arguments, config: Config, target: ConfiguredTarget, place: Place | None) -> tuple[Unit, ...]:
    """Return the units of a target; raise ``ConfigError`` if none matches its roots."""
    found = requested_units(request_of(*_target_request(arguments, config, target)), place) if place else ()
    if place and not found and (target.units or arguments.roots):
        raise ConfigError([_unknown_root(target)])
    return found


def _unknown_root(target: ConfiguredTarget) -> str:
    """Return the error for a target without matching units."""
    return f"targets: {target.name}: no unit has a root of its units; applylint units lists them"


def _content(target: ConfiguredTarget) -> str:
    """Return a digest of the snapshot of a target, or ``""`` if there is no readable one."""
    if target.against is None or target.against.kind is not AgainstKind.SNAPSHOT:
        return ""
    content = read_file(target.against.argument, MAX_BYTES)
    return "" if isinstance(content, Problem) else hashlib.sha256(content).hexdigest()[:32]


def _share(
    arguments: Arguments, config: Config, target: ConfiguredTarget, place: Place | None, keys: _Keys | None
) -> tuple[TargetShare, Sequence[UnitResult]]:
    """Return the plan for a target, or only a problem if its state cannot be read."""
    phase(f"planning for {target.name}")
    asked, own = _target_request(arguments, config, target)
    bare = TargetShare(0, target.name, target.labels, _content(target) if without_parts(config) is not config else "")
    try:
        request = request_of(asked, own)
        executor = Executor(WHOLE if keys is None else share_of_keys(keys), place)
        evaluation = PlanEvaluation(partial(all_rules, own))
        result = execute(request, live_sources(asked, own, request), evaluation, executor)
        results, said = result.results, result.runs.run_notes
        shown, said = (results, said) if own.show_secrets else mask_results(results, said, list(result.runs.objects))
        return replace(bare, units=tuple(map(target_unit, shown)), said=said), results
    except UnknownRootError:
        raise ConfigError([_unknown_root(target)]) from None
    except (UnreachedError, UnreadableError) as lost:
        return replace(bare, problems=(lost.problem,)), ()
