"""The kustomization that Argo CD builds: that of the path, with the options in ``spec.source.kustomize``.

Mirrors the ``kustomize edit`` commands that ``Build`` of Argo CD's ``util/kustomize`` runs, in its order.
"""

from collections.abc import Iterable, Mapping

from kubectl_applylint.core.values import Json, JsonObject, items, mapping, objects_at, text_at, texts_at
from kubectl_applylint.tools.argocd.helm_options import with_variables


def with_kustomize_options(kustomization: JsonObject, options: JsonObject, variables: Mapping[str, str]) -> JsonObject:
    """Return a kustomization with the options of an Application; ``variables`` are those of the build environment."""
    found = dict(kustomization)
    for name in ("namePrefix", "nameSuffix", "namespace"):
        if text_at(options, name):
            found[name] = text_at(options, name)
    if images := [_image(one) for one in texts_at(options, "images")]:
        found["images"] = _replace_by_name(items(found.get("images")), images)
    if replicas := [_replica(one) for one in objects_at(options, "replicas")]:
        found["replicas"] = _replace_by_name(items(found.get("replicas")), replicas)
    if labels := mapping(options.get("commonLabels")):
        found |= _labels(found, _with_texts(labels, options, "commonLabelsEnvsubst", variables), options)
    if annotations := mapping(options.get("commonAnnotations")):
        own = mapping(found.get("commonAnnotations"))
        more = _with_texts(annotations, options, "commonAnnotationsEnvsubst", variables)
        found["commonAnnotations"] = {**own, **more}
    if patches := items(options.get("patches")):
        found["patches"] = [*items(found.get("patches")), *map(_without_options, patches)]
    if components := texts_at(options, "components"):
        found["components"] = [*dict.fromkeys((*texts_at(found, "components"), *components))]
    return found


def _without_options(patch: Json) -> Json:
    return {name: value for name, value in mapping(patch).items() if value not in (None, "", {})}


def _with_texts(given: JsonObject, options: JsonObject, switch: str, variables: Mapping[str, str]) -> JsonObject:
    is_replaced = options.get(switch) is True
    return {key: with_variables(str(text), variables) if is_replaced else str(text) for key, text in given.items()}


def _labels(kustomization: JsonObject, labels: JsonObject, options: JsonObject) -> JsonObject:
    """Return the field with the labels: selectors get them as well, unless the Application says otherwise."""
    if options.get("labelWithoutSelector") is not True:
        return {"commonLabels": {**mapping(kustomization.get("commonLabels")), **labels}}
    entry: dict[str, Json] = {"pairs": labels}
    if options.get("labelIncludeTemplates") is True:
        entry["includeTemplates"] = True
    return {"labels": [*items(kustomization.get("labels")), entry]}


def _replace_by_name(old: Iterable[Json], new: Iterable[JsonObject]) -> list[Json]:
    """Return entries by name, sorted; new ones replace old ones."""
    found = {text_at(one, "name"): one for one in (*old, *new)}
    return [found[name] for name in sorted(found)]


def _replica(entry: JsonObject) -> JsonObject:
    count = entry.get("count")
    text = str(count)
    return {"name": text_at(entry, "name"), "count": int(text) if text.isdecimal() else count}


def _image(text: str) -> JsonObject:
    """Return the entry for an image: ``name=new:tag``, ``name:tag``, ``name@digest``."""
    name, separator, rest = text.partition("=")
    image, _, digest = (rest if separator else text).partition("@")
    place, colon, tag = image.rpartition(":")
    if not colon or "/" in tag:
        place, tag = image, ""
    entry: dict[str, Json] = {"name": name if separator else place}
    if separator and place:
        entry["newName"] = place
    if tag:
        entry["newTag"] = tag
    return {**entry, "digest": digest} if digest else entry
