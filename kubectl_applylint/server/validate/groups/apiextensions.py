"""CustomResourceDefinition.

Mirrors ``pkg/apis/apiextensions/validation`` of the apiextensions server. It validates definitions in its internal
form, in which the spec contains what all versions have in common: so do the paths in its messages.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from kubectl_applylint.core.values import mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.definitions.costs import cost_faults
from kubectl_applylint.server.validate.definitions.defaults import default_faults
from kubectl_applylint.server.validate.definitions.openapi import openapi_faults, root_faults
from kubectl_applylint.server.validate.definitions.parts import parts_of
from kubectl_applylint.server.validate.definitions.paths import selectable_faults
from kubectl_applylint.server.validate.definitions.structure import structural_faults
from kubectl_applylint.server.validate.groups.webhook_clients import webhook_service, webhook_url

_REVIEW_VERSIONS: Final = ("v1", "v1beta1")
_COLUMN_TYPES: Final = ("boolean", "date", "integer", "number", "string")
_COLUMN_FORMATS: Final = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")
_APPROVAL: Final = "api-approved.kubernetes.io"
_ENHANCEMENT: Final = "see https://github.com/kubernetes/enhancements/pull/1111"


def _full_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require the plural of the kind and the group as the name of the definition; ``fld`` is the definition."""
    plural, group = fld.get("spec", "names", "plural"), fld.get("spec", "group")
    if not (v.is_known(plural) and v.is_known(group)):
        return ()
    name, wanted = fld.text("metadata", "name"), f"{fld.text('spec', 'names', 'plural')}.{fld.text('spec', 'group')}"
    words = 'must be spec.names.plural+"."+spec.group'
    return () if name == wanted else (fld.at("metadata", "name").invalid(words),)


def _group(fld: v.FieldContext) -> v.FieldErrors:
    short = [] if "." in fld.text() else ["should be a domain with at least one dot"]
    return [fld.invalid(fault) for fault in v.join_faults(v.dns_subdomain(fld.text())) or short] if fld.text() else ()


_LABEL: Final = v.well_formed(v.as_one(v.dns_1035_label))
_LABEL_EVEN_EMPTY: Final = v.or_empty(v.well_formed(v.as_one(v.dns_1035_label), even_empty=True))


def _is_established(fld: v.FieldContext) -> bool:
    conditions = fld.root.before().at("status", "conditions").items()
    return any(each.text("type") == "Established" and each.text("status") == "True" for each in conditions)


_NAMES: Final[v.Table] = {
    "plural": [v.required(), _LABEL, v.unchangeable],
    "singular": [v.required(), _LABEL],
    "kind": [v.required(), v.well_formed(v.kind_name), v.when(_is_established, v.unchangeable)],
    "listKind": [
        v.required(),
        v.well_formed(v.kind_name),
        v.must(lambda fld: fld.empty or fld.parent.text("kind") != fld.text(), "kind and listKind may not be the same"),
    ],
    "shortNames[*]": [_LABEL_EVEN_EMPTY],
    "categories[*]": [_LABEL_EVEN_EMPTY],
}


@v.always
def _versions(fld: v.FieldContext) -> v.FieldErrors:
    """Require distinct names of versions, and one version for storage."""
    names = [version.text("name") for version in fld.items()]
    if len(names) > len(set(names)):
        yield fld.invalid("must contain unique version names")
    if sum(version.flag("storage") for version in fld.items()) != 1:
        yield fld.invalid("must have exactly one version marked as storage version")


def _first_version(spec: v.FieldContext) -> v.FieldErrors:
    """Check the first version, which the server treats as that of the spec as well."""
    name = next((version.text("name") for version in spec.child("versions").items()), "")
    return _LABEL(spec.child("version").with_value(name))


def _deprecation(fld: v.FieldContext) -> v.FieldErrors:
    """Allow a deprecation warning only in a deprecated version, and require a short printable text."""
    if not fld.parent.flag("deprecated"):
        return (fld.invalid("can only be set for deprecated versions"),)
    faults = ["must be <= 256 characters long"] if len(fld.text().encode()) > 256 else []
    faults += [] if fld.text() else ["must not be an empty string"]
    return [fld.invalid(fault) for fault in [*faults, *_unprintable_characters(fld.text())]]


def _unprintable_characters(text: str) -> Iterator[str]:
    """Yield an error about the first character that Go does not count as printable, with its position in bytes."""
    position = next((index for index, letter in enumerate(text) if not letter.isprintable()), None)
    if position is not None:
        index = len(text[:position].encode())
        yield f"must only contain printable UTF-8 characters; non-printable character found at index {index}"


def _common(spec: v.FieldContext, name: str) -> bool:
    """Return whether all versions have the same value in a field, so that the server moves it to the spec."""
    contents = [version.get(name) for version in spec.child("versions").items()]
    return all(v.same(content, contents[0]) for content in contents)


def _places(spec: v.FieldContext, name: str, common_name: str) -> Iterator[v.FieldContext]:
    """Yield a field of the versions at the places where the server checks it."""
    versions = list(spec.child("versions").items())
    if versions and _common(spec, name):
        yield spec.child(common_name).with_value(versions[0].get(name))
    else:
        yield from (version.child(name) for version in versions)


