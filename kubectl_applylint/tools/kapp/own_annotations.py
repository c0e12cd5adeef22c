"""The annotations that kapp writes, which other commands display next to kubectl's own."""

from typing import Final

KAPP_IDENTITY: Final = "kapp.k14s.io/identity"
KAPP_ORIGINAL: Final = "kapp.k14s.io/original"
KAPP_CHECKSUM: Final = "kapp.k14s.io/original-diff-md5"
OF_KAPP: Final = (KAPP_ORIGINAL, KAPP_CHECKSUM, KAPP_IDENTITY)
