"""Values that something is to replace before the apply: ``${NAME}``, ``{{ .Values.name }}``, ``<your-token>``.

Outside of Helm and of kustomize people use envsubst, sed, Flux' ``postBuild`` or their hands. What the server says of
such a value is true of the file, and not of what will be applied.
"""

import re
from typing import Final

from kubectl_applylint.core.values import Json

_PLACEHOLDER: Final = re.compile(r"\$\{[A-Za-z_][^{}]*\}|\{\{.*?\}\}|(?:^|[\"'])<[A-Za-z][^<>\n]*>(?:$|[\"'])")


def is_unfinished(value: Json) -> bool:
    """Tell whether a value, or anything in it, holds a placeholder."""
    if isinstance(value, dict):
        return any(is_unfinished(each) for item in value.items() for each in item)
    if isinstance(value, list):
        return any(map(is_unfinished, value))
    return isinstance(value, str) and _PLACEHOLDER.search(value) is not None
