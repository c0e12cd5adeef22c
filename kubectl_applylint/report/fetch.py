"""The report of ``fetch``: the sources, with the reasons of those that are not in the store."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json
from kubectl_applylint.report.context import Context

VERSION: Final = "fetch-v1"


@dataclass(frozen=True, slots=True)
class FetchedSource:
    """A source in the report."""

    source: str
    place: str
    """``file:line`` of the object that names it."""
    status: str
    """``stored``, ``fetched``, ``listed`` or ``missing``."""
    version: str = ""
    digest: str = ""
    resolved: str = ""
    """The day on which a range was resolved, empty for an exact version."""
    is_private: bool = False
    reason: str = ""
    advice: str = ""
    size: int = 0
    seconds: float = 0.0


def fetch_json(sources: Iterable[FetchedSource], context: Context) -> str:
    """Return the sources as JSON, as ``schemas/fetch-v1.json`` describes it."""
    tool: Json = {"name": "kubectl-applylint", "version": context.version}
    content: Json = {"version": VERSION, "tool": tool, "sources": [_source(one) for one in sources]}
    return json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _source(one: FetchedSource) -> Json:
    return {
        "source": one.source,
        "location": one.place,
        "status": one.status,
        "chartVersion": one.version or None,
        "digest": one.digest or None,
        "resolved": one.resolved or None,
        "private": one.is_private,
        "reason": one.reason or None,
        "advice": one.advice or None,
        "bytes": one.size,
        "seconds": round(one.seconds, 3),
    }


def fetch_text(sources: Sequence[FetchedSource]) -> str:
    """Return the report as text: a line for each downloaded or listed source, and the total."""
    shown = [one for one in sources if one.status in ("fetched", "listed")]
    lines = [f"{one.status:8}{one.source}{_version(one)}\n" for one in shown]
    counts = {name: sum(one.status == name for one in sources) for name in ("fetched", "stored", "listed", "missing")}
    total = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    size = sum(one.size for one in sources)
    return "".join(lines) + f"{total or 'nothing to fetch'}{f'; {_bytes(size)} received' if size else ''}\n"


def _version(one: FetchedSource) -> str:
    return f" -> {one.version}" if one.resolved else ""


def _bytes(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB" if size >= 1 << 20 else f"{size / (1 << 10):.1f} KiB"
