"""The language of messages."""

import re
from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """A message language. Untranslated messages are printed in English."""

    ENGLISH = "en"
    JAPANESE = "ja"


def language_of(environ: Mapping[str, str]) -> Language:
    """Return the language of the locale (``LC_ALL``, ``LC_MESSAGES``, ``LANG``), English for all others."""
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return Language.JAPANESE if re.split("[_.@]", locale)[0] == Language.JAPANESE else Language.ENGLISH
