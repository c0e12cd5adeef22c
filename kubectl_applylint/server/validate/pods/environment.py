"""Environment variables: their names and where their values come from.

Mirrors ``ValidateEnv`` and ``ValidateEnvFrom``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.amounts import amount
from kubectl_applylint.server.validate.constraints import required, well_formed
from kubectl_applylint.server.validate.field_context import FieldContext, Table
from kubectl_applylint.server.validate.formats import (
    config_key,
    dns_label,
    dns_subdomain,
    env_name,
    old_env_name,
    path_without_backsteps,
    qualified_name,
    without_dashes_at_the_end,
)

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
"""The fields that a pod can name at all; ``spec.host`` is an old word for ``spec.nodeName``."""
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


def _variable_name(fld: FieldContext) -> Iterable[FieldError]:
    """The name is well formed; up to 1.31 one outside of the old form may stay where the pod had it."""
    name = fld.text()
    if not name:
        return ()
    if fld.occasion.minor > _STRICT_NAMES_UNTIL or _is_in_use(fld, name):
        return [fld.invalid(fault) for fault in env_name(name)]
    return [fld.invalid(fault) for fault in old_env_name(name)]


def _is_in_use(fld: FieldContext, name: str) -> bool:
    old = fld.nearest(".spec").before()
    lists = (old.child(kind).items() for kind in ("containers", "initContainers", "ephemeralContainers"))
    containers = [container for each in lists for container in each]
    variables = {item.text("name") for each in containers for item in each.child("env").items()}
    prefixes = {item.text("prefix") for each in containers for item in each.child("envFrom").items()}
    return name in variables | prefixes


def _one_source(fld: FieldContext) -> Iterator[FieldError]:
    """A value comes from one place; ``fld`` is a variable."""
    source = fld.child("valueFrom")
    if not source.there:
        return
    given = sum(source.sets(name) for name in (*_SOURCES, "fileKeyRef"))
    if given == 0:
        yield source.invalid(f"must specify one of: {_names_of_sources(fld)}", "")
    elif fld.text("value"):
        yield source.invalid("may not be specified when `value` is not empty", "")
    elif given > 1:
        yield source.invalid("may not have more than one field specified at a time", "")


def _names_of_sources(fld: FieldContext) -> str:
    names = (*_SOURCES, "fileKeyRef") if fld.occasion.minor >= _FILES_SINCE else _SOURCES
    return ", ".join(f"`{name}`" for name in names[:-1]) + f" or `{names[-1]}`"


def pod_field(fld: FieldContext, fields: Iterable[str]) -> Iterator[FieldError]:
    """The field of the pod that is asked for is one that can be had; ``fld`` is the ``fieldRef``."""
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
        yield fld.child("fieldPath").unsupported(tuple(fields))


def _entry_of_field(fld: FieldContext, path: str) -> Iterator[FieldError]:
    field, _, key = path.removesuffix("']").partition("['")
    if field == "metadata.annotations":
        yield from (fld.invalid(fault, key) for fault in qualified_name(key.lower()))
    elif field == "metadata.labels":
        yield from (fld.invalid(fault, key) for fault in qualified_name(key))
    else:
        said = f"error converting fieldPath: field label does not support subscript: {path}"
        yield fld.child("fieldPath").invalid(said)


def _field_for_env(fld: FieldContext) -> Iterator[FieldError]:
    yield from pod_field(fld, FIELDS_FOR_ENV)


def container_resource(fld: FieldContext) -> Iterator[FieldError]:
    """The amount of a container's resource that is asked for is one that can be had."""
    name = fld.text("resource")
    resource = fld.child("resource")
    if not name:
        yield resource.required()
    elif name not in _RESOURCES and not name.startswith(("limits.hugepages-", "requests.hugepages-")):
        yield resource.unsupported(_RESOURCES)
    yield from _divisor(fld, name)


def _divisor(fld: FieldContext, name: str) -> Iterator[FieldError]:
    divisor, side, what = fld.child("divisor"), *name.partition(".")[::2]
    kind = "hugepages" if what.startswith("hugepages-") else what
    if amount(divisor.value) == 0 or side not in ("limits", "requests") or kind not in _DIVISORS:
        return
    allowed, words = _DIVISORS[kind]
    if str(divisor.value) not in allowed:
        yield divisor.invalid(words, name)


def _one_map(fld: FieldContext) -> Iterator[FieldError]:
    """A set of variables comes from one map; what is wrong is said of the whole list, as the server does."""
    for item in fld.items():
        given = sum(item.sets(name) for name in ("configMapRef", "secretRef"))
        if given == 0:
            yield fld.invalid("must specify one of: `configMapRef` or `secretRef`", "")
        elif given > 1:
            yield fld.invalid("may not have more than one field specified at a time", "")


_NAMED: Final = [required(), well_formed(without_dashes_at_the_end(dns_subdomain))]


def _name_of_object(fld: FieldContext) -> Iterator[FieldError]:
    """The name of a ConfigMap or Secret is well formed, and so there."""
    name = fld.child("name")
    yield from (name.invalid(fault, name.text()) for fault in dns_subdomain(name.text()))


_KEY: Final[Table] = {"": [_name_of_object], "key": [required(), well_formed(config_key)]}

ENV: Final[Table] = {
    "[*]": [_one_source],
    "[*].name": [required(), _variable_name],
    "[*].valueFrom": {
        "fieldRef": [_field_for_env],
        "resourceFieldRef": [container_resource],
        "configMapKeyRef": _KEY,
        "secretKeyRef": _KEY,
        "fileKeyRef.key": [required(), well_formed(env_name)],
        "fileKeyRef.volumeName": [required(), well_formed(dns_label)],
        "fileKeyRef.path": [required(), well_formed(path_without_backsteps)],
    },
}
"""The constraints of ``env``."""

ENV_FROM: Final[Table] = {
    "": [_one_map],
    "[*].prefix": [_variable_name],
    "[*].configMapRef.name": _NAMED,
    "[*].secretRef.name": _NAMED,
}
"""The constraints of ``envFrom``."""