def _schemas(spec: v.FieldContext) -> Iterator[v.FieldContext]:
    for place in _places(spec, "schema", "validation"):
        yield place.child("openAPIV3Schema")


def _stored_schemas_are_good(spec: v.FieldContext) -> bool:
    """Return whether the stored schemas are valid; with invalid ones the server is less strict."""
    return not any(
        fault for schema in _schemas(spec.before()) for fault in openapi_faults(schema, parts_of(schema.value))
    )


def _has_schema(version: v.FieldContext) -> bool:
    return version.sets("schema", "openAPIV3Schema")


def _are_stored_schemas_structural(spec: v.FieldContext) -> bool:
    """Return whether the stored schemas are structural. Old definitions may have others, which then may change."""
    schemas = (schema for schema in _schemas(spec.before()) if schema.there)
    return not any(fault for schema in schemas for fault in structural_faults(schema, parts_of(schema.value)))


def _schema(fld: v.FieldContext) -> v.FieldErrors:
    """Require a usable schema in every version; ``fld`` is the spec."""
    has_schemas = fld.creating or all(map(_has_schema, fld.before().child("versions").items()))
    for number, version in enumerate(fld.child("versions").items()):
        if has_schemas and not _has_schema(version):
            yield fld.at("versions").with_step(f".versions[{number}]").at("schema", "openAPIV3Schema").required()
    is_strict = cache(lambda: fld.creating or _stored_schemas_are_good(fld))
    is_structural = cache(lambda: fld.creating or _are_stored_schemas_structural(fld))
    stored = [] if fld.creating else [schema.value for schema in _schemas(fld.before())]
    has_status = any(version.sets("subresources", "status") for version in fld.child("versions").items())
    for schema in _schemas(fld):
        if schema.there:
            faults, parts = [*root_faults(schema, has_status=has_status)], parts_of(schema.value)
            if is_structural():
                faults += list(structural_faults(schema, parts)) or default_faults(schema, parts)
            unchanged = any(v.same(schema.value, each) for each in stored)
            # An unchanged stored schema has no faults if the server is strict, and they do not count otherwise.
            faults += openapi_faults(schema, parts) if not unchanged and is_strict() else ()
            yield from faults
            # The cost of rules is not checked in an unchanged schema.
            yield from () if faults or unchanged else cost_faults(schema, parts)


def _subresources(fld: v.FieldContext) -> v.FieldErrors:
    """Require simple paths for the numbers of replicas; ``fld`` is the spec."""
    for place in _places(fld, "subresources", "subresources"):
        scale = place.child("scale")
        if scale.there:
            yield from _replica_path(scale, "specReplicasPath", ".spec.", "under .spec")
            yield from _replica_path(scale, "statusReplicasPath", ".status.", "under .status")
            yield from _selector_path(scale)


def _replica_path(scale: v.FieldContext, name: str, start: str, where: str) -> v.FieldErrors:
    place = scale.child(name)
    if not place.text():
        return (place.required(),)
    faults = _path_faults(place.text()) or (
        [] if place.text().startswith(start) else [f"should be a json path {where}"]
    )
    return [place.invalid(fault) for fault in faults]


def _selector_path(scale: v.FieldContext) -> v.FieldErrors:
    place = scale.child("labelSelectorPath")
    path = place.text()
    if not path:
        return ()
    good = path.startswith((".spec.", ".status."))
    faults = _path_faults(path) or ([] if good else ["should be a json path under either .spec or .status"])
    return [place.invalid(fault) for fault in faults]


def _path_faults(path: str) -> list[str]:
    return [] if path.startswith(".") else ["must be a simple json path starting with ."]


def _columns(fld: v.FieldContext) -> v.FieldErrors:
    """Require typed printer columns; ``fld`` is the spec."""
    for place in _places(fld, "additionalPrinterColumns", "additionalPrinterColumns"):
        for column in place.items():
            yield from _column(column)


def _column(fld: v.FieldContext) -> v.FieldErrors:
    kind, form, path = fld.child("type"), fld.child("format"), fld.child("jsonPath").with_step(".JSONPath")
    if not fld.text("name"):
        yield fld.child("name").required()
    words = f"must be one of {','.join(_COLUMN_TYPES)}"
    if not kind.text():
        yield kind.required(words)
    elif kind.text() not in _COLUMN_TYPES:
        yield kind.invalid(words)
    if form.text() and form.text() not in _COLUMN_FORMATS:
        yield form.invalid(f"must be one of {','.join(_COLUMN_FORMATS)}")
    if not path.text():
        yield path.required()
    yield from (path.invalid(fault) for fault in (_path_faults(path.text()) if path.text() else ()))


