"""The names of the program and of its command for shells."""

from typing import Final

COMPLETE: Final = "__complete"
"""The internal command with which shells request completions for the typed words."""
PLUGIN: Final = "kubectl applylint"
"""The name of the plugin in messages."""
