"""The versions of charts that change: in labels of rendered objects, and in the objects that declare a release."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, dig, mapping, objects_at, text_at
from kubectl_applylint.report.facts.sides import Sides

_LABEL: Final = regex(r"(?P<name>.+?)-(?P<version>v?\d+\.\d+.*)")
"""The label ``helm.sh/chart``, in old charts ``chart``, in which ``_`` stands for the ``+`` of a version."""


@dataclass(frozen=True, slots=True)
class ChartChange:
    """A chart with its versions before and after, those of the application if they are known, and its releases.

    The releases are units; if nothing was rendered with the chart, they are the objects that declare the version. A
    version is empty if the chart is added or removed.
    """

    name: str
    before: str
    after: str
    app_before: str
    app_after: str
    releases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectOfUnit:
    """An object before and after the apply, with its name and the root of its unit."""

    unit: str
    name: str
    sides: Sides


def chart_changes(objects: Iterable[ObjectOfUnit]) -> tuple[ChartChange, ...]:
    """Return the charts whose versions change; ``objects`` include those that do not change."""
    every = list(objects)
    rendered = [*_label_changes(every)]
    known = {(one.name, one.before, one.after) for one in rendered}
    declared = (one for one in _merge_releases(_declaration_changes(every)) if _without_digests(one) not in known)
    return tuple(sorted((*_merge_releases(rendered), *declared), key=lambda one: (one.name, one.before, one.after)))


def _without_digests(change: ChartChange) -> tuple[str, str, str]:
    return change.name, change.before.partition("@")[0], change.after.partition("@")[0]


def _merge_releases(changes: Iterable[ChartChange]) -> Iterator[ChartChange]:
    """Yield each change of a version once, with all of its releases."""
    groups: dict[ChartChange, list[str]] = {}
    for one in changes:
        groups.setdefault(replace(one, releases=()), []).extend(one.releases)
    yield from (replace(one, releases=tuple(dict.fromkeys(names))) for one, names in groups.items())


def _label_changes(objects: Iterable[ObjectOfUnit]) -> Iterator[ChartChange]:
    """Yield the charts whose versions differ in the labels of the objects of a unit."""
    found: dict[tuple[str, str], tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]] = {}
    for one in objects:
        for number, side in enumerate(one.sides):
            label = _LABEL.fullmatch(_label(side, "helm.sh/chart") or _label(side, "chart"))
            if label:
                versions = found.setdefault((one.unit, label["name"]), (Counter(), Counter()))[number]
                versions[label["version"].replace("_", "+"), _label(side, "app.kubernetes.io/version")] += 1
    for (unit, name), sides in found.items():
        (before, app_before), (after, app_after) = (_most_common(side) for side in sides)
        if before != after:
            yield ChartChange(name, before, after, app_before, app_after, (unit,))


def _label(side: JsonObject | None, name: str) -> str:
    return text_at(side or {}, "metadata", "labels", name)


def _most_common(versions: Counter[tuple[str, str]]) -> tuple[str, str]:
    """Return the most common version of a chart, with that of its application, which not all objects have."""
    chart = next(iter(Counter({one[0]: number for one, number in versions.items()}).most_common(1)), ("", 0))[0]
    apps = Counter({one[1]: number for one, number in versions.items() if one[0] == chart and one[1]})
    return chart, next(iter(apps.most_common(1)), ("", 0))[0]


def _declaration_changes(objects: Iterable[ObjectOfUnit]) -> Iterator[ChartChange]:
    """Yield the charts whose versions differ in objects that declare a release or a source."""
    for one in objects:
        old, new = (dict(_declared_versions(side or {})) for side in one.sides)
        for name in {**old, **new}:
            before, after = old.get(name, ""), new.get(name, "")
            if before != after:
                yield ChartChange(name, before, after, "", "", (one.name,))


def _declared_versions(whole: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the names of charts with the versions that an object of Flux or Argo CD declares."""
    spec = mapping(whole.get("spec"))
    match whole.get("kind"):
        case "HelmRelease" if text_at(spec, "chart", "spec", "sourceRef", "kind") == "HelmRepository":
            yield text_at(spec, "chart", "spec", "chart"), text_at(spec, "chart", "spec", "version")
        case "HelmChart" if text_at(spec, "sourceRef", "kind") == "HelmRepository":
            yield text_at(spec, "chart"), text_at(spec, "version")
        case "OCIRepository":
            yield text_at(spec, "url").rpartition("/")[2], _oci_version(spec)
        case "Application":
            for source in (mapping(dig(spec, "source")), *objects_at(spec, "sources")):
                if text_at(source, "chart"):
                    yield text_at(source, "chart").rpartition("/")[2], text_at(source, "targetRevision")


def _oci_version(spec: JsonObject) -> str:
    """Return the tag or the range of an artifact, with its digest."""
    tag, semver, digest = (text_at(spec, "ref", name) for name in ("tag", "semver", "digest"))
    return "@".join(filter(None, (semver or tag, digest)))
