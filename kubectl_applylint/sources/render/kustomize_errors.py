"""Error messages of kustomize, reduced to the folder that fails and its error."""

import os
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.render.helm import readable_error

_HELM_CALL: Final = regex(r" : unable to run: '.*' with env=\[.*?\] \(is '.*' installed\?\): exit status \d+")
"""Matches what kustomize adds to an error of Helm: the command with its temporary files."""
_FOLDER: Final = regex(r"(?:recursed accumulation of|couldn't make target for) path '(?P<path>[^']*)': ")
"""Matches the beginning of what kustomize reports about a folder; the innermost folder comes last."""
_COMPONENT: Final = 'accumulateDirectory: "'
"""The beginning of the quoted error of a component."""
_ESCAPED: Final = regex(r'\\+"')
_CONFIG: Final = regex(r"trouble configuring builtin (?P<name>\w+) with config: `.*?`: ")
"""Matches the configuration of a built-in plugin, which kustomize quotes before its error."""
_OF_FILE: Final = regex(r"accumulating resources: accumulation err='(?P<error>.*)': must build at directory: .*")
"""Matches the error of a file, after which kustomize has tried to build the file as a directory."""


def error_without_helm_call(complaint: str) -> str:
    """Return an error message of kustomize without the command of Helm that failed."""
    call = _HELM_CALL.search(complaint)
    return readable_error(complaint[: call.start()]) if call else complaint


def innermost_error(complaint: str, folder: str) -> str:
    """Return the error of the innermost folder, after its path if it is not ``folder``.

    kustomize reports it at the end of a chain of the folders that contain it (``accumulateResources``).
    """
    complaint = _CONFIG.sub(r"\g<name>: ", complaint)
    found = [*_FOLDER.finditer(complaint)]
    if not found:
        return complaint
    last = found[-1]
    error, quoted = complaint[last.end() :], complaint[: last.start()].count(_COMPONENT)
    if quoted:
        error = _ESCAPED.sub('"', error)
        error = error[:-quoted] if error.endswith('"' * quoted) else error
    of_file = _OF_FILE.fullmatch(error)
    error = of_file["error"] if of_file else error
    return error if last["path"] in (folder, os.path.realpath(folder)) else f"{last['path']}: {error}"
