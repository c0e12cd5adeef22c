#!/usr/bin/env python3
"""Write the catalogue of definitions that ships with the package: ``generate_catalogue.py REPOSITORIES [DIRECTORY]``.

``scripts/catalogue_sources.tsv`` names the projects, each with its Go module and version, licence and the files with
its CustomResourceDefinitions. A project whose module has no such files, or is not served, is read from its git
repository at the tag of the version. ``REPOSITORIES`` is a directory of bare clones (``github.com/rook/rook.git``);
missing ones are cloned into it. The same input gives the same content.

The catalogue has no prose: descriptions, titles, examples and columns of tables are left out. So are the fields of a
status that only its own endpoint writes. These files are written:

* ``projects.tsv``: project, path, version, date, licence
* ``index.tsv``: group, kind, versions, project; sorted
* ``GROUP.json.z``: the definitions of a group, compressed. ``definitions`` maps kinds to definitions, ``schemas`` lists
  every different schema once. Where a schema holds another one, it has the position of that one in the list, which is
  always lower than its own.
"""

import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "scripts" / "catalogue_sources.tsv"
CATALOGUE = ROOT / "kubectl_applylint" / "schema" / "catalogue"
LICENCES = {
    "Apache-2.0": "Apache License",
    "BSD-3-Clause": "BSD 3-Clause License",
    "MIT": "MIT License",
}
# The words of a schema that are kept; all others are prose.
KEPT = {
    *("type", "format", "required", "enum", "pattern", "default", "nullable", "uniqueItems", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"),
    *("minItems", "maxItems", "minProperties", "maxProperties"),
    *("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string"),
    *("x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type", "x-kubernetes-validations"),
}


class Loader(yaml.CSafeLoader):
    """Reads texts that look like dates, and ``=``, as texts."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if not tag.endswith((":timestamp", ":value"))]
    for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


class Source(NamedTuple):
    """A project of the list."""

    project: str
    source: str
    path: str
    version: str
    licence: str
    files: str


class Files(NamedTuple):
    """The files of a project at its version, by path, and the date of the version."""

    texts: Mapping[str, str]
    date: str


def main(arguments: list[str]) -> int:
    """Write the catalogue."""
    repositories, target = Path(arguments[0]), Path(arguments[1]) if arguments[1:] else CATALOGUE
    _, *rows = SOURCES.read_text(encoding="utf-8").splitlines()
    projects, kinds = [], {}
    for source in (Source(*row.split("\t")) for row in rows):
        files = read(source, repositories)
        check_licence(source, files.texts)
        projects.append((source.project, source.path, source.version, files.date, source.licence))
        found = {(crd["spec"]["group"], crd["spec"]["names"]["kind"]): crd for crd in reversed(list(crds_of(files)))}
        print(f"{source.project} {source.version}: {len(found)} kinds", file=sys.stderr)
        slimmed = {key: (source.project, slim(crd)) for key, crd in found.items() if is_served(crd)}
        kinds = {**slimmed, **kinds}
    write(target, projects, kinds)
    return 0


def read(source: Source, repositories: Path) -> Files:
    """Return the files of a project."""
    wanted = [*source.files.split(" "), "LICENSE*"]
    return (module_files if source.source == "module" else repository_files)(source, wanted, repositories)


def module_files(source: Source, wanted: list[str], _: Path) -> Files:
    """Return the files of a Go module."""
    answer = json.loads(output("go", "mod", "download", "-json", f"{source.path}@{source.version}"))
    folder = Path(answer["Dir"])
    paths = sorted({path for pattern in wanted for path in folder.glob(pattern) if path.is_file()})
    date = json.loads(Path(answer["Info"]).read_text(encoding="utf-8"))["Time"][:10]
    names = [str(path.relative_to(folder)) for path in paths]
    return in_order(wanted, {name: (folder / name).read_text(encoding="utf-8") for name in names}, date)


def repository_files(source: Source, wanted: list[str], repositories: Path) -> Files:
    """Return the files of a git repository at a tag, or at the commit that a pseudo-version ends with."""
    clone = repositories / f"{source.path}.git"
    if not clone.exists():
        output("git", "clone", "--bare", "--filter=blob:none", f"https://{source.path}", str(clone))
    commit = source.version.rpartition("-")[2] if source.version.startswith("v0.0.0-") else source.version
    git = ("git", "-C", str(clone))
    names = output(*git, "ls-tree", "-r", "--name-only", commit).splitlines()
    matching = [name for name in names if any(matches(name, pattern) for pattern in wanted)]
    texts = {name: output(*git, "show", f"{commit}:{name}") for name in matching}
    return in_order(wanted, texts, output(*git, "log", "-1", "--format=%cs", f"{commit}^{{commit}}").strip())


def matches(name: str, pattern: str) -> bool:
    """Return whether a path matches a pattern; ``*`` matches no slash."""
    steps, wanted = name.split("/"), pattern.split("/")
    return len(steps) == len(wanted) and all(map(fnmatchcase, steps, wanted))


def in_order(wanted: Iterable[str], texts: Mapping[str, str], date: str) -> Files:
    """Return files in the order of the patterns: the first definition of a kind is the one that is kept."""
    ordered = {name: texts[name] for pattern in wanted for name in texts if matches(name, pattern)}
    return Files(ordered, date)


def output(*command: str) -> str:
    """Return what a program prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=600, cwd="/").stdout