def _selectable(fld: v.FieldContext) -> v.FieldErrors:
    """Require selectable fields that the schema declares; ``fld`` is the spec."""
    versions = fld.child("versions").items()
    for place in _places(fld, "selectableFields", "selectableFields"):
        common = place.up is fld
        schema = mapping((versions[0] if common else place.up or fld).get("schema", "openAPIV3Schema"))
        if place.empty:
            continue
        if common and (not schema or not _common(fld, "schema")):
            yield place.invalid("may only be set when validations.schema is included", "")
        elif not schema:
            yield place.invalid("may only be set when `version.schema.openAPIV3Schema` is not included", "")
        else:
            versions_before = fld.before().child("versions").items()
            is_stored = any(v.same(place.value, version.get("selectableFields")) for version in versions_before)
            yield from selectable_faults(place, schema, is_stored=is_stored)


def _conversion(fld: v.FieldContext) -> v.FieldErrors:
    """Require no conversion, or a webhook with a client configuration."""
    client = fld.child("webhookClientConfig").with_value(fld.get("webhook", "clientConfig"))
    versions = fld.child("conversionReviewVersions").with_value(fld.get("webhook", "conversionReviewVersions"))
    if fld.text("strategy") == "Webhook":
        yield from _client(client)
        yield from _review_versions(versions)
        return
    words = "should not be set when strategy is not set to Webhook"
    yield from (place.forbidden(words) for place in (client, versions) if not place.empty)


def _client(fld: v.FieldContext) -> v.FieldErrors:
    if not fld.there:
        return (fld.required("required when strategy is set to Webhook"),)
    url, service = fld.child("url"), fld.child("service")
    if url.there == service.there:
        return (fld.required("exactly one of url or service is required"),)
    return webhook_url(url) if url.there else webhook_service(service)


def _review_versions(fld: v.FieldContext) -> v.FieldErrors:
    names = [item.text() for item in fld.items()]
    for number, item in enumerate(fld.items()):
        faults = ["duplicate version"] if item.text() in names[:number] else v.dns_1035_label(item.text())
        yield from (item.invalid(fault) for fault in faults)
    stored = fld.root.before().at("spec", "conversion", "webhook", "conversionReviewVersions")
    tolerant = not stored.empty and not any(item.text() in _REVIEW_VERSIONS for item in stored.items())
    if not names:
        yield fld.required()
    elif not tolerant and not any(name in _REVIEW_VERSIONS for name in names):
        yield fld.invalid(f"must include at least one of {', '.join(_REVIEW_VERSIONS)}")


_STILL_STORED: Final = (
    "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until a "
    "storage migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
)


def _stored_versions(fld: v.FieldContext) -> v.FieldErrors:
    """Require that all stored versions remain, with the storage version among them."""
    stored = fld.at("status", "storedVersions")
    if stored.empty:
        yield stored.with_value(None).invalid("must have at least one stored version")
        return
    waiting = {item.text(): item for item in stored.items()}
    versions = fld.at("spec", "versions").items()
    if not all(v.is_known(version.get("storage")) for version in versions):
        return
    for version in versions:
        name = version.text("name")
        if waiting.pop(name, None) is None and version.flag("storage"):
            yield stored.invalid(f"must have the storage version {name}")
    yield from (item.invalid(_STILL_STORED.format(name=name)) for name, item in waiting.items())


def _approval(fld: v.FieldContext) -> v.FieldErrors:
    """Require an approval annotation on definitions in Kubernetes' own groups; ``fld`` is the definition."""
    group = fld.text("spec", "group")
    if not re.fullmatch(r"(.*\.)?(k8s|kubernetes)\.io", group):
        return ()
    place = fld.child("metadata").child("annotations").entry(_APPROVAL)
    said = place.text()
    good = said.startswith("unapproved") or re.match("[a-zA-Z][-+.a-zA-Z0-9]*://[^/]", said) is not None
    stored = fld.before().text("metadata", "annotations", _APPROVAL)
    if good or (not fld.creating and bool(said) == bool(stored)):
        return ()
    words = f'protected groups must have approval annotation "{_APPROVAL}"'
    if not said:
        return (place.required(f"{words}, {_ENHANCEMENT}"),)
    return (place.invalid(f'{words} with either a URL or a reason starting with "unapproved", {_ENHANCEMENT}'),)


def _pruning(fld: v.FieldContext) -> v.FieldErrors:
    tolerated = fld.root.before().flag("spec", "preserveUnknownFields")
    words = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
    return (fld.invalid(words),) if fld.value is True and not tolerated else ()


_DEFINITION: Final[v.Table] = {
    "": [v.on_create(_full_name), _stored_versions, _approval],
    "spec": [v.struct, _first_version, _schema, _subresources, _columns, _selectable],
    "spec.group": [v.required(), _group, v.unchangeable],
    "spec.scope": [v.required_and_one_of("Cluster", "Namespaced"), v.when(_is_established, v.unchangeable)],
    "spec.versions": [_versions],
    "spec.versions[*].name": [_LABEL_EVEN_EMPTY],
    "spec.versions[*].deprecationWarning": [_deprecation],
    "spec.names": [v.struct, _NAMES],
    "spec.conversion": [_conversion],
    "spec.conversion.strategy": [v.required_and_one_of("None", "Webhook")],
    "spec.preserveUnknownFields": [_pruning],
}

KINDS: Final[v.Group] = {
    ("apiextensions.k8s.io", "CustomResourceDefinition"): v.Rules(_DEFINITION, standard_finalizers=False)
}
