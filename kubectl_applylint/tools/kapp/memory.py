"""kapp's history in annotations of an object: the last written manifest, and its difference from the object.

Mirrors ``resource_with_history.go``, ``change_factory.go`` and ``ops_diff.go`` in ``pkg/kapp/diff`` of kapp 0.64.
"""

import json
from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject, equal, mapping
from kubectl_applylint.tools.kapp.app import KappApp, as_compared, without_identity
from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.diff_text import checksum
from kubectl_applylint.tools.kapp.own_annotations import KAPP_CHECKSUM, KAPP_ORIGINAL
from kubectl_applylint.tools.kapp.paths import annotations_of, remove_at, with_texts
from kubectl_applylint.tools.kapp.rules import KappRules, rebase, without_excluded_fields

ORIGINAL: Final = KAPP_ORIGINAL
CHECKSUM: Final = KAPP_CHECKSUM
_FORGETFUL: Final = f"{GROUP}/disable-original"
_HISTORY: Final = (ORIGINAL, f"{GROUP}/original-diff", CHECKSUM, f"{GROUP}/original-diff-full")
_READER: Final = json.JSONDecoder()
_LONGEST: Final = 262144
"""The maximum size in bytes of a manifest that kapp stores in an annotation."""


@dataclass(frozen=True, slots=True)
class KappChange:
    """The change that kapp would make: it compares ``before`` and ``after``, and sends ``after``."""

    before: JsonObject
    after: JsonObject
    applied: JsonObject
    """The manifest without history, which kapp stores."""

    @property
    def is_empty(self) -> bool:
        """Whether kapp sees no difference and writes nothing."""
        return equal(self.before, self.after)


def change(live: JsonObject, item: JsonObject, app: KappApp, rules: KappRules, *, by_memory: bool) -> KappChange:
    """Return the change kapp would make to a live object; ``by_memory``: whether it uses its history."""
    listed = as_compared(live, app)
    last = last_applied(listed, rules) if by_memory else None
    before = listed if last is None else rebase(last, listed, rules)
    guide = listed if by_memory else _without_history(listed, rules)
    applied = _without_history(item, rules)
    return KappChange(_without_history(before, rules), rebase(applied, guide, rules), applied)


def last_applied(live: JsonObject, rules: KappRules) -> JsonObject | None:
    """Return the manifest that kapp wrote last, or ``None`` if none is stored or others changed the object."""
    text, wanted = (annotations_of(live).get(name) for name in (ORIGINAL, CHECKSUM))
    if not text or not wanted or not isinstance(text, str):
        return None
    try:
        # kapp reads it as YAML and ignores everything after the first value.
        original = mapping(gotext.decode(text[: _READER.raw_decode(text)[1]]))
    except ValueError:
        return None
    found = _difference(live, original, rules)
    return found.applied if checksum(found.before, found.after) == wanted else None


def with_history(saved: JsonObject, applied: JsonObject, rules: KappRules) -> JsonObject | None:
    """Return a saved object with kapp's history, or ``None`` if kapp stores none."""
    plain = without_identity(saved)
    text = gotext.encode(applied)
    if _FORGETFUL in annotations_of(plain) or len(text.encode()) > _LONGEST:
        return None
    found = _difference(plain, applied, rules)
    texts = {ORIGINAL: text, CHECKSUM: checksum(found.before, found.after)}
    return mapping(with_texts(plain, ("metadata", "annotations"), texts, makes=True))


def _difference(live: JsonObject, item: JsonObject, rules: KappRules) -> KappChange:
    """Return the difference to a live object, ignoring the history."""
    before = _without_history(without_excluded_fields(live, rules, "diffAgainstLastAppliedFieldExclusionRules"), rules)
    applied = _without_history(item, rules)
    return KappChange(before, rebase(applied, before, rules), applied)


def _without_history(item: JsonObject, rules: KappRules) -> JsonObject:
    """Return an object without history and without the fields that kapp excludes from comparisons."""
    for name in _HISTORY:
        item = mapping(remove_at(item, ("metadata", "annotations", name)))
    return without_excluded_fields(item, rules, "diffAgainstExistingFieldExclusionRules")
