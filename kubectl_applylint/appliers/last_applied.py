"""The last-applied annotation: the text that kubectl writes, and the manifest that it reads from it."""

from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.state import LAST_APPLIED, Unknown, annotations_of
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, without_nulls
from kubectl_applylint.merge.errors import MergeError

_NULL_ENTRY: Final = '":null'


def annotate(manifest: JsonObject) -> dict[str, JsonObject]:
    """Return the manifest as kubectl diffs and creates it: with the annotation that holds the manifest itself.

    The text is kubectl's own, byte for byte: the manifest without a last-applied annotation, but always with a map of
    annotations, in which null counts as the empty string.
    """
    annotations = {k: "" if v is None else v for k, v in annotations_of(manifest).items() if k != LAST_APPLIED}
    plain = _with_annotations(manifest, annotations)
    return _with_annotations(manifest, {**annotations, LAST_APPLIED: _text(plain) + "\n"})


def _text(manifest: JsonObject) -> str:
    """Return the text of a manifest. A placeholder, whose value is not known, is kept as it is written."""
    try:
        return gotext.encode(manifest)
    except TypeError:
        return gotext.encode(_as_written(manifest))


def _as_written(value: Json | Unknown) -> Json:
    if isinstance(value, dict):
        return {key: _as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_written(item) for item in value]
    return value.written if isinstance(value, Unknown) else value


def as_created(manifest: JsonObject) -> dict[str, JsonObject]:
    """Return the manifest as kubectl creates it: with the annotation, and without null entries of maps."""
    made = annotate(manifest)
    # A check of the annotation takes a tenth of the time.
    if _NULL_ENTRY not in made["metadata"]["annotations"][LAST_APPLIED]:
        return made
    kept: dict[str, JsonObject] = without_nulls(made)
    return kept


def set_last_applied(live: JsonObject, manifest: JsonObject) -> dict[str, JsonObject]:
    """Return the live object after ``kubectl apply set-last-applied`` with the manifest."""
    return _with_annotations(live, {**annotations_of(live), LAST_APPLIED: gotext.encode(manifest) + "\n"})


def _with_annotations(manifest: JsonObject, annotations: JsonObject) -> dict[str, JsonObject]:
    return {**manifest, "metadata": {**mapping(manifest.get("metadata")), "annotations": annotations}}


def annotation_of(live: JsonObject) -> str | None:
    """Return the text of the live object's annotation, ``None`` if it has none; it may be empty."""
    text = dig(live, "metadata", "annotations", LAST_APPLIED)
    return text if isinstance(text, str) else None


def original_of(text: str | None, *, custom: bool = False) -> JsonObject:
    """Return the manifest that an annotation holds, ``{}`` for none; raise ``MergeError`` with kubectl's text.

    ``custom`` kinds are parsed by another library, which has other error messages.
    """
    if not text:
        return {}
    try:
        original = gotext.decode(text)
    except (ValueError, RecursionError):
        raise MergeError("Invalid JSON Document" if custom else "invalid JSON document") from None
    if original is None:
        return {}
    if not isinstance(original, dict):
        raise MergeError("Mismatched JSON Documents" if custom else "invalid JSON document")
    return original
