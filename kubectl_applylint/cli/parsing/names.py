"""The names of the program and of its command for shells, and its exit codes."""

from typing import Final

COMPLETE: Final = "__complete"
"""The internal command with which shells request completions for the typed words."""
PLUGIN: Final = "kubectl applylint"
"""The name of the plugin in messages."""
EXIT_CODES = """\
exit codes:
  0    everything was checked, no finding at or above --fail-on
  1    findings at or above --fail-on; for plan, adopt and migrate: an apply would be rejected; for
       handover: no safe step is known; for diagnose: errors
  2    usage error: flags, configuration, an invalid rule directory
  3    incomplete: some input could not be read; findings may be missing; for diagnose: an error that no
       rule explains
  130  interrupted; 129 and 143: terminated by SIGHUP and SIGTERM
"""
"""The exit codes, for the help."""
