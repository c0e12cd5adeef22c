"""The applies of a request: one for what the caller names as kubectl does, or else one for each unit."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from shlex import quote
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem, Unreadable
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.run import assemble, renders, sides
from kubectl_applylint.run.against import AgainstKind
from kubectl_applylint.run.argocd_units import not_predicted
from kubectl_applylint.run.assemble import RunRequest
from kubectl_applylint.run.base import not_of_kind
from kubectl_applylint.run.bystanders import without_bystanders, without_generated
from kubectl_applylint.run.files import RunInput, run_of_input
from kubectl_applylint.run.kept_results import NOTHING_KEPT, KeptResult, KeptResults, kept_results
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.notes import joined
from kubectl_applylint.run.places import place_of
from kubectl_applylint.run.sides import Side
from kubectl_applylint.run.unit_changes import Revisions, holds_objects, notes, touched, with_moved
from kubectl_applylint.run.unit_shards import in_shard, pairs_in_shard
from kubectl_applylint.run.unit_tasks import UnitTask, chosen, meeting, of_change, of_paths, parts, selected, unread
from kubectl_applylint.run.unit_tools import by_tool, is_by_helm
from kubectl_applylint.run.units_of import declarations, units_of
from kubectl_applylint.run.worktree import not_checked_out, touched_submodules
from kubectl_applylint.sources import git, network, revision
from kubectl_applylint.sources.contents import CHART, STDIN
from kubectl_applylint.sources.git import Repository
from kubectl_applylint.sources.manifests import Input
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.order import in_order
from kubectl_applylint.units.reading import matching
from kubectl_applylint.units.set_aside import set_aside

COMPARED: Final = (AgainstKind.GIT, AgainstKind.DIR)
"""What is compared unit by unit; everything else is one state that all units meet."""
_SPECIAL: Final = frozenset("*?[")
_HELMS: Final = {Applier.HELM3: ("Helm 3", "client-side"), Applier.HELM4: ("Helm 4", "server-side")}
_FLAGS: Final = ("server_side", "force_conflicts", "field_manager")
"""The flags of an apply that the configuration may give to a unit."""


class UnknownRoot(ValueError):
    """No unit has a root that was asked for; the text says which."""


def _no_earlier() -> RunInput | None:
    return None


@dataclass(frozen=True, slots=True)
class UnitRun:
    """One apply: its unit, ``None`` where the caller named what is applied, and all that it looks at."""

    unit: Unit | None
    found: RunInput
    earlier: Callable[[], RunInput | None] = field(default=_no_earlier, repr=False)
    """Gives the same for the earlier manifests, applied once more; nothing where they are not known."""
    kept: KeptResult | None = field(default=None, repr=False)
    """What an earlier run has found in it; then ``found`` has no subjects."""
    key: str = ""
    """What its findings are to be kept by, empty if they are not."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The applies of a request, by the roots of their units."""

    each: tuple[UnitRun, ...]
    notes: tuple[str, ...] = ()
    """What is said once of all."""
    origin: str = ""
    """What all were compared with, empty where nobody knows the live state."""

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """All that is applied."""
        return tuple(chain.from_iterable(run.found.subjects for run in self.each))

    @property
    def documents(self) -> tuple[Document, ...]:
        """All that was read."""
        return tuple(chain.from_iterable(run.found.documents for run in self.each))

    @property
    def texts(self) -> Mapping[str, str]:
        """The input files by name."""
        return {file: text for run in self.each for file, text in run.found.texts.items()}

    @property
    def objects(self) -> Iterator[JsonObject]:
        """Every manifest, of the earlier revision too, and every live object that belongs to one.

        Of a unit whose findings are kept these are only what has credentials, and one that has its names.
        """
        for run in self.each:
            yield from run.found.objects
            yield from (dict.fromkeys(run.kept.names),) if run.kept else ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read."""
        return tuple(dict.fromkeys(chain.from_iterable(run.found.problems for run in self.each)))

    @property
    def is_unreachable(self) -> bool:
        """Whether what the manifests were to be compared with could not be read at all."""
        return any(run.found.is_unreachable for run in self.each)


def is_by_units(request: RunRequest) -> bool:
    """Tell whether a request is about the units that a repository means, and not about one apply that it names.

    ``-f`` and ``-k`` name what kubectl applies. So do flags that make no sense but for one apply, and what is no file
    or folder: standard input, a chart, a pattern, an address.
    """
    if request.is_one_apply or request.named or request.flags.policy or request.flags.selector or request.flags.sync:
        return False
    if request.against.kind is AgainstKind.DIR:
        return len(request.files) == 1 and os.path.isdir(request.files[0])
    if request.against.kind is AgainstKind.GIT:
        return ":" not in request.against.argument and all(map(_is_path, request.files))
    is_asked = request.against.kind not in (AgainstKind.FILE, AgainstKind.LAST_APPLIED)
    return is_asked and bool(request.files) and all(map(_is_there, request.files))


def _is_path(name: str) -> bool:
    return name != STDIN and not name.startswith(CHART) and "://" not in name


def _is_there(name: str) -> bool:
    return _is_path(name) and os.path.exists(name)


def runs_of(request: RunRequest, source: LiveSource) -> Runs:
    """Return the applies of a request.

    Raises ``Unreadable`` where what they are compared with cannot be read, ``UnknownRoot`` where no unit has a root
    that was asked for.
    """
    if not is_by_units(request):
        found = assemble.assemble(request, source)
        return Runs((UnitRun(None, found),), found.notes, found.origin)
    try:
        return _compared(request) if request.against.kind in COMPARED else _met(request, source)
    except git.GitError as fault:
        raise Unreadable(fault.problem) from fault


def _met(request: RunRequest, source: LiveSource) -> Runs:
    """Return the applies that all meet the same state."""
    place = place_of(request.files, request.units)
    side, paths = place.side, place.paths
    known = place.units(request.units)
    meant = selected(side, known, paths)
    mine = in_shard(request.shard, meant)
    kept = _kept(request, source, side, list(filter(mine, meant)), paths)
    rest = [unit for unit in meant if unit not in kept.found]
    every = _as_asked(request, filter(mine, parts(side, rest, meant, paths)))
    _refuse_unknown_roots(request, [*every, *kept.found])
    units, aside = _parted(request, side, every, paths)
    tasks = of_paths(side, units, paths, partial(_source_of, request, source), meeting(side, known, meant))
    runs = _joined(request, tasks, str(source), kept)
    return replace(runs, notes=(*runs.notes, *aside, *unread(side, units, paths)))


def _source_of(request: RunRequest, source: LiveSource, unit: Unit) -> LiveSource:
    return request.source_of(dict(unit.applied.options), source)


def _kept(
    request: RunRequest, source: LiveSource, side: Side, units: Sequence[Unit], paths: Sequence[str]
) -> KeptResults:
    """Return the results of units that are kept, if they depend on nothing but files and the program."""
    depends_on = request.results_depend_on
    is_static = not source.origin and not source.problems and not request.roots and not network.is_allowed()
    if depends_on is None or not is_static:
        return NOTHING_KEPT
    asked, _ = _parted(request, side, _as_asked(request, units), paths)
    whole = (request.flags, request.kubernetes_version, request.sets_aside, request.units, len(units) == 1)
    return kept_results(side, asked, paths, (*depends_on, *whole))


def _parted(
    request: RunRequest, side: Side, units: Sequence[Unit], names: Collection[str]
) -> tuple[tuple[Unit, ...], tuple[str, ...]]:
    """Return the units to look at, and a line about those that are passed over."""
    reasons = set_aside(units, side.paths, names) if request.sets_aside else [""] * len(units)
    numbers = Counter(filter(None, reasons))
    words = ", ".join(f"{number} × {reason}" for reason, number in sorted(numbers.items()))
    line = f"skipped units: {words}; name a directory to check it"
    return tuple(unit for unit, reason in zip(units, reasons, strict=True) if not reason), (line,) if words else ()


def listed(request: RunRequest) -> tuple[Unit, ...]:
    """Return the units that files and folders stand for; without any, those of the repository.

    Folders and files that name no object are left out.
    """
    place = place_of(request.files or (os.curdir,), request.units)
    side = place.side
    found = chosen(side, place.units(request.units), place.paths if request.files else ("",))
    return tuple(unit for unit in found if unit.form not in (Form.FOLDER, Form.FILE) or holds_objects(side, unit))


def _compared(request: RunRequest) -> Runs:
    """Return the applies that a change touches."""
    found, said = _in_folders(request) if request.against.kind is AgainstKind.DIR else _in_git(request)
    _refuse_unknown_roots(request, [*chain.from_iterable(found.units)])
    both = zip(found.sides, found.units, strict=True)
    before, after = (_parted(request, side, units, found.names)[0] for side, units in both)
    found = replace(found, units=(before, after))
    order = tuple(with_moved(found, tuple(touched(found))))
    pairs = pairs_in_shard(request.shard, order)
    runs = _joined(request, of_change(found, pairs, order), found.before.name)
    return replace(runs, notes=(*_assumed(request, runs), *runs.notes, *said, *notes(found, pairs)))


def _assumed(request: RunRequest, runs: Runs) -> Iterator[str]:
    """Yield what a plan goes by of charts that Helm upgrades, and of what Flux and Argo CD apply."""
    if request.flags.helm and any(run.unit and is_by_helm(run.unit) for run in runs.each):
        name, way = _HELMS[request.flags.helm]
        yield f"charts: predicted as helm upgrade by {name}, {way}, of a release that the earlier revision installed"

    if request.flags.by_flux and any(run.unit and run.unit.applied.flux for run in runs.each):
        yield "Kustomizations: predicted as reconciled by Flux, which has applied the earlier revision"

    syncs = [run.unit.applied.argocd for run in runs.each if run.unit and run.unit.applied.argocd]
    if request.flags.by_argocd and syncs:
        yield "Applications: predicted as synced by Argo CD, which has applied the earlier revision"
        yield from not_predicted(syncs)


def _in_folders(request: RunRequest) -> tuple[Revisions, tuple[str, ...]]:
    argument = request.against.argument
    if not os.path.isdir(argument):
        raise Unreadable(not_of_kind("directory", argument))
    before, after = sides.of_folder(argument), sides.of_folder(request.files[0])
    units = tuple(_as_asked(request, units_of(side, request.units)) for side in (before, after))
    differ = sides.differing(before, after)
    return Revisions(before, after, differ, (units[0], units[1])), ()


def _as_asked(request: RunRequest, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units whose roots were asked for, with the namespace and the version of the caller."""
    every = tuple(units)
    chosen_roots = {root for pattern in request.roots for root in matching(pattern, [unit.shown for unit in every])}
    kept = every if not request.roots else (unit for unit in every if unit.shown in chosen_roots)
    return renders.as_asked(kept, request.flags.namespace, request.kubernetes_version)


