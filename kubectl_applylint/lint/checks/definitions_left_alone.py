"""Definitions in the directory of a chart that Helm installs once."""

import re
from typing import Final

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import present
from kubectl_applylint.core.values import MISSING, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_IN_CRDS: Final = re.compile(r"(?:^|[/:])crds/")
"""In the name of a file: the directory of a chart with what Helm installs once."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the manifest is in ``crds/`` and differs from that of the earlier revision."""
    base = present(subject.base)
    if base is not MISSING and not equal(base, subject.manifest) and _IN_CRDS.search(subject.document.file):
        yield Hit(fields("metadata", "name"))
