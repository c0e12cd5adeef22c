"""The checks, one module each, found by name.

A check module contains ``check``, a generator of at most 30 lines, and, if its parameters need their own error
messages, ``faults``. Modules are imported when a rule runs, so that unused ones cost nothing.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from kubectl_applylint.core.regex import regex
from kubectl_applylint.lint.model import Hits, Params, Rule, Subject

REJECTIONS = "rejections"
"""The check that explains the errors of an apply."""
_NAME = regex(r"[a-z][a-z0-9_]*\Z")
_WORD = regex(r"[a-z][a-z0-9_]*")


class Check(Protocol):
    """The signature of ``check`` in a check module."""

    def __call__(self, subject: Subject, *, params: Params) -> Hits:
        """Yield the places of ``subject`` that the rule is about."""


def exists(name: str) -> bool:
    """Return whether a check of that name exists, without importing it."""
    return bool(_NAME.match(name)) and find_spec(f"{__name__}.{name}") is not None


@cache
def load(name: str) -> Check:
    """Return the check of that name; raise ``ModuleNotFoundError`` if there is none."""
    check: Check = import_module(f"{__name__}.{name}").check
    return check


def facts(name: str) -> frozenset[str]:
    """Return the words that a check may use as facts: those that it lists, or else all in its docstring."""
    module = import_module(f"{__name__}.{name}")
    listed = getattr(module, "FACTS", None)
    return listed if listed is not None else frozenset(_WORD.findall(f"{module.__doc__} {module.check.__doc__}"))


def faults(rule: Rule) -> tuple[str, ...]:
    """Return the errors in the parameters of a rule that its check detects before it runs."""
    if not rule.check:
        return ()
    look = getattr(import_module(f"{__name__}.{rule.check}"), "faults", None)
    return tuple(look(rule)) if look else ()