def _refuse_unknown_roots(request: RunRequest, units: Sequence[Unit]) -> None:
    """Raise ``UnknownRoot`` where nothing has a root that was asked for: a misspelled one must not pass."""
    if request.roots and not units and request.shard is None:
        raise UnknownRoot(f"--unit {' '.join(request.roots)}: no unit has this root; applylint units lists them")


def _in_git(request: RunRequest) -> tuple[Revisions, tuple[str, ...]]:
    repo = git.repository(os.curdir)
    if isinstance(repo, Problem):
        raise Unreadable(repo)
    found = revision.sides(repo, revision.parse(request.against.argument))
    if isinstance(found, Problem):
        raise Unreadable(found)
    names = [repo.path_of(os.path.realpath(one) if os.path.isdir(one) else one) for one in request.files or [os.curdir]]
    inside = tuple(name for name in names if name is not None)
    before = sides.of_revision(repo, found.base, partial(_label, found.base.short))
    modes = git.changed(repo, found.base, found.head)
    if found.head:
        after = sides.of_revision(repo, found.head, partial(_shown, repo))
    else:
        after = sides.of_work_tree(repo, absent=not_checked_out(repo, {*modes, *inside}))
    new = (after.paths - before.paths) if found.head is None else frozenset()
    touched = touched_submodules(repo, git.tree(repo, found.base).entries, inside) if found.head is None else ()
    modules = sorted({path for path, kinds in modes.items() if git.SUBMODULE in kinds}.union(touched))
    said = tuple(f"the submodule {path} changed, and its files are not compared" for path in modules)
    remotes = git.remotes(repo)
    differ = frozenset(modes) | new
    told = declarations(before)
    same = {path: documents for path, documents in told.items() if path not in differ}
    units = (
        _as_asked(request, units_of(before, request.units, remotes, repo.path_of, told)),
        _as_asked(request, units_of(after, request.units, remotes, repo.path_of, declarations(after, same))),
    )
    return Revisions(before, after, differ, units, inside), said


