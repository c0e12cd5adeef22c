"""Certificate authorities that a controller fills in and that the manifest fills otherwise."""

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
    """Yield each authority of the manifest that is no certificate, or that ``params["injectors"]`` fill in as well.

    Those are annotations by which somebody is asked to do so. A word in capitals is replaced before the apply, as no
    server could read it. Facts: ``why``, the annotation, empty without one.
    """
    annotations = annotations_of(subject.manifest)
    injector = next((name for name in params["injectors"] if name in annotations), "")
    for path in _places(subject):
        value = get(subject.manifest, path)
        if isinstance(value, str) and not value.isupper() and (injector or not _is_certificate(value)):
            yield Hit(path, {"why": injector})


def _places(subject: Subject) -> Iterator[Path]:
    hooks = subject.manifest.get("webhooks")
    for position in range(len(hooks) if isinstance(hooks, list) else 0):
        yield (Field("webhooks"), Index(position), *fields(*_CLIENT))
    yield _CONVERSION
    if subject.ref.kind == "APIService":
        yield fields("spec", "caBundle")


def _is_certificate(value: str) -> bool:
    try:
        return b"-----BEGIN CERTIFICATE-----" in base64.b64decode(value)
    except (binascii.Error, ValueError):
        return False
