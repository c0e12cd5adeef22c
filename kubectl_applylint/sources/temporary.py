"""Temporary folders: private, and gone however the program ends, as far as it gets to clean up at all."""

import os
import tempfile


def private_folder() -> tempfile.TemporaryDirectory[str]:
    """Return what gives the real path of an empty folder that only the user can look into, until its block ends."""
    place = os.path.realpath(tempfile.gettempdir())
    return tempfile.TemporaryDirectory(prefix="applylint-", dir=place, ignore_cleanup_errors=True)
