"""Loads one unit of a run: its manifests, the flags of its apply, and the same of the earlier manifests."""

import os
from collections.abc import Collection, Iterator
from functools import partial
from shlex import quote
from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import program_name
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.discover.unit_tasks import UnitTask
from kubectl_applylint.run.load.cluster_before import EarlierApply
from kubectl_applylint.run.load.excuses import broken_manifests, without_excuses, without_extra_files, without_nameless
from kubectl_applylint.run.load.holes import rendering_problems
from kubectl_applylint.run.load.required_values import has_required_values, without_required_values
from kubectl_applylint.run.load.run_input import RunInput, input_of_manifests
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.run.load.unit_tools import namespace_use, with_removal, with_unit_applier
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides.side import VERSION
from kubectl_applylint.sources.system.timing import measure
from kubectl_applylint.sources.text.manifests import Input, without_kubectl
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.order import in_order

_FLAGS: Final = ("server_side", "force_conflicts", "field_manager")
"""The flags of an apply that the configuration may give to a unit."""
_BY_KUBECTL: Final = ("kubectl", "skaffold")


def load_unit(request: Request, task: UnitTask, key: str = "") -> LoadedUnit:
    """Return a loaded unit; its result is cached with ``key``, if that is not empty."""
    found, seconds = measure(partial(unit_input, request, task))
    earlier = partial(earlier_unit_input, request, task, found.earlier_apply)
    key = "" if has_required_values(found.problems, found.notes) else key
    return LoadedUnit(task.unit, found, earlier, key=key, place=task.place, seconds=seconds)


def unit_input(request: Request, task: UnitTask, known: EarlierApply | None = None) -> RunInput:
    """Return the input of one unit; ``known`` is the result of the earlier manifests, if another input has it."""
    applied = task.unit.applied
    namespace = request.flags.namespace or applied.namespace
    options = dict(applied.options)
    unit_flags = {name: options[name] for name in _FLAGS if name in options}
    flags = replace(
        request.flags,
        namespace=namespace,
        namespace_use=namespace_use(task.unit),
        is_unit=True,
        is_tool_assumed=not applied.reason.file,
        may_be_patched=task.unit.may_be_patched,
        has_own_values_only=task.unit.has_own_values_only,
        unit_tool=applied.tool,
        is_new_unit=task.is_new,
        unit_command=_command(task.unit),
        unit_arguments=_kubectl_arguments(task.unit),
        unit_prunes=applied.prunes or task.may_be_pruned,
        **unit_flags,
    )
    if not task.is_gone:
        flags = with_unit_applier(flags, task.unit, task.source.namespace, task.earlier)
    elif task.is_deleted:
        flags = with_removal(flags, task.unit)
    applier = flags.unit_applier
    command = unit_program(applier.applier).command(applier.unit, task.unit) if applier else ""
    flags = replace(flags, unit_command=command) if command else flags
    base = task.source.base
    read = base.later([], False, bytes) if base and not task.given else _given(request, task)
    links = [one.where for one in read.problems] if base else []
    given = _with_names(without_extra_files(read, links), applier, renders=request.renders)
    given = without_excuses(given, _named_files(request), base.manifests.union(broken_manifests(given)) if base else ())
    given = replace(given, documents=in_order(given.documents, applied.tool))
    flags = _with_possible_changes(flags, task.source, given)
    version = options.get(VERSION, request.kubernetes_version)
    found = input_of_manifests(given, source=task.source, flags=flags, kubernetes_version=version, known=known)
    unreachable = not task.source.origin and bool(task.source.problems)
    found = replace(found, problems=tuple(dict.fromkeys(_problems(request, found, applied.tool))))
    return replace(found, is_unit=base is not None or not task.source.origin, is_unreachable=unreachable)


def _with_names(given: Input, applier: UnitApplier | None, *, renders: bool) -> Input:
    """Return manifests with the names that their program draws, without those that it does not apply."""
    program = unit_program(applier.applier) if applier else None
    keeps_generated = renders or (program is not None and program.applies_generated)
    return without_nameless(program.named(given) if program else given, keeps_generated=keeps_generated)


def _given(request: Request, task: UnitTask) -> Input:
    """Return the manifests of a unit that is read before; without a comparison, its chart may require values."""
    given = task.given or Input()
    return given if task.source.base else without_required_values(given, task.unit, request.files)


def _problems(request: Request, found: RunInput, tool: str) -> Iterator[Problem]:
    """Yield the problems of a unit; advice says how kubectl continues only if kubectl applies it."""
    yield from found.problems if tool in _BY_KUBECTL else map(without_kubectl, found.problems)
    yield from rendering_problems(found.holes) if request.renders else ()


def _named_files(request: Request) -> Collection[str]:
    """Return the files that the caller names, relative to the working directory as in locations."""
    if request.is_listed:
        return ()
    return [os.path.relpath(name) for name in request.files if not os.path.isdir(name)]


def _with_possible_changes(flags: Flags, source: LiveSource, given: Input) -> Flags:
    """Return flags that say whether parts that are not rendered, or webhooks in the files, may change the objects."""
    has_missing_changes = any(one.changes_others for one in given.holes)
    return replace(flags, has_missing_changes=has_missing_changes, mutated_groups=_mutated_groups(source, given))


def _mutated_groups(source: LiveSource, given: Input) -> frozenset[str]:
    """Return the API groups that mutating webhooks in the files match; webhooks of a cluster are predicted instead."""
    kinds = {(one.ref.api_version, one.ref.kind) for one in given.documents if "." in one.ref.group}
    is_cluster = bool(source.origin) and source.base is None
    if is_cluster or not kinds or not source.definitions(kinds).objects:
        return frozenset()
    return source.mutated_groups({api_version.partition("/")[0] for api_version, _ in kinds})


def _kubectl_arguments(unit: Unit) -> str:
    """Return the arguments of kubectl apply for a whole unit; empty if another tool applies it."""
    if unit.applied.tool != "kubectl":
        return ""
    return f"{'-k' if unit.form is Form.KUSTOMIZATION else '-f'} {quote(unit.shown)}"


def _command(unit: Unit) -> str:
    """Return the command that applies a unit, or a comment on what applies it; empty for kubectl."""
    match unit.applied.tool:
        case "kubectl":
            return ""
        case "helm" | "helm3" | "helm4":
            return (
                f"helm upgrade RELEASE {quote(unit.root or '.')}{''.join(f' -f {quote(file)}' for file in unit.values)}"
            )
        case "kapp":
            return f"kapp deploy -a {quote(unit.release)} -f {quote(unit.root or '.')}"
        case "skaffold":
            return "skaffold run"
        case tool:
            return f"# commit and push it, {program_name(unit.applied.program or tool)} applies it"


def earlier_unit_input(request: Request, task: UnitTask, known: EarlierApply | None = None) -> RunInput | None:
    """Return the input of the earlier manifests, applied again to their own result; ``None`` if there are none.

    ``known`` is that result, if the input of the later manifests has it.
    """
    base = task.source.base
    if base is None:
        return None
    again = replace(base, later=lambda names, recursive, stdin: base.given)
    earlier = replace(
        task, unit=_with_earlier_settings(task), source=replace(task.source, base=again), given=base.given
    )
    return unit_input(request, earlier, known)


def _with_earlier_settings(task: UnitTask) -> Unit:
    """Return the unit of a task with the settings of the program that applied it before a change."""
    if task.earlier is None:
        return task.unit
    now, was = task.unit.applied, task.earlier.applied
    item = was.tool_object if was.tool == now.tool else now.tool_object
    return replace(task.unit, applied=replace(now, tool_object=item, installation=was.installation))
