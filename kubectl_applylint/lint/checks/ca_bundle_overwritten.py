"""CA bundles in manifests that a controller injects as well."""

import base64
import binascii
from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.paths import Field, Index, Path, fields, get
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_CLIENT: Final = ("clientConfig", "caBundle")
_CONVERSION: Final = fields("spec", "conversion", "webhook", *_CLIENT)


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each CA bundle of the manifest that is not a certificate, or that ``params["injectors"]`` fill in as well.

    Those are annotations that request an injection. A word in capitals is a placeholder and skipped. Facts: ``why``,
    the
    annotation, empty without one.
    """
    annotations = annotations_of(subject.manifest)
    injector = next((name for name in params["injectors"] if name in annotations), "")
    for path in _places(subject):
        value = get(subject.manifest, path)
        if isinstance(value, str) and not value.isupper() and (injector or not _is_certificate(value)):
            yield Hit(path, {"why": injector})


def _places(subject: Subject) -> Iterator[Path]:
    """Yield the paths of CA bundles in an object."""
    hooks = subject.manifest.get("webhooks")
    for position in range(len(hooks) if isinstance(hooks, list) else 0):
        yield (Field("webhooks"), Index(position), *fields(*_CLIENT))
    yield _CONVERSION
    if subject.ref.kind == "APIService":
        yield fields("spec", "caBundle")


def _is_certificate(value: str) -> bool:
    """Return whether a text is a base64-encoded PEM certificate."""
    try:
        return b"-----BEGIN CERTIFICATE-----" in base64.b64decode(value)
    except (binascii.Error, ValueError):
        return False
