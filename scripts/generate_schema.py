#!/usr/bin/env python3
"""Write the tables of built-in kinds that ship with the package: ``generate_schema.py [DIRECTORY]``.

Read are the OpenAPI documents inside the package ``kubernetes-validate`` (they say what servers publish as OpenAPI v2)
and the facts in ``scripts/schema_facts``. Nothing is fetched, and the same input gives the same bytes.

Two tables come out, of tab-separated lines sorted by key. A line holds for the minors ``first`` to ``last`` (empty: to
the newest), so that what did not change between versions is stored once:

* ``kinds.tsv``: apiVersion and kind (the key), first, last, resource, scope, subresources, definition
* ``definitions.tsv``: name (the key), first, last, map type, required fields, fields as JSON: name to type, or to an
  object with the type and what else is known. A type is a word (``string``, ``int32``, ``quantity`` …), the name of a
  definition (``.Name`` within the same package) or ``any=NAME``/``raw=NAME``, after any number of ``[]`` (list of) and
  ``{}`` (map of). After the type stand ``pointer``, ``omitempty`` and ``omitzero`` where the server's Go type says so.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

MINORS = range(29, 38)
ROOT = Path(__file__).parent.parent
FACTS = ROOT / "scripts" / "schema_facts"
TABLES = ROOT / "kubectl_applylint" / "schema" / "tables"
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
EXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."

# Definitions that are no structs for a reader of JSON, and the word that stands for them.
WORDS = {
    META + "Time": "date-time",
    META + "MicroTime": "micro-time",
    META + "Duration": "duration",
    META + "FieldsV1": f"raw={META}FieldsV1",
    "io.k8s.apimachinery.pkg.api.resource.Quantity": "quantity",
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "int-or-string",
    "io.k8s.apimachinery.pkg.runtime.RawExtension": "raw=io.k8s.apimachinery.pkg.runtime.RawExtension",
    EXTENSIONS + "JSON": f"raw={EXTENSIONS}JSON",
    EXTENSIONS + "JSONSchemaPropsOrArray": f"any={EXTENSIONS}JSONSchemaPropsOrArray",
    EXTENSIONS + "JSONSchemaPropsOrBool": f"any={EXTENSIONS}JSONSchemaPropsOrBool",
    EXTENSIONS + "JSONSchemaPropsOrStringArray": f"any={EXTENSIONS}JSONSchemaPropsOrStringArray",
}

PATCH_STRATEGY = "x-kubernetes-patch-strategy"
MERGE_KEY = "x-kubernetes-patch-merge-key"
# OpenAPI's names and ours for what else is known of a field.
MARKERS = {
    MERGE_KEY: "merge_key",
    "x-kubernetes-list-type": "list_type",
    "x-kubernetes-list-map-keys": "map_keys",
    "x-kubernetes-map-type": "map_type",
}
UNDERSTOOD = {
    *("$ref", "additionalProperties", "description", "enum", "format", "items", "type"),
    *(PATCH_STRATEGY, *MARKERS),
}

# The words that types have here, by the kind of Go type; what is not named is called alike. A struct's begins with a
# package, which no other word does.
GO_KINDS: Mapping[str, str | tuple[str, ...]] = {
    "FieldsV1": "raw=",
    "IntOrString": "int-or-string",
    "JSON": "raw=",
    "JSONSchemaPropsOrArray": "any=",
    "JSONSchemaPropsOrBool": "any=",
    "JSONSchemaPropsOrStringArray": "any=",
    "MicroTime": "micro-time",
    "Quantity": "quantity",
    "RawExtension": "raw=",
    "Time": "date-time",
    "Duration": "duration",
    "bool": "boolean",
    "bytes": "byte",
    "float64": "double",
    "map": "{}",
    "slice": "[]",
    "struct": (".", "io.k8s."),
}
# What OpenAPI v3 publishes as default of a scalar that is always written.
ZEROS: Mapping[str, Any] = {"string": "", "int32": 0, "int64": 0, "double": 0, "boolean": False}

# Kinds that are only bodies of subresources.
BODIES = {("autoscaling", "Scale"), ("authentication.k8s.io", "TokenRequest"), ("policy", "Eviction")}

Json = Any
Definitions = Mapping[str, Json]
GoTypes = Mapping[str, Mapping[str, str]]
Row = tuple[str, ...]


class Resource(NamedTuple):
    """What a server's discovery says of a kind."""

    resource: str
    scope: str
    subresources: str


