"""Files of a volume from Secrets, ConfigMaps, the pod itself, tokens and certificates.

Mirrors ``validateProjectionSources`` and ``validateDownwardAPIVolumeFile``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.environment import FIELDS_FOR_FILES, container_resource, pod_field

MODE: Final = v.between(0, 0o777, "must be a number between 0 and 0777 (octal), both inclusive")
"""The mode of a file."""
_KEY_TYPES: Final = ("RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519")
_LEAST_TOKEN_SECONDS: Final = 600
_MOST_TOKEN_SECONDS: Final = 1 << 32
_LEAST_CERTIFICATE_SECONDS: Final = 3600
_MOST_CERTIFICATE_SECONDS: Final = {True: 24 * 3600, False: 91 * 24 * 3600}
"""The maximum lifetimes for signers of Kubernetes itself and for others."""
_PATHS_OF_CERTIFICATE: Final = ("credentialBundlePath", "keyPath", "certificateChainPath")

KEYS: Final[v.Table] = {"key": [v.required()], "path": [v.required(), v.well_formed(v.local_path)], "mode": [MODE]}
"""The constraints of one key of a map that becomes a file."""


def _one_of_fields(fld: v.FieldContext) -> v.FieldErrors:
    """Require either a field of the pod or a resource of a container for a file."""
    field, resource = fld.child("fieldRef"), fld.child("resourceFieldRef")
    if field.there:
        yield from pod_field(field, FIELDS_FOR_FILES)
        if resource.there:
            yield fld.invalid("fieldRef and resourceFieldRef can not be specified simultaneously", "resource")
    elif resource.there and not resource.text("containerName"):
        yield resource.child("containerName").required()
    elif resource.there:
        yield from container_resource(resource)
    else:
        yield fld.required("one of fieldRef and resourceFieldRef is required")


DOWNWARD_FILE: Final[v.Table] = {
    "": [_one_of_fields],
    "path": [v.required(), v.well_formed(v.local_path)],
    "mode": [MODE],
}
"""The constraints of one downward API file."""


@v.always
def _token_seconds(fld: v.FieldContext) -> v.FieldErrors:
    if fld.number() < _LEAST_TOKEN_SECONDS:
        yield fld.invalid("may not specify a duration less than 10 minutes", fld.number())
    if fld.number() > _MOST_TOKEN_SECONDS:
        yield fld.invalid("may not specify a duration larger than 2^32 seconds")


def _token_paths(fld: v.FieldContext) -> v.FieldErrors:
    """Check the paths of tokens; errors have the path of the volume. ``fld`` is the projection."""
    place = fld.child("path")
    tolerant = any(v.local_path(path) for path in _old_token_paths(fld))
    for source in fld.child("sources").items():
        path = source.text("serviceAccountToken", "path")
        if source.sets("serviceAccountToken") and not path:
            yield place.required()
        elif path and not tolerant:
            yield from (place.invalid(fault, path) for fault in v.local_path(path))


def _old_token_paths(fld: v.FieldContext) -> Iterator[str]:
    for volume in fld.nearest(".spec").before().child("volumes").items():
        for source in volume.at("projected", "sources").items():
            yield source.text("serviceAccountToken", "path")


def signer_faults(name: str) -> list[str]:
    """Return the faults of the name of a signer of certificates (``example.com/signer``)."""
    domain, slash, path = name.partition("/")
    if not slash or "/" in path:
        return ["must be a fully qualified domain and path of the form 'example.com/signer-name'"]
    labels = domain.split(".")
    faults = _first_faults(labels, [v.dns_label(label) for label in labels])
    if len(labels) < 2:
        faults.append("should be a domain with at least two segments separated by dots")
    parts = path.split(".")
    return faults + _first_faults(parts, [v.dns_subdomain(part) for part in parts])


def _first_faults(labels: list[str], faults: list[list[str]]) -> list[str]:
    bad = next(((label, found) for label, found in zip(labels, faults, strict=True) if found), None)
    return [f'validating label "{bad[0]}": {fault}' for fault in bad[1]] if bad else []


@v.always
def a_signer(fld: v.FieldContext) -> v.FieldErrors:
    """Require the name of a signer of certificates."""
    if not fld.text():
        return (fld.required(),)
    return [fld.invalid(fault) for fault in signer_faults(fld.text())]


def bundle_name_faults(name: str) -> list[str]:
    """Return the faults of the name of a ClusterTrustBundle: a domain name, after a colon if there is one."""
    return v.dns_subdomain(name.rpartition(":")[2])


def _trust_bundle(fld: v.FieldContext) -> v.FieldErrors:
    name, signer = fld.child("name"), fld.child("signerName")
    if name.there and signer.there:
        yield fld.invalid("only one of name and signerName may be used")
    elif name.there:
        yield from (name.required("must be a valid object name"),) if not name.text() else ()
        faults = bundle_name_faults(name.text())
        yield from (name.invalid(f"not a valid clustertrustbundlename: {fault}") for fault in faults)
        if fld.sets("labelSelector"):
            yield fld.child("labelSelector").invalid("labelSelector must be unset if name is specified")
    elif signer.there:
        yield from a_signer(signer)
        yield from v.inside(v.LABEL_SELECTOR)(fld.child("labelSelector"))
    else:
        yield fld.required("either name or signerName must be specified")


def _certificate_life(fld: v.FieldContext) -> v.FieldErrors:
    signer = fld.up.text("signerName").partition("/")[0] if fld.up else ""
    most = _MOST_CERTIFICATE_SECONDS[signer == "kubernetes.io" or signer.endswith(".kubernetes.io")]
    if fld.number() < _LEAST_CERTIFICATE_SECONDS:
        yield fld.invalid(f"if provided, maxExpirationSeconds must be >= {_LEAST_CERTIFICATE_SECONDS}")
    if fld.number() > most:
        yield fld.invalid(f"if provided, maxExpirationSeconds must be <= {most}")


def _certificate_files(fld: v.FieldContext) -> v.FieldErrors:
    if any(fld.text(name) for name in _PATHS_OF_CERTIFICATE):
        return ()
    return (fld.required("specify at least one of credentialBundlePath, keyPath, and certificateChainPath"),)


def _annotations_for_signer(fld: v.FieldContext) -> v.FieldErrors:
    for entry in fld.entries():
        yield from (fld.invalid(fault, entry.step[1:-1]) for fault in v.domain_prefixed_key(entry.step[1:-1].lower()))


_SOURCES: Final = (
    *("secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"),
)


def _distinct_files(fld: v.FieldContext) -> v.FieldErrors:
    """Require distinct files of all sources; ``fld`` is the projection."""
    seen: set[str] = set()
    for source in fld.child("sources").items():
        for path in _files(source):
            if path in seen:
                yield fld.invalid("conflicting duplicate paths", path)
            seen.add(path)


def _files(source: v.FieldContext) -> Iterator[str]:
    for kind in ("secret", "configMap", "downwardAPI"):
        yield from filter(None, (item.text("path") for item in source.at(kind, "items").items()))
    if source.sets("clusterTrustBundle"):
        yield source.text("clusterTrustBundle", "path")
    for name in _PATHS_OF_CERTIFICATE:
        yield from filter(None, [source.text("podCertificate", name)])


PROJECTED: Final[v.Table] = {
    "": [_distinct_files, _token_paths],
    "defaultMode": [MODE],
    "sources[*]": {
        "": [
            v.when(
                lambda fld: len(fld.given(_SOURCES)) > 1,
                v.forbidden("may not specify more than 1 volume type per source"),
            )
        ],
        "secret.name": [v.required()],
        "secret.items[*]": KEYS,
        "configMap.name": [v.required()],
        "configMap.items[*]": KEYS,
        "downwardAPI.items": [v.StepSpelling(""), {"[*]": [v.StepSpelling(""), DOWNWARD_FILE]}],
        "serviceAccountToken.expirationSeconds": [_token_seconds],
        "clusterTrustBundle": [_trust_bundle],
        "clusterTrustBundle.path": [v.required(), v.well_formed(v.local_path)],
        "podCertificate": [_certificate_files],
        "podCertificate.signerName": [a_signer],
        "podCertificate.userAnnotations": [_annotations_for_signer],
        "podCertificate.keyType": [v.required_one_of(*_KEY_TYPES)],
        "podCertificate.maxExpirationSeconds": [_certificate_life],
        **{f"podCertificate.{name}": [v.well_formed(v.local_path)] for name in _PATHS_OF_CERTIFICATE},
    },
}
"""The constraints of a projected volume."""
