"""Notes on the program that applies units: assumptions, and units or settings that it is not predicted for."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier, program_name
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import equal
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.run.load.unit_tools import applier_of
from kubectl_applylint.run.sides.renders import has_kustomize_charts
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.argocd.special_files import JSONNET, JSONNET_LIBRARY, may_evaluate_jsonnet
from kubectl_applylint.units.finder import FoundUnits, missing_path_words
from kubectl_applylint.units.layout import other_values_files
from kubectl_applylint.units.model import Form, Installation, Unit
from kubectl_applylint.units.remotes import OTHER_REVISION, OTHER_SOURCE

_MOST_NAMED: Final = 5
_BUILD_OPTIONS: Final = "kustomize.buildOptions"
_PACKED: Final = tuple(f"{OTHER_SOURCE}{kind} " for kind in ("OCIRepository", "Bucket"))
"""The beginnings of reasons with sources that may have been packed from this repository."""
_WORDS_OF_REPOSITORY: Final = {"none": "no unit", "one": "a unit"}
_WORDS_OF_SELECTION: Final = {"none": "none of these units", "one": "one of these units"}


def assumption_notes(flags: Flags, units: Sequence[Unit]) -> Iterator[str]:
    """Yield a line with the programs that apply the units of a change."""
    found = (applier_of(flags, unit) for unit in units)
    names = [*dict.fromkeys(program_name(one.applier) for one in found if one)]
    if names:
        listed = " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
        yield f"predicted as applied by {listed}; the earlier revision is assumed to be applied the same way"


def unpredicted_notes(
    flags: Flags, each: Iterable[tuple[Unit, Sequence[Document]]], source: LiveSource | None = None
) -> Iterator[str]:
    """Yield the settings of units that are not predicted; ``source`` is the state that they are compared with."""
    applied: dict[Applier, list[tuple[object, Sequence[Document]]]] = {}
    for unit, documents in each:
        by = applier_of(flags, unit)
        if by is not None:
            applied.setdefault(by.applier, []).append((by.unit, documents))
            yield from unit.applied.doubts
    for applier, units in applied.items():
        yield from unit_program(applier).left_out(units, source)


def missing_path_notes(flags: Flags, found: FoundUnits) -> Iterator[str]:
    """Yield the objects of Flux and Argo CD, if that program is asked for, with their paths that do not exist.

    Paths are in parentheses, so that notes of objects with one missing path each can be joined. Objects that are built
    by themselves, from the root of a repository, are problems that name the path.
    """
    asked = flags.asked.applier if flags.asked else Applier.KUBECTL_CLIENT
    if asked not in (None, Applier.FLUX, Applier.ARGOCD):
        return
    paths: dict[str, list[str]] = {}
    for one in found.missing:
        if asked in (None, one.applied.tool) and not one.root:
            paths.setdefault(one.applied.reason.text, []).append(one.path)
    for name, missing in paths.items():
        more = f", and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
        plural = "s" * (len(missing) > 1)
        yield f"{name}: the files have nothing in its path{plural} ({', '.join(missing[:_MOST_NAMED])}{more})"


def elsewhere_notes(found: FoundUnits) -> Iterator[str]:
    """Yield a line with the objects that apply files of other repositories or revisions, each with the reason."""
    named = [f"{reason}: {why}" for reason, why in found.elsewhere]
    if named:
        advice = "".join(f"; {advice}" for advice in _advice(why for _, why in found.elsewhere))
        yield f"not examined, as other files are applied: {_first_sentences(named)}{advice}"


def gap_notes(found: FoundUnits, examined: Iterable[Unit]) -> Iterator[str]:
    """Yield a line with the objects among the declaring ones of ``examined`` units whose applies are not known."""
    others = {reason for reason, _ in found.elsewhere}
    missing = {missing_path_words(one) for one in found.missing}
    unknown = (one.applied for one in examined if one.applied.gap and not one.applied.fetched_source)
    rest = (one for one in unknown if not (one.is_suspended or one.reason in others or one.gap in missing))
    named = [*dict.fromkeys(f"{one.reason}: {one.gap}" for one in rest)]
    if named:
        yield f"not examined: {_first_sentences(named)}"


def jsonnet_notes(
    changed: Iterable[str], names: Sequence[str], known: FoundUnits, paths: Collection[str]
) -> Iterator[str]:
    """Yield a line with changed files in Jsonnet below ``names`` if no Application has a file in Jsonnet.

    ``paths`` are all files of the repository.
    """
    starts = tuple(f"{name}/" if name else "" for name in names)
    files = sorted(one for one in changed if one.endswith((JSONNET, JSONNET_LIBRARY)) and f"{one}/".startswith(starts))
    if not files:
        return
    applications = (unit.applied.tool_object for unit in known.units if unit.applied.tool == Applier.ARGOCD)
    if not any(may_evaluate_jsonnet(one, paths) for one in applications if one is not None):
        words = first_names(files, _MOST_NAMED)
        yield f"not examined, because no Application of Argo CD evaluates files in Jsonnet: {words}"


def unlisted_notes(found: FoundUnits) -> Iterator[str]:
    """Yield a line with the Kustomizations that nothing applies, although Flux applies the folder above them."""
    named = [str(one) for one in found.unlisted]
    if named:
        yield f"not applied, because no kustomization lists the file: {_first_sentences(named)}"


def _first_sentences(sentences: Sequence[str]) -> str:
    """Return the first sentences with the number of the others."""
    more = f"; and {len(sentences) - _MOST_NAMED} more" if len(sentences) > _MOST_NAMED else ""
    return f"{'; '.join(sentences[:_MOST_NAMED])}{more}"


def undeclared_notes(found: FoundUnits) -> Iterator[str]:
    """Yield a line for each declaration that is not a unit, with the reason."""
    listed = {unit.applied.reason for unit in found.units if unit.applied.gap}
    yield from (f"{reason}: {why}" for reason, why in found.elsewhere if reason not in listed)
    for one in found.missing:
        if one.applied.reason not in listed:
            yield f"{one.applied.reason}: {missing_path_words(one)}"


def _advice(reasons: Iterable[str]) -> Iterator[str]:
    """Yield how to compare objects that apply other files, for the reasons for which that is possible."""
    every = tuple(reasons)
    if any(why.startswith(OTHER_REVISION) for why in every):
        yield "--target-revision REF compares those that apply REF"
    if any(why.startswith(_PACKED) for why in every):
        yield "own-sources in the configuration names sources with files of this repository"


def source_notes(found: FoundUnits) -> Iterator[str]:
    """Yield a line for each source that is taken to be the repository, and each target revision that none has."""
    for revision in found.unused_revisions:
        yield f"--target-revision {revision}: no Kustomization, Application or source applies this revision"
    yield from (f"{source} is taken to be this repository, {why}" for source, why in found.assumed)


def installation_notes(units: Iterable[Unit]) -> Iterator[str]:
    """Yield a line with the settings of Argo CD that are not followed, and one with those that are not known."""
    found = {unit.applied.installation for unit in units} - {Installation()}
    if not found:
        return
    from kubectl_applylint.tools.argocd.settings import ignored_settings  # noqa: PLC0415  12 ms, for such units only

    ignored = sorted({one for each in found for one in ignored_settings(json.loads(each.settings or "{}"))})
    if ignored:
        yield f"settings of Argo CD that are not followed, and nothing that they name is run: {', '.join(ignored)}"
    differing = sorted({one for each in found for one in each.differing})
    if differing:
        yield f"settings of Argo CD with several values in the files are not followed: {', '.join(differing)}"


def assumed_helm_notes(side: Side, units: Iterable[Unit]) -> Iterator[str]:
    """Yield a line if it is not known whether Argo CD renders the charts of kustomizations among some units."""
    every = [one for one in units if one.form is Form.KUSTOMIZATION and one.applied.tool == "argocd"]
    unknown = [one for one in every if not _has_build_options(one.applied.installation)]
    if any(has_kustomize_charts(side, one.files) for one in unknown):
        yield f"Argo CD is taken to render helmCharts: the files have no {_BUILD_OPTIONS}, which needs --enable-helm"


def _has_build_options(installation: Installation) -> bool:
    from kubectl_applylint.tools.argocd.settings import enables_helm  # noqa: PLC0415  12 ms, for such units only

    return enables_helm(json.loads(installation.settings or "{}"), installation.differing) is not None


def undeclared_chart_notes(examined: Iterable[Unit], units: Iterable[Unit]) -> Iterator[str]:
    """Yield a line for each chart among ``units`` that nothing declares, and that declares what is examined."""
    tools = {one.applied.cluster: one.applied.tool for one in examined}
    charts: dict[str, list[Unit]] = {}
    for unit in units:
        if unit.declaring_cluster in tools and unit.declaring_cluster != unit.applied.cluster:
            charts.setdefault(unit.root, []).append(unit)
    alike: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for root, each in charts.items():
        kind = "Kustomizations" if tools[each[-1].declaring_cluster] == Applier.FLUX else "Applications"
        values = tuple(", ".join(path.rpartition("/")[2] for path in one.values) for one in each)
        alike.setdefault((kind, values, tuple(other_values_files(each[-1]))), []).append(root)
    for (kind, values, others), roots in alike.items():
        is_one = len(roots) == 1
        names = [one or ("its own values" if is_one else "their own values") for one in values]
        how = f"with {names[0]}" if len(names) == 1 else f"as one cluster each for {', '.join(names)}"
        how += f", not with {first_names(others, _MOST_NAMED)}" if others else ""
        what = f"this chart of {kind}; it is" if is_one else f"these charts of {kind}; they are"
        yield f"{first_names(roots, _MOST_NAMED)}: no object in the files applies {what} examined {how}"


def ineffective_chart_notes(changed: Iterable[Unit], differ: Collection[str]) -> Iterator[str]:
    """Yield a line with the charts whose templates or values differ, although no object of theirs changes.

    ``changed`` are units without changed objects. A chart may be installed with other values than its own.
    """
    charts = [unit for unit in changed if unit.has_own_values_only and _has_other_templates(unit, differ)]
    if charts:
        names = first_names([*dict.fromkeys(unit.shown for unit in charts)], _MOST_NAMED)
        yield f"charts whose change has no effect with their own values, and no file names others: {names}"


def _has_other_templates(chart: Unit, differ: Collection[str]) -> bool:
    """Return whether templates or values of a chart differ."""
    start = f"{chart.root}/" if chart.root else ""
    return f"{start}values.yaml" in differ or any(path.startswith(f"{start}templates/") for path in differ)


def changed_set_notes(before: FoundUnits, after: FoundUnits) -> Iterator[str]:
    """Yield a line for each ApplicationSet whose Applications are not the same, with their names."""
    sets = dict.fromkeys(ref for ref, _ in (*before.generated, *after.generated))
    for each in sets:
        was, now = ({ref_of(item): item for ref, item in found.generated if ref == each} for found in (before, after))
        both = [ref for ref in now if ref in was]
        changes = {
            "generates": [ref for ref in now if ref not in was],
            "no longer generates": [ref for ref in was if ref not in now],
            "changes": [ref for ref in both if not equal(was[ref], now[ref])],
        }
        words = [
            f"{verb} {first_names([ref.name for ref in refs], _MOST_NAMED)}" for verb, refs in changes.items() if refs
        ]
        if words:
            yield f"{each.kind} {each.namespaced_name}: it {'; '.join(words)}"


def kubectl_fallback_notes(flags: Flags, units: Sequence[Unit], known: Iterable[Unit] | None = ()) -> Iterator[str]:
    """Yield a line if the program that is asked for applies none of the units, which are then predicted for kubectl.

    ``known`` are the units of the whole repository, ``None`` if not all of them are known.
    """
    asked = flags.asked.applier if flags.asked else None
    if asked is Applier.HELM_CONTROLLER:  # HelmReleases are found only while other units are rendered.
        return
    why = unit_program(asked).none_applied if asked else ""
    if not why or not units or any(applier_of(flags, unit) for unit in units):
        return
    is_elsewhere = known is None or any(applier_of(flags, unit) for unit in known if not unit.applied.gap)
    words = why.format_map(_WORDS_OF_SELECTION if is_elsewhere else _WORDS_OF_REPOSITORY)
    yield f"--applier {asked}: {words}; all are predicted as with kubectl"