def main(arguments: list[str]) -> int:
    """Write both tables below the directory given, by default where they ship from."""
    target = Path(arguments[0]) if arguments else TABLES
    target.mkdir(parents=True, exist_ok=True)
    documents = {minor: read_definitions(minor) for minor in MINORS}
    resources = read_resources()
    kinds = {minor: list(kind_rows(document, resources)) for minor, document in documents.items()}
    structs = {minor: list(definition_rows(documents[minor], kinds[minor], read_go_types(minor))) for minor in MINORS}
    write(target / "kinds.tsv", spans(kinds), span_at=2)
    write(target / "definitions.tsv", spans(structs), span_at=1)
    return 0


def read_definitions(minor: int) -> Definitions:
    """Return the definitions of one Kubernetes minor by name."""
    folder = files("kubernetes_validate") / "kubernetes-json-schema" / f"v1.{minor}.0-local"
    definitions: Definitions = json.loads((folder / "_definitions.json").read_text())["$defs"]
    return definitions


def read_resources() -> Mapping[tuple[str, str], Resource]:
    """Return what discovery says by group and kind."""
    lines = (FACTS / "resources.tsv").read_text().splitlines()
    rows = [[*line.split("\t"), ""] for line in lines if not line.startswith("#")]
    return {(group, kind): Resource(resource, scope, subs) for group, kind, resource, scope, subs, *_ in rows}


def read_go_types(minor: int) -> GoTypes:
    """Return what the Go types of one minor say of their fields (``scripts/collect_go_types.py``)."""
    lines = (line.split("\t") for line in (FACTS / "go_types.tsv").read_text().splitlines())
    newest = MINORS[-1]
    return {
        name: json.loads(fields) for name, first, last, fields in lines if int(first) <= minor <= int(last or newest)
    }


def kind_rows(definitions: Definitions, resources: Mapping[tuple[str, str], Resource]) -> Iterator[Row]:
    """Yield a row for each kind that has a URL of its own."""
    for name, definition in definitions.items():
        gvks = definition.get("x-kubernetes-group-version-kind", [])
        metadata = definition.get("properties", {}).get("metadata", {}).get("$ref", "")
        if len(gvks) != 1 or not metadata.endswith(".ObjectMeta"):
            continue
        gvk = gvks[0]
        if (gvk["group"], gvk["kind"]) in BODIES:
            continue
        found = resources[gvk["group"], gvk["kind"]]
        subresources = [sub for sub in found.subresources.split(",") if sub != "status" or has_status(definition)]
        api_version = f"{gvk['group']}/{gvk['version']}".removeprefix("/")
        yield (api_version, gvk["kind"], found.resource, found.scope, ",".join(subresources), name)


def has_status(definition: Json) -> bool:
    """Return whether this version of a kind has a status; early versions of some had none."""
    return "status" in definition["properties"]


def definition_rows(definitions: Definitions, kinds: Iterable[Row], go_types: GoTypes) -> Iterator[Row]:
    """Yield a row for each struct that a kind reaches."""
    pending = [kind[-1] for kind in kinds]
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen or name in WORDS:
            continue
        seen.add(name)
        yield definition_row(name, definitions[name], go_types[name])
        pending.extend(references(definitions[name].get("properties", {})))


def references(value: Json) -> Iterator[str]:
    """Yield the names of the definitions that a schema names, at any depth."""
    if not isinstance(value, dict):
        return
    if isinstance(value.get("$ref"), str):
        yield target_of(value)
    for item in value.values():
        yield from references(item)


def target_of(schema: Json) -> str:
    """Return the name of the definition that a reference names."""
    return str(schema["$ref"]).removeprefix("#/$defs/")


