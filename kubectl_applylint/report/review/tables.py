"""The facts of a plan in a comment: tables of images and charts, and a line for each definition and cluster."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.report.facts.charts import ChartChange
from kubectl_applylint.report.facts.definition_changes import DefinitionChange
from kubectl_applylint.report.facts.facts import ClusterChange, Facts
from kubectl_applylint.report.facts.images import ImageChange, repository
from kubectl_applylint.report.review.markup import details_tag, inert_text, size
from kubectl_applylint.report.words import count

_MOST_ROWS: Final = 10
"""The number of rows of a table that is not folded."""
_MOST_NAMES: Final = 5
"""The number of fields that are named."""
_UNTAGGED: Final = "without a tag"
_DIGEST: Final = regex(r"(@sha256:[0-9a-f]{7})[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class FactBlocks:
    """The blocks of the facts, by their place in a comment."""

    clusters: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()

    @property
    def blocks(self) -> tuple[str, ...]:
        """All blocks."""
        return (*self.clusters, *self.tables, *self.noise)


def fact_blocks(facts: Facts, room: int) -> FactBlocks:
    """Return the blocks of the facts of a plan in at most ``room`` characters; rows that do not fit are counted."""
    share = room // 5
    images = _table("image", "| image | change | objects |\n|---|---|---|", map(_image_row, facts.images), share)
    charts = _table(
        "chart", "| chart | version | application | releases |\n|---|---|---|---|", map(_chart_row, facts.charts), share
    )
    definitions = _table("definition", "", map(_definition_line, facts.definitions), share)
    clusters = _table("cluster", "", map(_cluster_line, facts.clusters), share)
    noise = [line for line in _noise(facts.noise) if size([line]) <= share]
    return FactBlocks(tuple(clusters), (*images, *charts, *definitions), tuple(noise))


def _table(noun: str, head: str, rows: Iterable[str], room: int) -> Iterator[str]:
    """Yield a table or a list, folded if it is long, and the number of rows that do not fit."""
    every = [*rows]
    title = details_tag(f"<b>{count(len(every), noun)}</b>")
    free = room - size([title, head, "</details>", _more(every, noun)])
    shown = every[: sum(end <= free for end in accumulate(size([row]) for row in every))]
    rest = _more(every[len(shown) :], noun)
    body = "\n".join(filter(None, (head, *shown)))
    if shown and len(every) <= _MOST_ROWS + 1:
        yield body
        yield from [rest] if rest else ()
    elif every and free >= 0:
        yield "\n\n".join(filter(None, (title, body if shown else "", rest, "</details>")))


def _more(rows: Sequence[str], noun: str) -> str:
    return count(len(rows), f"more {noun}") if rows else ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _image_row(change: ImageChange) -> str:
    names = dict.fromkeys(repository(image) for image in (change.before, change.after) if image)
    before, after = (image and (_version(image) or _UNTAGGED) for image in (change.before, change.after))
    return _row([" → ".join(map(inert_text, names)), _arrow(before, after), _names(change.objects)])


def _version(image: str) -> str:
    """Return the tag and the digest of an image."""
    return image.removeprefix(repository(image)).removeprefix(":")


def _chart_row(change: ChartChange) -> str:
    app = _arrow(change.app_before or change.app_after, change.app_after or change.app_before)
    return _row([inert_text(change.name), _arrow(change.before, change.after), app, _names(change.releases)])


def _arrow(before: str, after: str) -> str:
    """Return both versions of a change, one if they are equal, or the one that is added or removed."""
    if before and after:
        return _short(before) if before == after else f"{_short(before)} → {_short(after)}"
    verb = "added" if after else "removed"
    return f"{verb} {_short(before or after)}" if before or after else ""


def _short(version: str) -> str:
    """Return a version with the beginning of its digest."""
    return inert_text(_DIGEST.sub(r"\1", version))


def _names(names: Sequence[str]) -> str:
    more = len(names) - 1
    return inert_text(names[0]) + (f" and {more} more" if more > 0 else "")


def _definition_line(change: DefinitionChange) -> str:
    parts = [
        *_come_and_go("version", change.versions_added, change.versions_removed),
        *_come_and_go("field", change.fields_added, change.fields_removed),
    ]
    return f"- {inert_text(change.name)}: {'; '.join(parts)}"


def _come_and_go(noun: str, added: Sequence[str], removed: Sequence[str]) -> Iterator[str]:
    for verb, names in (("removed", removed), ("added", added)):
        more = len(names) - _MOST_NAMES
        shown = ", ".join(map(inert_text, names[:_MOST_NAMES])) + (f" and {more} more" if more > 0 else "")
        if names:
            yield f"{count(len(names), noun)} {verb} ({shown})"


def _cluster_line(change: ClusterChange) -> str:
    words = ", ".join(f"{number} {inert_text(word)}" for word, number in change.objects)
    return f"- <b>{inert_text(change.name or 'other units')}</b>: {count(change.units, 'unit')}: {words}"


def _noise(kinds: Sequence[tuple[str, int]]) -> Iterator[str]:
    if kinds:
        objects = count(sum(number for _, number in kinds), "object")
        words = ", ".join(f"{number} × {inert_text(kind)}" for kind, number in kinds[:_MOST_NAMES])
        more = count(len(kinds) - _MOST_NAMES, "more kind")
        rest = f" and {more}" if len(kinds) > _MOST_NAMES else ""
        yield f"- only chart labels, checksums and CA bundles change in {objects}: {words}{rest}"
