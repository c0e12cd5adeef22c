"""Ids that rules had in earlier versions: ``...-refused`` instead of ``...-rejected``.

Ignores and baselines of earlier versions stay valid.
"""

from collections.abc import Collection, Iterable
from typing import Final

_FORMER: Final = "refused"
_CURRENT: Final = "rejected"


def former_id(rule: str) -> str:
    """Return the id that a rule had in earlier versions; its own id if it has not changed."""
    return rule.replace(_CURRENT, _FORMER)


def current_id(name: str, known: Collection[str]) -> str:
    """Return the id of the rule that had ``name`` in an earlier version; ``name`` itself if that is no former id."""
    renamed = name.replace(_FORMER, _CURRENT)
    return renamed if name not in known and renamed in known else name


def current_ids(names: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """Return ``names`` with the current ids of renamed rules."""
    return tuple(current_id(name, known) for name in names)


def rename_note(names: Iterable[str], known: Collection[str]) -> str:
    """Return a note on the names that are former ids; empty without any."""
    changed = [f"{name} is now {current}" for name in names if (current := current_id(name, known)) != name]
    return ", ".join(changed)
