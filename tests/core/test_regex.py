"""Patterns that wait to be compiled do what ``re`` does, and all that the program has can be compiled."""

import pkgutil
import re
from importlib import import_module

import pytest

import kubectl_applylint
from kubectl_applylint.core.regex import regex


def test_does_what_a_compiled_pattern_does() -> None:
    """Every method and every attribute is that of ``re.compile``."""
    made, plain = regex(r"(?P<key>\w+)=(\d+)", re.IGNORECASE), re.compile(r"(?P<key>\w+)=(\d+)", re.IGNORECASE)
    text = "a=1 B=22"
    assert [found.groups() for found in made.finditer(text)] == [found.groups() for found in plain.finditer(text)]
    assert made.findall(text) == plain.findall(text)
    assert made.sub("-", text, count=1) == plain.sub("-", text, count=1) == "- B=22"
    assert made.subn("-", text) == plain.subn("-", text)
    assert made.split(text) == plain.split(text)
    assert made.search(text, 1).span() == plain.search(text, 1).span()  # type: ignore[union-attr]  # it is there
    assert made.match(text).span() == (0, 3)  # type: ignore[union-attr]  # it is there
    assert made.fullmatch(text) is None
    assert (made.pattern, made.flags, made.groups) == (plain.pattern, plain.flags, plain.groups)
    assert made.groupindex == plain.groupindex


def test_takes_bytes() -> None:
    """A pattern of bytes looks at bytes."""
    assert regex(rb"b+").sub(b"-", b"abbc") == b"a-c"


def test_compiles_when_first_used() -> None:
    """A bad pattern is noticed by who uses it; what a pattern does not have, this has not."""
    bad = regex("(")
    with pytest.raises(re.error):
        bad.search("")
    assert not hasattr(regex("a"), "other")


@pytest.mark.slow
def test_every_pattern_of_the_program_waits_and_compiles() -> None:
    """No start compiles what the run may not need, and no run meets a bad pattern."""
    kind = type(regex(""))
    names = [one.name for one in pkgutil.walk_packages(kubectl_applylint.__path__, "kubectl_applylint.")]
    modules = [import_module(name) for name in names if not name.endswith("__main__")]
    values = [one for module in modules for one in vars(module).values()]
    found = [one for one in values if isinstance(one, kind)]
    assert len(found) > 200
    for one in found:
        assert isinstance(one.groups, int)
    assert not [one for one in values if isinstance(one, re.Pattern)]
