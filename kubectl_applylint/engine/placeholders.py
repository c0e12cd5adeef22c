"""Placeholders: ``${NAME}``, ``{{ .Values.name }}``, ``<your-token>`` and encrypted values.

Users replace them before the apply with envsubst, sed, Flux' ``postBuild``, SOPS or by hand. An error about such a
value is true of the file, but not of the manifest that will be applied.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.paths import Path, leaves
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Node, Shape

_PLACEHOLDER: Final = regex(
    r"\$\{[A-Za-z_][^{}]*\}|(?:^|[\"'])\$(?!patch|retainKeys|ref|schema|unknown[\"'])[A-Za-z_]\w*(?:$|[\"'])|\{\{.*?\}\}|(?:^|[\"'])<[A-Za-z][^<>\n]*>(?:$|[\"'])"
    r"|(?:^|[\"'])\[[A-Z][A-Z0-9_]{2,}\](?:$|[\"'])|\$\$\w+\$\$|@[A-Z][A-Z0-9_]*@|__[A-Z][A-Z0-9_]*?__"
    r"|(?:^|[\"'])\.\.\.[^.\n][^\n]*\.\.\.(?:$|[\"'])"
    r"|ENC\[AES256_GCM,[^\]]*\]?"
    r"|(?<![A-Za-z0-9])(?:PLACEHOLDER|REPLACE|CHANGE|YOUR)_[A-Z0-9_]+"
)

_BRACKETS: Final = regex(r"<[A-Za-z][^<>\n]*>")
"""Words in angle brackets, which are invalid in names."""
_CAPITALS: Final = regex(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9_]{3,}(?![A-Za-z0-9])")
_WORD: Final = regex(r"[A-Z][A-Z0-9_]{2,}")
_NAMES: Final = ("name", "Name", "namespace", "port", "Port", "host", "hosts")
_OF_HELM: Final = regex(r"\{\{-?\s*(?:\.(?:Values|Release|Chart)\b|include\s|template\s)")
_OF_SOPS: Final = ("mac", "version")


def is_unfinished(value: Json) -> bool:
    """Return whether a value, or any value inside it, contains a placeholder."""
    if isinstance(value, dict):
        return any(is_unfinished(each) for item in value.items() for each in item)
    if isinstance(value, list):
        return any(map(is_unfinished, value))
    return isinstance(value, str) and _PLACEHOLDER.search(value) is not None


def differ_besides(one: Json, other: Json) -> bool:
    """Return whether two texts or numbers differ, whatever replaces their placeholders.

    Texts with different placeholders do if what is before the first one, or after the last one, differs.
    """
    if isinstance(one, str) and isinstance(other, str):
        return one != other and (_placeholders(one) == _placeholders(other) or _have_other_ends(one, other))
    return isinstance(one, int | float) and isinstance(other, int | float) and one != other


def _placeholders(text: str) -> list[str]:
    return [found[0] for found in _PLACEHOLDER.finditer(text)]


def _have_other_ends(one: str, other: str) -> bool:
    parts, others = _PLACEHOLDER.split(one), _PLACEHOLDER.split(other)
    starts, ends = (parts[0], others[0]), (parts[-1], others[-1])
    is_same_start = starts[0].startswith(starts[1]) or starts[1].startswith(starts[0])
    is_same_end = ends[0].endswith(ends[1]) or ends[1].endswith(ends[0])
    return not (is_same_start and is_same_end)


def is_unfinished_name(field: str, value: Json) -> bool:
    """Return whether a value is a name with a word in capitals or angle brackets, which are invalid in names.

    ``field`` is written with dots and with list indexes.
    """
    name = field.rpartition("[")[0] if field.endswith("]") else field
    if not isinstance(value, str) or not name.endswith(_NAMES):
        return False
    return bool(_CAPITALS.search(value) or _BRACKETS.search(value))


def unfinished_places(manifest: JsonObject, root: Node) -> Iterator[Path]:
    """Yield the paths of placeholders, and of words in capitals where the kind has a number, a quantity or the like."""
    for path, one in leaves(manifest):
        if isinstance(one, str) and (_WORD.fullmatch(one) or _PLACEHOLDER.search(one)):
            node = at(root, path)
            if node is not None and (node.shape is not Shape.STRING or node.format):
                yield path


def finished_name(name: str) -> str:
    """Return a valid name in place of one with a placeholder."""
    return _CAPITALS.sub("x", _BRACKETS.sub("x", _PLACEHOLDER.sub("x", name))).lower()


def is_chart_template(manifest: JsonObject) -> bool:
    """Return whether the name, a label or an annotation is a Helm expression: the file is the template of a chart."""
    texts = (one for _, one in leaves(manifest.get("metadata", {})) if isinstance(one, str))
    return any("{{" in text and _OF_HELM.search(text) for text in texts)


def is_encrypted(manifest: JsonObject) -> bool:
    """Return whether SOPS has encrypted a manifest, which has a block ``sops`` until it is decrypted."""
    return all(name in mapping(manifest.get("sops")) for name in _OF_SOPS)
