"""How values that SOPS has encrypted begin, as they are or in base64, as Secrets have them."""

from typing import Final

BEGINNING: Final = "ENC[AES256_GCM,"
CODED: Final = "RU5DW0FFUzI1Nl9HQ00s"
"""The beginning in base64."""
CODED_JSON: Final = "eyJFTkNbQUVTMjU2X0dD"
"""The beginning of a JSON object with the text as its key, in base64."""


def may_have_encrypted(text: str) -> bool:
    """Return whether a text contains an encrypted value."""
    return BEGINNING in text or CODED in text or CODED_JSON in text