def _label(name: str, path: str) -> str:
    return f"{name}:{path}"


def _shown(repo: Repository, path: str) -> str:
    return os.path.relpath(os.path.join(repo.root, path))


def _joined(request: RunRequest, tasks: Iterable[UnitTask], origin: str, kept: KeptResults = NOTHING_KEPT) -> Runs:
    examined = [
        UnitRun(task.unit, _examined(request, task), partial(_earlier, request, task), key=kept.key(task.unit))
        for task in tasks
    ]
    told = [UnitRun(one.unit, _as_kept(one, kept), kept=one) for one in kept.results]
    each = tuple(sorted((*examined, *told), key=_place)) if told else tuple(examined)
    if len(each) == 1:
        each = (replace(each[0], found=replace(each[0].found, extent=assemble.extent_of(request))),)
    compared = [f"compared with {origin}"] if origin else []
    compared += [
        f"{run.unit.shown}: compared with {run.found.origin}"
        for run in each
        if run.unit and run.found.origin not in ("", origin)
    ]
    said = chain.from_iterable(_own_notes(run.found) for run in each)
    gaps = joined([run.found.gaps for run in each])
    return Runs(each, tuple(dict.fromkeys((*compared, *said, *gaps.lines))), origin)


def _as_kept(one: KeptResult, kept: KeptResults) -> RunInput:
    documents = tuple(document for document in kept.documents if document.file in one.masking)
    texts = {
        file: kept.texts[file] for file in {each.location.file for each in one.report.findings} & kept.texts.keys()
    }
    return RunInput(
        documents=documents, problems=one.problems, notes=one.notes, gaps=one.gaps, texts=texts, is_unit=True
    )


