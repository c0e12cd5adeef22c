"""The differences between two values: by field, by element of lists, and by line of texts.

Elements of lists are paired by the field that names them if all have one (a port, a rule, an alert), else by the
longest common run, as ``diff`` pairs lines.
"""

import json
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import ByKey, Index, Path, PathStep, field
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing

_NAMING: Final = ("name", "alert", "record", "key", "mountPath", "containerPort", "port", "ip", "host", "id", "path")
"""Fields that name an element for readers, the most common first."""
_LIKE: Final = 0.5
"""How similar two elements at the same place must be to count as a change of one."""
_LONGEST_COMPARED: Final = 400
"""The maximum length of scalars whose similarity is measured; longer ones count as similar."""
_MOST_PAIRS: Final = 4_000_000
"""The maximum number of compared pairs of lines or elements; beyond it, all differences are one replacement."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One part that differs, ``MISSING`` if it was or is absent; ``moved`` are both positions of an element."""

    path: Path
    before: Json | Unknown | Missing
    after: Json | Unknown | Missing
    moved: tuple[int, int] | None = None


def differences(before: Json | Unknown | Missing, after: Json | Unknown | Missing) -> list[Difference]:
    """Return the smallest parts in which two values differ, in the order of the later value."""
    return list(_value_differences((), before, after))


def _value_differences(path: Path, before: Json, after: Json) -> Iterator[Difference]:
    """Yield the smallest parts in which two values differ."""
    if _text(before) == _text(after):
        return
    if isinstance(before, dict) and isinstance(after, dict) and before and after:
        for name in dict.fromkeys((*after, *before)):
            yield from _value_differences((*path, field(name)), before.get(name, MISSING), after.get(name, MISSING))
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        yield from _list_differences(path, before, after)
    else:
        yield Difference(path, before, after)


def _text(value: Json | Unknown | Missing) -> str:
    """Return a text that two values share only if they are the same for Kubernetes."""
    return "" if value is MISSING else json.dumps(plain(value), sort_keys=True)


def _list_differences(path: Path, before: Sequence[Json], after: Sequence[Json]) -> Iterator[Difference]:
    """Yield the differences of two lists, paired by name or by common runs."""
    name = next((name for name in _NAMING if _is_naming_field(name, before) and _is_naming_field(name, after)), None)
    yield from _by_name(path, name, before, after) if name else _by_run(path, before, after)


def _is_naming_field(name: str, elements: Sequence[Json]) -> bool:
    values = [element.get(name) if isinstance(element, dict) else None for element in elements]
    return all(isinstance(value, (str, int)) for value in values) and len(set(values)) == len(values)


def _by_name(path: Path, name: str, before: Sequence[Json], after: Sequence[Json]) -> Iterator[Difference]:
    """Yield the differences of two lists with elements paired by the field ``name``."""
    old, new = ({element[name]: element for element in side} for side in (before, after))
    for key in dict.fromkeys((*new, *old)):
        yield from _value_differences((*path, _key_step(name, key)), old.get(key, MISSING), new.get(key, MISSING))
    places = [[key for key in side if key in other] for side, other in ((old, new), (new, old))]
    stays = {places[0][start + i] for start, _, size in _runs(*places) for i in range(size)}
    for key in places[1]:
        if key not in stays:
            yield Difference((*path, _key_step(name, key)), key, key, (list(old).index(key), list(new).index(key)))


def _key_step(name: str, key: Json) -> PathStep:
    return ByKey(((name, key),))


def _by_run(path: Path, before: Sequence[Json], after: Sequence[Json]) -> Iterator[Difference]:
    """Yield the differences of two lists with elements paired by common runs."""
    old, new = [list(map(_text, side)) for side in (before, after)]
    gone, come = [], []
    for block in replaced_blocks(old, new):
        pairs = list(_alike(block, before, after))
        for left, right in pairs:
            yield from _value_differences((*path, Index(right)), before[left], after[right])
        gone += _without(block[0], (left for left, _ in pairs))
        come += _without(block[1], (right for _, right in pairs))
    moved = list(_moves([(old[i], i) for i in gone], [(new[i], i) for i in come]))
    for left, right in moved:
        yield Difference((*path, Index(right)), before[left], after[right], (left, right))
    for position in _without(gone, (left for left, _ in moved)):
        yield Difference((*path, Index(position)), before[position], MISSING)
    for position in _without(come, (right for _, right in moved)):
        yield Difference((*path, Index(position)), MISSING, after[position])


