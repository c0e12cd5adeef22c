"""The kustomization that Argo CD builds: that of the path, with the options in ``spec.source.kustomize``.

Mirrors the ``kustomize edit`` commands that ``Build`` of Argo CD's ``util/kustomize`` runs, in its order.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, objects_at, text_at, texts_at
from kubectl_applylint.tools.argocd.helm_options import with_variables

_QUOTED: Final = regex(r'".*"', re.DOTALL)
_COUNT: Final = regex(r"[+-]?[0-9]+", re.ASCII)


class KustomizeOptionsError(ValueError):
    """Raised for options that kustomize rejects; the text says why."""


def with_kustomize_options(kustomization: JsonObject, options: JsonObject, variables: Mapping[str, str]) -> JsonObject:
    """Return a kustomization with the options of an Application; ``variables`` are those of the build environment.

    Raises ``KustomizeOptionsError``.
    """
    found = dict(kustomization)
    for name in ("namePrefix", "nameSuffix", "namespace"):
        if text_at(options, name):
            found[name] = text_at(options, name)
    if images := [with_variables(one, variables) for one in texts_at(options, "images")]:
        found["images"] = _with_images(objects_at(found, "images"), images)
    if replicas := [_replica(one) for one in objects_at(options, "replicas")]:
        found["replicas"] = _replace_by_name(objects_at(found, "replicas"), replicas)
    if labels := mapping(options.get("commonLabels")):
        found |= _labels(found, _with_texts(labels, variables), options)
    if annotations := mapping(options.get("commonAnnotations")):
        is_replaced = options.get("commonAnnotationsEnvsubst") is True
        more = _with_texts(annotations, variables if is_replaced else None)
        is_forced = options.get("forceCommonAnnotations") is True
        own = mapping(found.get("commonAnnotations"))
        found["commonAnnotations"] = _with_pairs(own, more, "annotation", is_forced=is_forced)
    if patches := items(options.get("patches")):
        found["patches"] = [*items(found.get("patches")), *map(_without_options, patches)]
    if components := texts_at(options, "components"):
        found["components"] = [*dict.fromkeys((*texts_at(found, "components"), *components))]
    return found


def _without_options(patch: Json) -> Json:
    return {name: value for name, value in mapping(patch).items() if value not in (None, "", {})}


def _with_texts(given: JsonObject, variables: Mapping[str, str] | None) -> JsonObject:
    """Return texts with the variables of the build environment, and without the quotes that kustomize removes."""
    texts = {key: str(text) for key, text in given.items()}
    replaced = texts if variables is None else {key: with_variables(text, variables) for key, text in texts.items()}
    return {key: text[1:-1] if _QUOTED.fullmatch(text) else text for key, text in replaced.items()}


def _labels(kustomization: JsonObject, labels: JsonObject, options: JsonObject) -> JsonObject:
    """Return the field with the labels: selectors get them as well, unless the Application says otherwise."""
    is_forced = options.get("forceCommonLabels") is True
    has_templates = options.get("labelIncludeTemplates") is True
    if options.get("labelWithoutSelector") is not True:
        if has_templates:
            raise KustomizeOptionsError("labelIncludeTemplates requires labelWithoutSelector")
        own = mapping(kustomization.get("commonLabels"))
        return {"commonLabels": _with_pairs(own, labels, "label", is_forced=is_forced)}
    every = [*objects_at(kustomization, "labels")]
    same = (number for number, one in enumerate(every) if _label_settings(one) == (False, has_templates))
    place = next(same, len(every))
    entry: JsonObject = every[place] if place < len(every) else {"includeTemplates": True} if has_templates else {}
    pairs = _with_pairs(mapping(entry.get("pairs")), labels, "label", is_forced=is_forced)
    return {"labels": [*every[:place], {**entry, "pairs": pairs}, *every[place + 1 :]]}


def _label_settings(entry: JsonObject) -> tuple[bool, bool]:
    return entry.get("includeSelectors") is True, entry.get("includeTemplates") is True


def _with_pairs(own: JsonObject, more: JsonObject, kind: str, *, is_forced: bool) -> JsonObject:
    """Return labels or annotations with others; the same key twice is an error unless it is forced."""
    twice = next((key for key in more if key in own and not is_forced), None)
    if twice is not None:
        raise KustomizeOptionsError(f"the kustomization has the {kind} {twice} already")
    return {**own, **more}


def _replace_by_name(old: Iterable[JsonObject], new: Iterable[JsonObject]) -> list[Json]:
    """Return entries by name, sorted; new ones replace old ones."""
    found = {text_at(one, "name"): one for one in (*old, *new)}
    return [found[name] for name in sorted(found)]


def _replica(entry: JsonObject) -> JsonObject:
    text = str(entry.get("count"))
    if not _COUNT.fullmatch(text):
        raise KustomizeOptionsError(f"{text!r} is not a number of replicas")
    return {"name": text_at(entry, "name"), "count": int(text)}


def _with_images(own: Sequence[JsonObject], texts: Iterable[str]) -> list[Json]:
    """Return the images of a kustomization with those of an Application, which take over what they write as ``*``."""
    old = {text_at(one, "name"): one for one in own}
    new = (_with_kept_parts(one, old.get(one["name"], {})) for one in map(_image, texts))
    return _replace_by_name(own, new)


def _with_kept_parts(image: JsonObject, old: JsonObject) -> JsonObject:
    kept = {key: old.get(key, "") if value == "*" and key != "name" else value for key, value in image.items()}
    return {key: value for key, value in kept.items() if value}


def _image(text: str) -> JsonObject:
    """Return the entry for an image: ``name=new:tag``, ``name:tag``, ``name@digest``."""
    name, separator, rest = text.partition("=")
    image, _, digest = (rest if separator else text).partition("@")
    place, colon, tag = image.rpartition(":")
    if not colon or "/" in tag:
        place, tag = image, ""
    if not separator and place == text:
        raise KustomizeOptionsError(f"the image {text} has neither a tag nor a digest nor another name")
    entry: dict[str, Json] = {"name": name if separator else place}
    if separator and place:
        entry["newName"] = place
    if tag:
        entry["newTag"] = tag
    return {**entry, "digest": digest} if digest else entry
