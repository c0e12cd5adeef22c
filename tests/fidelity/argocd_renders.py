"""Compares renderings of Applications by applylint with those of the repository server of Argo CD."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from kubectl_applylint.core.values import Json, JsonObject, mapping, text_at
from kubectl_applylint.run.load.rendered_objects import rendered_objects
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.request import Request
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, git_source
from kubectl_applylint.sources.store.store_place import Store, use_store
from tests.cluster.argocd_repository_program import HERE
from tests.run.running import load_units, write

_APPLICATION = "argocd/application.json"


def difference(question: JsonObject, answer: JsonObject) -> str:
    """Return what differs from the answer of the repository server, empty for nothing."""
    with TemporaryDirectory() as folder, _repository(question, Path(folder)) as repository:
        request = Request(
            files=(str(repository),),
            kubernetes_version=question["kubeVersion"],
            api_versions=tuple(question["apiVersions"]),
        )
        units = [one for one in load_units(request).each if one.unit and one.unit.applied.tool == "argocd"]
    faults = [answer["error"], *(one["error"] for one in answer["sources"] or [])]
    problems = [*_problems(units)]
    if any(faults) or problems:
        return "" if any(faults) and problems else f"{problems} instead of {[*filter(None, faults)]}"
    made = _normal_objects(question, [item for one in units for item in _objects(one)])
    wanted = _normal_objects(question, [item for one in answer["sources"] for item in one["objects"] or []])
    return _first_difference(made, wanted)


@contextmanager
def _repository(question: JsonObject, folder: Path) -> Iterator[Path]:
    """Write the files of a question and its Application to a repository, the others into a store."""
    repository = folder / "repository"
    write(repository, {**question["files"], _APPLICATION: json.dumps(question["application"])})
    subprocess.run(["git", "init", "--quiet", str(repository)], check=True)
    with (repository / ".git/config").open("a") as config:
        config.write(f'[remote "origin"]\n\turl = {HERE}\n')
    with use_store(Store(str(folder / "store"))):
        for url, files in question["others"].items():
            address, _, chart = url.partition("#")
            packed = archive({path: text.encode() for path, text in files.items()})
            if chart:
                store.add(ChartSource(SourceKind.HELM, address, chart, "1.2.3"), packed)
            else:
                store.add_files(git_source(url), packed, "0" * 40)
        yield repository


def _objects(unit: LoadedUnit) -> Iterator[JsonObject]:
    """Yield the objects of a unit, also those at which a sync ends because kubectl does not decode them."""
    yield from rendered_objects(unit.input)
    yield from (one.document.object for one in unit.input.problems if one.document)


def _problems(units: list[LoadedUnit]) -> Iterator[str]:
    for one in units:
        yield from (each.message for each in one.input.problems if not each.document)
        yield from (each.what for each in one.input.holes)
        yield from [one.unit.applied.gap] if one.unit and one.unit.applied.gap else []
    return


def _normal_objects(question: JsonObject, objects: list[JsonObject]) -> list[Json]:
    """Return objects without hooks, the last of each name, sorted, as JSON writes them."""
    namespace = text_at(question["application"], "spec", "destination", "namespace")
    named: dict[str, Json] = {}
    for item in objects:
        one = mapping(_plain(item))
        metadata = {"namespace": namespace, **mapping(one.get("metadata"))}
        if "helm.sh/hook" not in mapping(metadata.get("annotations")):
            named[f"{one['kind']} {metadata['namespace']} {metadata.get('name')}"] = {**one, "metadata": metadata}
    return [named[name] for name in sorted(named)]


def _plain(value: Json) -> Json:
    """Return a value as JSON readers see it: an integer may be written as a float."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [*map(_plain, value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _first_difference(made: list[Json], wanted: list[Json]) -> str:
    """Return the fields in which the first different object differs, empty for none."""
    names = [[f"{text_at(one, 'kind')} {text_at(one, 'metadata', 'name')}" for one in each] for each in (made, wanted)]
    if names[0] != names[1]:
        return f"objects {sorted({*names[0]} ^ {*names[1]})}: {names[0]} instead of {names[1]}"
    different = (_different_fields(*pair) for pair in zip(made, wanted, strict=True) if pair[0] != pair[1])
    return next((f"{one} instead of {other}" for one, other in different), "")


def _different_fields(made: Json, wanted: Json) -> tuple[Json, Json]:
    """Return the parts of two objects that differ."""
    if not (isinstance(made, dict) and isinstance(wanted, dict)):
        return made, wanted
    parts = {
        key: _different_fields(made.get(key), wanted.get(key))
        for key in {**made, **wanted}
        if made.get(key) != wanted.get(key)
    }
    return {key: one for key, (one, _) in parts.items()}, {key: other for key, (_, other) in parts.items()}