def check_licence(source: Source, texts: Mapping[str, str]) -> None:
    """Raise ``ValueError`` if the files of a project do not have its licence."""
    found = [text for name, text in texts.items() if name.startswith("LICENSE")]
    if not any(LICENCES[source.licence].lower() in text[:3000].lower() for text in found):
        raise ValueError(f"{source.project}: {source.licence} is not the licence of {source.path}@{source.version}")


def crds_of(files: Files) -> Iterator[Any]:
    """Yield the definitions in the files, without patches and lines with template actions, which only set labels."""
    for name, text in files.texts.items():
        if name.startswith("LICENSE") or "CustomResourceDefinition" not in text:
            continue
        plain = "\n".join(line for line in text.splitlines() if "{{" not in line)
        for document in yaml.load_all(plain, Loader=Loader):
            is_v1 = isinstance(document, dict) and document.get("apiVersion") == "apiextensions.k8s.io/v1"
            if is_v1 and "group" in document["spec"]:
                yield document


def is_served(crd: Any) -> bool:
    """Return whether a version of a definition is served."""
    return any(version["served"] for version in crd["spec"]["versions"])


def slim(crd: Any) -> Any:
    """Return a definition with its structure alone."""
    spec = crd["spec"]
    conversion = spec.get("conversion", {}).get("strategy", "None")
    return {
        "group": spec["group"],
        "names": spec["names"],
        "scope": spec["scope"],
        **({"conversion": {"strategy": conversion}} if conversion != "None" else {}),
        "versions": [slim_version(one) for one in spec["versions"] if one["served"] or one["storage"]],
    }


def slim_version(version: Any) -> Any:
    """Return a version of a definition with its structure alone."""
    kept = {key: version[key] for key in ("name", "served", "storage", "deprecated", "subresources") if key in version}
    schema = slim_schema(version.get("schema", {}).get("openAPIV3Schema", {"type": "object"}))
    status = schema.get("properties", {}).get("status", {})
    if "status" in version.get("subresources", {}) and "default" not in status and status:
        free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        schema = {**schema, "properties": {**schema["properties"], "status": free}}
    return {**kept, "schema": schema}


def slim_schema(schema: Any) -> Any:
    """Return a schema without prose."""
    kept = {key: value for key, value in schema.items() if key in KEPT and value is not None}
    if "x-kubernetes-validations" in kept:
        kept["x-kubernetes-validations"] = [dict(rule) for rule in kept["x-kubernetes-validations"]]
    return {**kept, **{name: each(schema[name]) for name, each in INNER.items() if schema.get(name) is not None}}


def slim_all(schemas: Any) -> Any:
    """Return several schemas without prose."""
    if isinstance(schemas, list):
        return [slim_schema(schema) for schema in schemas]
    return {name: slim_schema(schema) for name, schema in schemas.items()}


def slim_values(schema: Any) -> Any:
    """Return the schema of the values of a map without prose; it may be a boolean."""
    return schema if isinstance(schema, bool) else slim_schema(schema)


INNER: Mapping[str, Callable[[Any], Any]] = {
    "properties": slim_all,
    "items": slim_schema,
    "additionalProperties": slim_values,
    "allOf": slim_all,
    "anyOf": slim_all,
    "oneOf": slim_all,
    "not": slim_schema,
}


class Schemas:
    """Every different schema once, in the order in which they are packed."""

    def __init__(self) -> None:
        self.every: list[Any] = []
        self._places: dict[str, int] = {}

    def add(self, schema: Any) -> int:
        """Return the position of a schema in the list."""
        packed = dict(schema)
        if "properties" in packed:
            packed["properties"] = {name: self.add(each) for name, each in sorted(packed["properties"].items())}
        for name in ("items", "additionalProperties"):
            if isinstance(packed.get(name), dict):
                packed[name] = self.add(packed[name])
        key = compact(packed)
        if key not in self._places:
            self._places[key] = len(self.every)
            self.every.append(packed)
        return self._places[key]


def compact(value: Any) -> str:
    """Return the JSON of a value without blanks, with sorted keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def write(target: Path, projects: list[tuple[str, ...]], kinds: Mapping[tuple[str, str], tuple[str, Any]]) -> None:
    """Write the files of the catalogue."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    rows = [
        (group, kind, ",".join(each["name"] for each in crd["versions"] if each["served"]), project)
        for (group, kind), (project, crd) in sorted(kinds.items())
    ]
    write_rows(target / "projects.tsv", projects)
    write_rows(target / "index.tsv", rows)
    for group in sorted({group for group, _ in kinds}):
        schemas = Schemas()
        definitions = {
            kind: {**crd, "versions": [{**each, "schema": schemas.add(each["schema"])} for each in crd["versions"]]}
            for (own, kind), (_, crd) in sorted(kinds.items())
            if own == group
        }
        text = compact({"definitions": definitions, "schemas": schemas.every})
        (target / f"{group}.json.z").write_bytes(zlib.compress(text.encode(), 9))


def write_rows(path: Path, rows: Iterable[tuple[str, ...]]) -> None:
    """Write lines of tab-separated cells."""
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
