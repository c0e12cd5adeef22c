"""CertificateSigningRequest and ClusterTrustBundle, except the content of certificates.

Mirrors ``pkg/apis/certificates/validation``.
"""

import re
from base64 import b64decode
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate import dsl as v

_GROUP: Final = "certificates.k8s.io"
_USAGES: Final = (
    *("any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment"),
    *("decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel"),
    *("ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime"),
    *("server auth", "signing", "timestamping"),
)
_NO_REQUEST: Final = "PEM block type must be CERTIFICATE REQUEST"
_NO_PATH: Final = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
_BLOCK: Final = regex(
    rb"^-----BEGIN (?P<type>[^\n]*?)-----[ \t\r]*\n(?P<body>[^-]*)^-----END (?P=type)-----", re.MULTILINE
)
"""The first PEM block; text before it is ignored."""
_LEGACY: Final = "kubernetes.io/legacy-unknown"
_LONGEST_BUNDLE: Final = 1 << 20


@v.always
def _request(fld: v.FieldContext) -> v.FieldErrors:
    """Require a request in PEM; only the server checks its content and signature."""
    try:
        text = b64decode(fld.text())
    except ValueError:
        return ()
    block = _BLOCK.search(text)
    is_request = block is not None and block["type"] == b"CERTIFICATE REQUEST" and _is_base64(block["body"])
    return () if is_request else (fld.invalid(_NO_REQUEST, fld.text()),)


def _is_base64(text: bytes) -> bool:
    """Return whether the body of a block is base64, after headers that an empty line ends."""
    body = text.rpartition(b"\n\n")[2]
    try:
        b64decode(b"".join(body.split()), validate=True)
    except ValueError:
        return False
    return True


def _signer(fld: v.FieldContext) -> v.FieldErrors:
    """Require a domain and a path as the name of a signer."""
    if fld.empty:
        return
    host, slash, path = fld.text().partition("/")
    if not slash or "/" in path:
        yield fld.invalid(_NO_PATH)
        return
    yield from _first_bad_part(fld, host, v.dns_label)
    if "." not in host:
        yield fld.invalid("should be a domain with at least two segments separated by dots", host)
    yield from _first_bad_part(fld, path, v.dns_subdomain)


def _first_bad_part(fld: v.FieldContext, text: str, form: v.Format) -> v.FieldErrors:
    for part in text.split("."):
        if faults := form(part):
            return [fld.invalid(f'validating label "{part}": {fault}', text) for fault in faults]
    return ()


_SIGNING_REQUEST: Final[v.Table] = {
    "spec": [v.struct],
    "spec.request": [_request],
    "spec.usages": [v.required(), v.unique()],
    "spec.usages[*]": [v.required_one_of(*_USAGES)],
    "spec.signerName": [
        v.required(),
        _signer,
        v.on_create(
            v.must(lambda fld: fld.text() != _LEGACY, "the legacy signerName is not allowed via this API version")
        ),
    ],
    "spec.expirationSeconds": [v.at_least(600, "may not specify a duration less than 600 seconds (10 minutes)")],
}


def _some_anchor(fld: v.FieldContext) -> v.FieldErrors:
    """Require certificates in a bundle; only the server checks whether they are valid."""
    kept = not fld.creating and fld.value == fld.old
    there = "-----BEGIN " in fld.text()
    words = "at least one trust anchor must be provided"
    return () if kept or there else (fld.invalid(words, "<value omitted>"),)


_TRUST_BUNDLE: Final[v.Table] = {
    "spec": [v.struct],
    "spec.signerName": [_signer, v.unchangeable],
    "spec.trustBundle": [v.no_longer_than(_LONGEST_BUNDLE), v.always(_some_anchor)],
}


def bundle_name(text: str) -> list[str]:
    """Return the faults of the name of a bundle; with a signer it begins with the signer's name."""
    return v.dns_subdomain(text.replace(":", ".")) if ":" in text else v.dns_subdomain(text)


KINDS: Final[v.Group] = {
    (_GROUP, "CertificateSigningRequest"): v.Rules(_SIGNING_REQUEST, name=v.path_segment),
    (_GROUP, "ClusterTrustBundle"): v.Rules(_TRUST_BUNDLE, name=bundle_name),
}
