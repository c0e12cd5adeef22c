"""The images that a change replaces, adds and removes: fields of pods and custom resources, and values of releases."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, text_at
from kubectl_applylint.report.facts.sides import Sides

_FIELDS: Final = ("image", "imageName")
"""The fields that hold an image in pods, and in most custom resources."""
_IMAGE: Final = regex(r"[A-Za-z0-9][\w./:@+-]{0,500}")
_REPOSITORY: Final = regex(r"(?P<repository>[^@]+?)(?::[^/:@]*)?(?:@.*)?")
_WITHOUT_IMAGES: Final = ("CustomResourceDefinition", "ConfigMap", "Secret")


@dataclass(frozen=True, slots=True)
class ImageChange:
    """An image before and after the apply, empty if it is added or removed, and the objects in which it changes."""

    before: str
    after: str
    objects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Image:
    """An image in an object; one in values may also be in the objects that the release renders."""

    text: str
    is_value: bool = False


def repository(image: str) -> str:
    """Return an image without its tag and its digest."""
    found = _REPOSITORY.fullmatch(image)
    return found["repository"] if found else image


def image_changes(objects: Iterable[tuple[str, Sides]]) -> tuple[ImageChange, ...]:
    """Return the images that change in named objects: replaced ones first, then added, then removed ones.

    An image in the values of a release is left out if an object that the release renders has the same change.
    """
    places: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for name, sides in objects:
        for pair, is_value in dict.fromkeys(_changed_images(sides)):
            places.setdefault(pair, ([], []))[is_value].append(name)
    ordered = sorted(places, key=lambda pair: (not (pair[0] and pair[1]), not pair[1], pair))
    return tuple(ImageChange(*pair, tuple(places[pair][0] or places[pair][1])) for pair in ordered)


def _changed_images(sides: Sides) -> Iterator[tuple[tuple[str, str], bool]]:
    """Yield the images of an object before and after, and whether they are values of a release."""
    old, new = (dict(_images(side or {})) for side in sides)
    gone = {slot: one for slot, one in old.items() if slot not in new}
    for slot, image in new.items():
        twin = slot if slot in old else _same_repository(image.text, gone)
        before = old[twin].text if twin is not None else ""
        gone.pop(twin or (), None)
        if before != image.text:
            yield (before, image.text), image.is_value
    yield from (((image.text, ""), image.is_value) for image in gone.values())


def _same_repository(image: str, gone: dict[tuple[str, ...], _Image]) -> tuple[str, ...] | None:
    """Return the place of a removed image of the same repository."""
    return next((slot for slot, one in gone.items() if repository(one.text) == repository(image)), None)


def _images(whole: JsonObject) -> Iterator[tuple[tuple[str, ...], _Image]]:
    """Yield the images of an object with their places, in which elements of lists stand by name if they have one."""
    stack: list[tuple[tuple[str, ...], Json]] = [] if whole.get("kind") in _WITHOUT_IMAGES else [((), whole)]
    while stack:
        place, value = stack.pop()
        if isinstance(value, list):
            stack += [((*place, text_at(one, "name") or str(number)), one) for number, one in enumerate(value)]
        for key, inner in reversed(value.items()) if isinstance(value, dict) else ():
            image = _image(inner) if key in _FIELDS else None
            if image is not None:
                yield (*place, key), image
            elif isinstance(inner, (dict, list)):
                stack.append(((*place, key), inner))


def _image(value: Json) -> _Image | None:
    """Return the image that a field holds as a text, or as its parts, as in values of charts and in volumes."""
    if isinstance(value, str):
        return _Image(value) if _IMAGE.fullmatch(value) else None
    if text_at(value, "reference"):
        return _image(text_at(value, "reference"))
    parts = [text_at(value, name) for name in ("registry", "repository", "tag", "digest")]
    registry, name, tag, digest = parts
    text = f"{registry and f'{registry}/'}{name}{tag and f':{tag}'}{digest and f'@{digest}'}"
    return _Image(text, is_value=True) if name and _IMAGE.fullmatch(text) else None
