"""The files of rendered units: a directory for each unit, with a file for each object.

Names come from manifests, so they may have any characters and length. The directory is the root of the unit, a file is
``KIND.GROUP_NAMESPACE_NAME.yaml``, with percent signs as in URLs for all but ``-``, ``.``, letters and digits of ASCII.
Every file system accepts that. Names of directories have no ``_`` in them, so they are not those of files.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, text_at
from kubectl_applylint.report.rendering import RenderedUnit, object_yaml

_LONGEST: Final = 200
"""Bytes of a name before it is cut. File systems allow 255; an ending and a number may follow."""
_EMPTY: Final = "_"
"""The name of an empty part of a root, such as the namespace of a HelmRelease that names none."""
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
)
"""Names that Windows reserves, with every ending."""


BEFORE, AFTER = "before", "after"
"""The directories of two revisions."""


def rendered_files(units: Sequence[RenderedUnit], *, is_compared: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the path and the content of each file; ``/`` separates the names in a path.

    If two revisions are compared, their files are below ``BEFORE`` and ``AFTER``.
    """
    if not is_compared:
        yield from _files(units)
        return
    earlier = [replace(one, objects=one.before or ()) for one in units]
    yield from ((f"{BEFORE}/{path}", text) for path, text in _files(earlier))
    yield from ((f"{AFTER}/{path}", text) for path, text in _files(units))


def _files(units: Sequence[RenderedUnit]) -> Iterator[tuple[str, str]]:
    folders = distinct_names(_folder_name(one.unit.root) for one in units)
    for folder, one in zip(folders, units, strict=True):
        names = distinct_names(map(_object_name, one.objects))
        for name, manifest in zip(names, one.objects, strict=True):
            yield f"{folder}/{name}.yaml", object_yaml(manifest)


def _folder_name(root: str) -> str:
    return "/".join(file_name(encode(part)) or _EMPTY for part in root.split("/"))


def _object_name(manifest: JsonObject) -> str:
    ref = ref_of(manifest)
    kind = encode(ref.kind).replace(".", "%2E") + (f".{encode(ref.group)}" if ref.group else "")
    name = ref.name or text_at(manifest, "metadata", "generateName")
    return file_name(f"{kind}_{encode(ref.namespace)}_{encode(name)}")


def encode(text: str) -> str:
    """Return a text for the name of a file, with percent signs as in URLs."""
    quoted = quote(text, safe="", encoding="utf-8", errors="surrogatepass")
    return quoted.replace("_", "%5F").replace("~", "%7E")


def file_name(encoded: str) -> str:
    """Return a name that is not hidden, not reserved and not too long; of a long one, the end is a digest."""
    if len(encoded) > _LONGEST:
        encoded = f"{encoded[:_LONGEST]}~{sha256(encoded.encode()).hexdigest()[:16]}"
    if encoded.startswith(".") or encoded.partition(".")[0].lower() in _DEVICES:
        encoded = f"%{ord(encoded[0]):02X}{encoded[1:]}"
    return f"{encoded[:-1]}%2E" if encoded.endswith(".") else encoded


def distinct_names(names: Iterable[str]) -> Iterator[str]:
    """Yield names with a number behind those that differ from an earlier one by case at most."""
    seen: dict[str, int] = {}
    for name in names:
        number = seen[name.lower()] = seen.get(name.lower(), 0) + 1
        yield name if number == 1 else f"{name}~{number}"
