"""Variables of kustomizations (``vars``) that have no value, because a part that defines them is not rendered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import items, map_texts, mapping, text_at
from kubectl_applylint.sources.render.missing_parts import only_document
from kubectl_applylint.sources.text.classify import is_kustomization

_REFERENCE: Final = regex(r"\$\(([A-Za-z_][\w.-]*)\)")


def with_unknown_variables(documents: Sequence[Document], texts: Mapping[str, bytes]) -> tuple[Document, ...]:
    """Return rendered objects with ``${NAME}``, a placeholder, in place of each variable ``$(NAME)`` that is left.

    ``texts`` are the files of the kustomizations. Other names are those of environment variables of a container.
    """
    names = frozenset(_names(texts))
    if not names:
        return tuple(documents)

    def placeholder(found: re.Match[str]) -> str:
        return f"${{{found[1]}}}" if found[1] in names else found[0]

    change = partial(_REFERENCE.sub, placeholder)
    return tuple(replace(one, object=mapping(map_texts(one.object, change))) for one in documents)


def _names(texts: Mapping[str, bytes]) -> Iterator[str]:
    for path in filter(is_kustomization, texts):
        for one in items((only_document(texts[path]) or {}).get("vars")):
            yield text_at(one, "name")
