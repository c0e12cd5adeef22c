"""Files of a folder that are separate applies: alternatives, and those that kubectl can only create."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.units.layout import with_files_apart
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.object_names import have_duplicate_objects, is_created_only, is_template


def files_apart(folder: Sequence[tuple[Side, Unit | None]]) -> list[frozenset[str]]:
    """Return the files of a folder that are separate units, for each revision of it.

    If two files define the same object, they are not applied together. Files with ``generateName`` are created one by
    one, as kubectl does not apply them: without these the others may be one apply. Templates count as empty.
    """
    every = [_texts(side, unit) if unit and len(unit.files) > 1 else {} for side, unit in folder]
    if not any(have_duplicate_objects(texts.values()) for texts in every):
        return [frozenset() for _ in folder]
    created = [frozenset(path for path, text in texts.items() if is_created_only(text)) for texts in every]
    applied = [[texts[path] for path in texts.keys() - own] for texts, own in zip(every, created, strict=True)]
    if any(map(have_duplicate_objects, applied)):
        whole = frozenset(chain.from_iterable(unit.files for _, unit in folder if unit))
        return [whole for _ in folder]
    return created


def split_folder(side: Side, folder: Unit, apart: frozenset[str]) -> Iterator[Unit]:
    """Yield the units of a folder: the files ``apart`` separately, and the rest.

    A symlink to a file that is a separate unit is not a unit.
    """
    twins = side.duplicate_links(folder.files) if apart else frozenset()
    yield from with_files_apart(replace(folder, files=folder.files - twins) if twins else folder, apart - twins)


def _texts(side: Side, unit: Unit) -> Mapping[str, str]:
    texts = side.contents(unit.files - side.duplicate_links(unit.files))
    read = {path: text.decode("utf-8", "replace") for path, text in texts.items()}
    return {path: text for path, text in read.items() if not is_template(text)}
