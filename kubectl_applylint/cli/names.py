"""The names of the program and of its command for shells."""

from typing import Final

COMPLETE: Final = "__complete"
"""The command that shells ask what may come next, with the words typed so far; not for people."""
PLUGIN: Final = "kubectl applylint"
"""What the plugin calls itself, as its users call it."""
