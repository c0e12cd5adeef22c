"""Environment variables: their names and the sources of their values.

Mirrors ``ValidateEnv`` and ``ValidateEnvFrom``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.server.validate import dsl as v

FIELDS_FOR_ENV: Final = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
FIELDS_FOR_FILES: Final = (
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
)
_KNOWN_FIELDS: Final = {
    *FIELDS_FOR_ENV,
    *FIELDS_FOR_FILES,
    "spec.restartPolicy",
    "spec.schedulerName",
    "status.phase",
    "spec.host",
}
"""The fields that a pod can name at all; ``spec.host`` is an old name of ``spec.nodeName``."""
_RESOURCES: Final = tuple(
    f"{side}.{name}" for side in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory")
)
_UNITS: Final = ("1", *(f"1{unit}" for unit in ("k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")))
_UNIT_WORDS: Final = f"only divisor's values {', '.join(_UNITS)} are supported with the"
_DIVISORS: Final = {
    "cpu": (("1m", "1"), "only divisor's values 1m and 1 are supported with the cpu resource"),
    "memory": (_UNITS, f"{_UNIT_WORDS} memory resource"),
    "ephemeral-storage": (_UNITS, f"{_UNIT_WORDS} local ephemeral storage resource"),
    "hugepages": (_UNITS, f"{_UNIT_WORDS} hugepages resource"),
}
_SOURCES: Final = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef")
_STRICT_NAMES_UNTIL: Final = 31
_FILES_SINCE: Final = 35


def _variable_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require a well-formed name; up to 1.31 a stored name in the relaxed form is valid."""
    name = fld.text()
    if not name:
        return ()
    if fld.occasion.minor > _STRICT_NAMES_UNTIL or _is_in_use(fld, name):
        return [fld.invalid(fault) for fault in v.env_name(name)]
    return [fld.invalid(fault) for fault in v.old_env_name(name)]


def _is_in_use(fld: v.FieldContext, name: str) -> bool:
    old = fld.nearest(".spec").before()
    lists = (old.child(kind).items() for kind in ("containers", "initContainers", "ephemeralContainers"))
    containers = [container for each in lists for container in each]
    variables = {item.text("name") for each in containers for item in each.child("env").items()}
    prefixes = {item.text("prefix") for each in containers for item in each.child("envFrom").items()}
    return name in variables | prefixes


def _one_source(fld: v.FieldContext) -> v.FieldErrors:
    """Require one source of a value; ``fld`` is a variable."""
    source = fld.child("valueFrom")
    if not source.there:
        return
    given = sum(source.sets(name) for name in (*_SOURCES, "fileKeyRef"))
    if given == 0:
        yield source.invalid(f"must specify one of: {_source_names(fld)}", "")
    elif fld.text("value"):
        yield source.invalid("may not be specified when `value` is not empty", "")
    elif given > 1:
        yield source.invalid("may not have more than one field specified at a time", "")


def _source_names(fld: v.FieldContext) -> str:
    """Return the names of the possible sources of a value, for messages."""
    names = (*_SOURCES, "fileKeyRef") if fld.occasion.minor >= _FILES_SINCE else _SOURCES
    return ", ".join(f"`{name}`" for name in names[:-1]) + f" or `{names[-1]}`"


def pod_field(fld: v.FieldContext, fields: Iterable[str]) -> v.FieldErrors:
    """Require a field of the pod that is available here; ``fld`` is the ``fieldRef``."""
    version, path = fld.text("apiVersion"), fld.text("fieldPath")
    if not version:
        yield fld.child("apiVersion").required()
    elif not path:
        yield fld.child("fieldPath").required()
    elif version != "v1":
        yield fld.child("fieldPath").invalid(f"error converting fieldPath: unsupported pod version: {version}")
    elif path.endswith("']") and "['" in path:
        yield from _entry_of_field(fld, path)
    elif path not in _KNOWN_FIELDS:
        yield fld.child("fieldPath").invalid(f"error converting fieldPath: field label not supported: {path}")
    elif ("spec.nodeName" if path == "spec.host" else path) not in fields:
        yield fld.child("fieldPath").not_supported(tuple(fields))


def _entry_of_field(fld: v.FieldContext, path: str) -> v.FieldErrors:
    field, _, key = path.removesuffix("']").partition("['")
    if field == "metadata.annotations":
        yield from (fld.invalid(fault, key) for fault in v.qualified_name(key.lower()))
    elif field == "metadata.labels":
        yield from (fld.invalid(fault, key) for fault in v.qualified_name(key))
    else:
        said = f"error converting fieldPath: field label does not support subscript: {path}"
        yield fld.child("fieldPath").invalid(said)


def _field_for_env(fld: v.FieldContext) -> v.FieldErrors:
    yield from pod_field(fld, FIELDS_FOR_ENV)


def container_resource(fld: v.FieldContext) -> v.FieldErrors:
    """Require a resource of a container that is available here."""
    name = fld.text("resource")
    resource = fld.child("resource")
    if not name:
        yield resource.required()
    elif name not in _RESOURCES and not name.startswith(("limits.hugepages-", "requests.hugepages-")):
        yield resource.not_supported(_RESOURCES)
    yield from _divisor(fld, name)


def _divisor(fld: v.FieldContext, name: str) -> v.FieldErrors:
    divisor, side, what = fld.child("divisor"), *name.partition(".")[::2]
    kind = "hugepages" if what.startswith("hugepages-") else what
    if v.amount(divisor.value) == 0 or side not in ("limits", "requests") or kind not in _DIVISORS:
        return
    allowed, words = _DIVISORS[kind]
    if str(divisor.value) not in allowed:
        yield divisor.invalid(words, name)


def _one_map(fld: v.FieldContext) -> v.FieldErrors:
    """Require one source of a set of variables; errors have the path of the whole list, as the server's do."""
    for item in fld.items():
        given = sum(item.sets(name) for name in ("configMapRef", "secretRef"))
        if given == 0:
            yield fld.invalid("must specify one of: `configMapRef` or `secretRef`", "")
        elif given > 1:
            yield fld.invalid("may not have more than one field specified at a time", "")


_NAMED: Final = [v.required(), v.well_formed(v.without_dashes_at_the_end(v.dns_subdomain))]


def _name_of_object(fld: v.FieldContext) -> v.FieldErrors:
    """Require a well-formed name of a ConfigMap or Secret; an empty one is not well formed."""
    name = fld.child("name")
    yield from (name.invalid(fault, name.text()) for fault in v.dns_subdomain(name.text()))


_KEY: Final[v.Table] = {"": [_name_of_object], "key": [v.required(), v.well_formed(v.config_key)]}

ENV: Final[v.Table] = {
    "[*]": [_one_source],
    "[*].name": [v.required(), _variable_name],
    "[*].valueFrom": {
        "fieldRef": [_field_for_env],
        "resourceFieldRef": [container_resource],
        "configMapKeyRef": _KEY,
        "secretKeyRef": _KEY,
        "fileKeyRef.key": [v.required(), v.well_formed(v.env_name)],
        "fileKeyRef.volumeName": [v.required(), v.well_formed(v.dns_label)],
        "fileKeyRef.path": [v.required(), v.well_formed(v.path_without_backsteps)],
    },
}
"""The constraints of ``env``."""

ENV_FROM: Final[v.Table] = {
    "": [_one_map],
    "[*].prefix": [_variable_name],
    "[*].configMapRef.name": _NAMED,
    "[*].secretRef.name": _NAMED,
}
"""The constraints of ``envFrom``."""