def _without(positions: Iterable[int], taken: Iterable[int]) -> list[int]:
    """Return the positions except those that are taken."""
    known = frozenset(taken)
    return [position for position in positions if position not in known]


def _moves(gone: Sequence[tuple[str, int]], come: Sequence[tuple[str, int]]) -> Iterator[tuple[int, int]]:
    """Yield the positions before and after of equal elements that moved."""
    left: dict[str, deque[int]] = {}
    for text, position in gone:
        left.setdefault(text, deque()).append(position)
    for text, position in come:
        if left.get(text):
            yield left[text].popleft(), position


def _alike(block: tuple[range, range], before: Sequence[Json], after: Sequence[Json]) -> Iterator[tuple[int, int]]:
    """Yield the positions of elements of a replaced block that are changes of each other."""
    if len(block[0]) == len(block[1]):
        yield from ((left, right) for left, right in zip(*block, strict=True) if _is_like(before[left], after[right]))
        return
    free = list(block[1])
    for left in block[0]:
        right = next((one for one in free if _is_like(before[left], after[one])), None)
        if right is not None:
            free = [one for one in free if one > right]
            yield left, right


def _is_like(before: Json, after: Json) -> bool:
    if isinstance(before, dict) and isinstance(after, dict):
        same = sum(_text(value) == _text(after.get(name, MISSING)) for name, value in before.items())
        return same >= _LIKE * max(len(before), len(after))
    texts = _text(before), _text(after)
    if type(before) is not type(after) or max(map(len, texts)) > _LONGEST_COMPARED:
        return type(before) is type(after)
    return SequenceMatcher(None, *texts, autojunk=False).ratio() >= _LIKE


def _runs(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """Yield the positions and lengths of the common runs; a common start and end cost little."""
    start = _same_start(before, after)
    end = _same_start(before[start:][::-1], after[start:][::-1])
    yield 0, 0, start
    left, right = before[start : len(before) - end], after[start : len(after) - end]
    if len(left) * len(right) <= _MOST_PAIRS:
        for block in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
            yield start + block.a, start + block.b, block.size
    yield len(before) - end, len(after) - end, end


def _same_start(before: Sequence[Hashable], after: Sequence[Hashable]) -> int:
    """Return the length of the common start."""
    shorter = min(len(before), len(after))
    return next((i for i in range(shorter) if before[i] != after[i]), shorter)


def replaced_blocks(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[tuple[range, range]]:
    """Yield the positions, on both sides, of the blocks between two common runs."""
    left = right = 0
    for start, other, size in _runs(before, after):
        if size or (start, other) == (len(before), len(after)):
            if start > left or other > right:
                yield range(left, start), range(right, other)
            left, right = start + size, other + size


def line_differences(before: str, after: str, around: int = 3) -> list[str]:
    """Return the different lines with their signs and ``around`` lines of context, as ``diff -u`` shows them.

    Omitted lines are counted: ``@@ 12 lines @@`` is not a line of the texts.
    """
    old, new = before.splitlines(), after.splitlines()
    lines: list[str] = []
    shown = 0
    blocks = list(replaced_blocks(old, new))
    for number, (gone, come) in enumerate(blocks):
        start = max(shown, come.start - around)
        if start > shown + 1 and lines:
            lines.append(f"@@ {start - shown} equal lines @@")
        elif lines:
            start = shown
        following = blocks[number + 1][1].start if number + 1 < len(blocks) else len(new)
        shown = min(come.stop + around, following)
        lines += [f"  {line}" for line in new[start : come.start]]
        lines += [f"- {old[i]}" for i in gone] + [f"+ {new[i]}" for i in come]
        lines += [f"  {line}" for line in new[come.stop : shown]]
    return lines


def shorten_both(before: str, after: str, longest: int) -> tuple[str, str]:
    """Return two texts of at most ``longest`` characters, cut (``…``) where they are the same."""
    if max(len(before), len(after)) <= longest:
        return before, after
    start = _same_start(before, after)
    room = longest // 3
    first = 0 if start <= longest - room else start - room
    return _cut(before, first, longest), _cut(after, first, longest)


def _cut(text: str, first: int, longest: int) -> str:
    shown = f"…{text[first + 1 :]}" if first else text
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