def definition_row(name: str, definition: Json, go_fields: Mapping[str, str]) -> Row:
    """Return one struct: name, map type, required fields, fields as JSON."""
    properties = definition.get("properties", {})
    if set(properties) != set(go_fields):
        raise SystemExit(f"{name}: OpenAPI and Go disagree on {sorted(set(properties) ^ set(go_fields))}")
    fields = {key: field_entry(name, schema, go_fields[key]) for key, schema in properties.items()}
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    required = ",".join(sorted(definition.get("required", [])))
    return (name, definition.get("x-kubernetes-map-type", ""), required, text)


def field_entry(owner: str, schema: Json, go_field: str) -> Json:
    """Return what the table says of one field: its type alone, or an object where more is known."""
    unknown = set(schema) - UNDERSTOOD
    if unknown:
        raise SystemExit(f"{owner}: nobody has said what to do with {sorted(unknown)}")
    facts, _, default = go_field.partition(" default=")
    go_kind, *words = facts.split()
    type_word = type_of(owner, schema)
    check_agreement(owner, schema, words, type_word.startswith(GO_KINDS.get(go_kind, go_kind)))
    flags = [word for word in words if "=" not in word]
    entry = {"type": " ".join([type_word, *flags])}
    entry |= {MARKERS[name]: value for name, value in schema.items() if name in MARKERS}
    if PATCH_STRATEGY in schema:
        entry["patch_strategy"] = schema[PATCH_STRATEGY].split(",")
    if default:
        entry["default"] = json.loads(default)
    elif type_word in ZEROS and not flags:
        entry["default"] = ZEROS[type_word]
    return entry if len(entry) > 1 else entry["type"]


def check_agreement(owner: str, schema: Json, words: list[str], same_type: bool) -> None:
    """Stop where OpenAPI and the Go type tell different types or patch strategies: one of the inputs is stale."""
    strategy = {word for word in words if "=" in word}
    declared = {
        f"{word}={schema[name]}" for name, word in ((PATCH_STRATEGY, "strategy"), (MERGE_KEY, "key")) if name in schema
    }
    if strategy != declared or not same_type:
        raise SystemExit(f"{owner}: OpenAPI says {schema}, Go says {words}")


def type_of(owner: str, schema: Json) -> str:
    """Return the table's word for a type."""
    if "$ref" in schema:
        return reference(owner, target_of(schema))
    types = schema["type"]
    kind = types if isinstance(types, str) else next(name for name in types if name != "null")
    if kind == "array":
        return "[]" + type_of(owner, schema["items"])
    if kind == "object":
        return "{}" + type_of(owner, schema["additionalProperties"])
    return schema.get("format") or kind


def reference(owner: str, name: str) -> str:
    """Return the word for a definition, shortened where it is of the same package as its owner."""
    package = owner.rpartition(".")[0]
    return WORDS.get(name) or (name.removeprefix(package) if name.rpartition(".")[0] == package else name)


def spans(rows: Mapping[int, Iterable[Row]]) -> Mapping[Row, tuple[int, int]]:
    """Return each distinct row with the first and the last minor that has it; no row ever left and came back."""
    minors: dict[Row, list[int]] = {}
    for minor in rows:
        for row in rows[minor]:
            minors.setdefault(row, []).append(minor)
    for row, having in minors.items():
        if having != list(range(having[0], having[-1] + 1)):
            raise SystemExit(f"{row[0]}: the same in {having} but not between")
    return {row: (having[0], having[-1]) for row, having in minors.items()}


def write(path: Path, rows: Mapping[Row, tuple[int, int]], *, span_at: int) -> None:
    """Write sorted lines, with the span as two columns from ``span_at`` on."""
    newest = MINORS[-1]
    cells = (
        (*row[:span_at], str(first), "" if last == newest else str(last), *row[span_at:])
        for row, (first, last) in rows.items()
    )
    path.write_text("".join("\t".join(line) + "\n" for line in sorted(cells)))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
