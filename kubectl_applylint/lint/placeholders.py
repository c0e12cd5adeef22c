"""What is to be replaced before the apply: ``${NAME}``, ``{{ .Values.name }}``, ``<your-token>``, encrypted values.

Outside of Helm and of kustomize people use envsubst, sed, Flux' ``postBuild``, SOPS or their hands. What the server
says of such a value is true of the file, and not of what will be applied.
"""

import re
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, mapping

_PLACEHOLDER: Final = re.compile(
    r"\$\{[A-Za-z_][^{}]*\}|\{\{.*?\}\}|(?:^|[\"'])<[A-Za-z][^<>\n]*>(?:$|[\"'])"
    r"|\$\$\w+\$\$|@[A-Z][A-Z0-9_]*@|__[A-Z][A-Z0-9_]*?__"
)

_CAPITALS: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9_]{3,}(?![A-Za-z0-9])")
_OF_SOPS: Final = ("mac", "version")


def is_unfinished(value: Json) -> bool:
    """Tell whether a value, or anything in it, holds a placeholder."""
    if isinstance(value, dict):
        return any(is_unfinished(each) for item in value.items() for each in item)
    if isinstance(value, list):
        return any(map(is_unfinished, value))
    return isinstance(value, str) and _PLACEHOLDER.search(value) is not None


def is_unfinished_name(field: str, value: Json) -> bool:
    """Tell whether a value is a name with a word in capitals: none may have any. ``field`` is given in dots."""
    return field.endswith(("name", "Name", "namespace")) and isinstance(value, str) and bool(_CAPITALS.search(value))


def is_encrypted(manifest: JsonObject) -> bool:
    """Tell whether SOPS has encrypted a manifest, which leaves a block ``sops`` in it until it is decrypted."""
    return all(name in mapping(manifest.get("sops")) for name in _OF_SOPS)
