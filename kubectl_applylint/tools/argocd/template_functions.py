"""The supported functions of Go templates of an ``ApplicationSet``: of ``text/template``, sprig and Argo CD.

Mirrors sprig 3 and ``applicationset/utils`` of Argo CD 3.6. Numbers of parameters are floats, as Go decodes JSON.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.gotext import as_go_decodes, decode, show
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.clusters import TextMap
from kubectl_applylint.tools.argocd.sprig_functions import SPRIG_FUNCTIONS, Int64, OwnMap, map_argument, whole
from kubectl_applylint.tools.argocd.sprig_regexps import REGEXP_FUNCTIONS
from kubectl_applylint.tools.flux import set_functions
from kubectl_applylint.tools.flux.set_functions import is_true, list_argument, text_argument
from kubectl_applylint.units.reading import is_too_deep

_NOT_IN_NAMES: Final = regex("[^-a-z0-9.]")
_DASHES: Final = regex("-+")
_MOST_NAME: Final = 253
_MOST_SLUG: Final = 50
_MOST_OPTIONS: Final = 2
_KINDS: Final[tuple[tuple[type, str], ...]] = (
    (bool, "bool"),
    (Int64, "int64"),
    (int, "int"),
    (float, "float64"),
    (str, "string"),
    (list, "slice"),
    (dict, "map"),
)


def dns_name(name: str) -> str:
    """Return a name with only the characters that names of objects may have (``SanitizeName``)."""
    return _NOT_IN_NAMES.sub("-", name.lower())[:_MOST_NAME].strip("-.")


def _slugify(*arguments: Json) -> str:
    """Return a name without dots, cut at a dash: of at most 50 characters, or of a number that comes first."""
    *options, name = arguments
    most = whole(options[0]) if options else _MOST_SLUG
    is_smart = options[1] if len(options) > 1 else True
    if most < 0 or not isinstance(is_smart, bool) or len(options) > _MOST_OPTIONS:
        raise TypeError
    word = dns_name(text_argument(name))
    word = word if is_smart else word[:most]
    word = _DASHES.sub("-", word.replace(".", "-")).strip("-")
    if not (is_smart and 0 < most < len(word)):
        return word
    place = word.rfind("-", 0, most + 1)
    return word[:place] if place >= 0 else word[:most]


def _merge(*maps: Json) -> JsonObject:
    """Return maps merged: the first value of a key counts, and empty ones count as absent."""
    found: JsonObject = OwnMap()
    for one in map(map_argument, maps):
        for key, value in one.items():
            own = found.get(key)
            is_nested = isinstance(own, dict) and isinstance(value, dict)
            found = OwnMap({**found, key: _merge(own, value) if is_nested else own or value})
    return found


def _merge_over(*maps: Json) -> JsonObject:
    """Return maps merged: the last value of a key counts."""
    if any(_has_empty(map_argument(one)) for one in maps[1:]):
        raise ValueError
    return _update_first(maps, _merge(*reversed(maps)))


def _update_first(maps: Sequence[Json], found: JsonObject) -> JsonObject:
    """Return a result of merged maps, as the first map if that is one of the template: sprig changes it."""
    if maps and isinstance(maps[0], OwnMap):
        maps[0].update(found)
        return maps[0]
    return found


def _has_empty(values: JsonObject) -> bool:
    return any(not is_true(one) or (isinstance(one, dict) and _has_empty(one)) for one in values.values())


def _from_yaml(text: Json) -> JsonObject:
    found = first_document(text_argument(text).encode())
    if is_too_deep(found):
        raise ValueError
    return OwnMap(map_argument(as_go_decodes(found)))


def _from_yaml_array(text: Json) -> Json:
    found = first_document(text_argument(text).encode())
    if is_too_deep(found):
        raise ValueError
    return list_argument(as_go_decodes(found))


def _from_json(text: Json) -> Json:
    return as_go_decodes(decode(text_argument(text)))


def _split(separator: Json, text: Json) -> JsonObject:
    return {f"_{number}": part for number, part in enumerate(text_argument(text).split(text_argument(separator)))}


def _kind(value: Json) -> str:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "invalid")


def _index(value: Json, *keys: Json) -> Json:
    found = set_functions.FUNCTIONS["index"](value, *keys)
    return "" if found is None and isinstance(value, TextMap) else found


def _print(*values: Json) -> str:
    """Return values as text, with a blank between two values that are no strings (``fmt.Sprint``)."""
    blanks = [not (isinstance(one, str) or isinstance(other, str)) for one, other in pairwise(values)]
    texts = ["<nil>" if one is None else show(one) for one in values]
    return "".join(
        f"{' ' if has_blank else ''}{text}" for has_blank, text in zip((False, *blanks), texts, strict=False)
    )


def _cat(*values: Json) -> str:
    return " ".join(show(one) for one in values if one is not None)


FUNCTIONS: Final[Mapping[str, Callable[..., Json]]] = {
    **set_functions.FUNCTIONS,
    **SPRIG_FUNCTIONS,
    **REGEXP_FUNCTIONS,
    "append": lambda values, one: [*list_argument(values), one],
    "b64dec": lambda text: base64.b64decode(text_argument(text), validate=True).decode(),
    "cat": _cat,
    "concat": lambda *lists: [one for values in lists for one in list_argument(values)],
    "fromJson": _from_json,
    "fromYaml": _from_yaml,
    "fromYamlArray": _from_yaml_array,
    "index": _index,
    "kindIs": lambda kind, value: kind == _kind(value),
    "kindOf": _kind,
    "merge": lambda *maps: _update_first(maps, _merge(*maps)),
    "mergeOverwrite": _merge_over,
    "normalize": lambda text: dns_name(text_argument(text)),
    "print": _print,
    "push": lambda values, one: [*list_argument(values), one],
    "rest": lambda values: list_argument(values)[1:],
    "slugify": _slugify,
    "split": _split,
    "toYaml": lambda value: format_yaml(value).removesuffix("\n"),
    "trimAll": lambda signs, text: text_argument(text).strip(text_argument(signs)),
    "trimall": lambda signs, text: text_argument(text).strip(text_argument(signs)),
    "uniq": lambda values: [one for place, one in enumerate(list_argument(values)) if one not in values[:place]],
    "without": lambda values, *others: [one for one in list_argument(values) if one not in others],
}
"""The functions by name; arguments of other types raise ``TypeError`` or ``ValueError``."""
