"""What people are told in."""

import re
from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """A language that rules and pages have words in; what has none in it is told in English."""

    ENGLISH = "en"
    JAPANESE = "ja"


def language_of(environ: Mapping[str, str]) -> Language:
    """Return the language of the locale (``LC_ALL``, ``LC_MESSAGES``, ``LANG``), English for all others."""
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return Language.JAPANESE if re.split("[_.@]", locale)[0] == Language.JAPANESE else Language.ENGLISH
