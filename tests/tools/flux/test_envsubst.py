"""Expressions; ``tests/fidelity/test_record_flux_builds.py`` compares more with those of Flux."""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.tools.flux.envsubst import Parts, SubstitutionError, ValueHole, substitute

SECRET = Unknown("a Secret of the cluster")


def evaluate(text: str, **variables: str | Unknown) -> Parts:
    return substitute(text, variables.get, is_strict=True)


@pytest.mark.parametrize(
    ("template", "parts"),
    [
        ("${x}", (ValueHole("x", "${x}", SECRET.reason),)),
        ("a ${x^^} b", ("a ", ValueHole("x", "${x^^}", SECRET.reason), " b")),
        ("${x:-default}", (ValueHole("x", "${x:-default}", SECRET.reason),)),
        ("${set:-${x}}", ("value",)),
        ("${unset:-a${x}}", ("a", ValueHole("x", "${x}", SECRET.reason))),
        ("${set/v/${x}}", (ValueHole("x", "${set/v/${x}}", SECRET.reason),)),
        ("$${x}", ("${x}",)),
    ],
)
def test_a_value_that_depends_on_an_unknown_one_is_a_hole(template: str, parts: Parts) -> None:
    assert evaluate(template, set="value", x=SECRET) == parts


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("${" + "a:-${" * 200, "expressions are nested more than 100 levels deep"),
        ("${a//x/${a}}", "the result has more than 16 MiB"),
        ("${a}" * 1000, "the result has more than 16 MiB"),
        ("${a^^}" * 1000, "the result has more than 16 MiB"),
        pytest.param("${b%%*x*y*}" * 2000, "the result has more than 16 MiB", marks=pytest.mark.slow),
    ],
)
def test_work_has_a_bound(template: str, message: str) -> None:
    with pytest.raises(SubstitutionError, match=message):
        evaluate(template, a="x" * 100_000, b="b" * 50_000)


@pytest.mark.parametrize("template", ["${x:é}", "${x:", "${#", "${", "${x", "${x:-", "${x/", "${x#}", "${-x}"])
def test_expressions_that_flux_cannot_read_are_errors(template: str) -> None:
    with pytest.raises(SubstitutionError):
        evaluate(template, x="value")


def test_a_text_ends_at_a_nul_character() -> None:
    assert evaluate("a\0b") == ("a",)
    assert evaluate("") == ()