def _place(run: UnitRun) -> tuple[str, tuple[str, ...]]:
    return (run.unit.root, run.unit.values) if run.unit else ("", ())


def _own_notes(found: RunInput) -> Iterator[str]:
    shared = frozenset(found.gaps.lines)
    return (note for note in found.notes if note not in shared)


def _examined(request: RunRequest, task: UnitTask) -> RunInput:
    applied = task.unit.applied
    namespace = request.flags.namespace or applied.namespace
    options = dict(applied.options)
    own = {name: options[name] for name in _FLAGS if name in options}
    flags = replace(request.flags, namespace=namespace, is_unit=True, unit_command=_command(task.unit), **own)
    flags = replace(flags, unit_arguments=_arguments(task.unit), is_new_unit=task.is_new)
    flags = replace(flags, unit_prunes=applied.prunes)
    flags = replace(flags, helm=None) if task.is_gone else by_tool(flags, task.unit)
    base = task.source.base
    read = task.given or (base.later([], False, bytes) if base else Input())
    given = without_generated(without_bystanders(read, ()))
    given = replace(given, documents=in_order(given.documents, applied.tool))
    version = options.get(sides.VERSION, request.kubernetes_version)
    found = run_of_input(given, source=task.source, flags=flags, kubernetes_version=version)
    unreachable = not task.source.origin and bool(task.source.problems)
    return replace(found, is_unit=base is not None or not task.source.origin, is_unreachable=unreachable)


def _arguments(unit: Unit) -> str:
    """Return what kubectl apply is given to apply a whole unit; empty where another tool does that."""
    if unit.applied.tool != "kubectl":
        return ""
    return f"{'-k' if unit.form is Form.KUSTOMIZATION else '-f'} {quote(unit.shown)}"


def _command(unit: Unit) -> str:
    """Return what applies a unit where that is not kubectl: what is typed, or what happens."""
    match unit.applied.tool:
        case "kubectl":
            return ""
        case "helm":
            return (
                f"helm upgrade RELEASE {quote(unit.root or '.')}{''.join(f' -f {quote(file)}' for file in unit.values)}"
            )
        case "skaffold":
            return "skaffold run"
        case tool:
            return f"# commit and push it, {tool} applies it"


def _earlier(request: RunRequest, task: UnitTask) -> RunInput | None:
    """Return the run of the earlier manifests on what they make themselves."""
    base = task.source.base
    if base is None:
        return None
    again = replace(base, later=lambda names, recursive, stdin: base.given)
    return _examined(request, replace(task, source=replace(task.source, base=again), given=base.given))
