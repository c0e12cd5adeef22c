"""Templates of ResourceSets, compared with the libraries of the Flux operator: the same text, or none."""

import os

import pytest

from kubectl_applylint.tools.flux.set_functions import TemplateError
from kubectl_applylint.tools.flux.set_template import render
from tests.cluster.build import Unavailable, applier
from tests.cluster.flux_build_program import answers
from tests.tools.flux.test_set_template import CASES, INPUTS

pytestmark = pytest.mark.cluster
MORE = (
    '<< int "012" >> << int "x" >> << int 2.7 >> << "0x1F" | int >> << "1.5" | int >>',
    '<< slugify "a b@c" >> << slugify "x&y" >> << slugify "--a__b--" >> << slugify "a_b.c/d" >>',
    '<< slugify "this-is-a-very-long-name-that-has-more-than-sixty-three-characters-in-it" >>',
    "<< quote inputs.replicas inputs.on inputs.none >> << toYaml inputs.apps >>",
    '<< quote "ä\\n\\t" >> << toJson "<a>&" >> << toYaml "yes" >>',
    "<< eq inputs.none nil >> << eq 1 2 1 >> << le 1 1 >>",
    "<< 1000000.0 >> << 100000000000000000000.0 >> << 1.50 >>",
    "x\n<<- if true >>\ny\n<<- end >>\nz",
    "<< range inputs.apps >><< inputs.name >><< $ >><< end >>",
    "<< $x := 1 >><< if true >><< $x := 2 >><< $x >><< end >><< $x >>",
    "<< eq 1 1.0 >>",
    "<< lt true false >>",
    '<< trunc 1 "ä" >>',
    "<< index inputs.apps 5 >>",
    '<< index inputs.labels "no" >>',
    '[<< get inputs.labels "no" >>] << get inputs.labels "a" >> << get inputs "name" | upper >>',
    '<< get inputs.name "a" >>',
    '<< dig "labels" "a" "none" inputs >> << dig "labels" "no" "none" inputs >> << dig "no" "a" "none" inputs >>',
    '<< dig "name" "a" "none" inputs >>',
    '<< dig "none" inputs >>',
    '<< dig "labels" inputs >>',
    '<< inputs.labels | dig "a" "none" >> << get (dict "a" 1 "b") "a" >> << dict "a" 1 | toJson >>',
    "<< inputs >>",
    "<< now >>",
    "<< upper 1 >>",
    '<< printf "%05d" 1 >>',
    "<< len inputs.none >>",
)


def test_a_template_renders_as_the_operator_renders_it() -> None:
    try:
        program = applier("flux_templates", os.environ)
    except Unavailable as reason:
        pytest.skip(str(reason))
    templates = (*CASES, *MORE)
    asked = [{"Template": one, "Inputs": INPUTS} for one in templates]

    answer_of = dict(zip(templates, answers(program, asked), strict=True))
    assert {one: _text_of(one) for one in answer_of} == {
        one: answer["Text"] if not answer["Error"] and _text_of(one) is not None else None
        for one, answer in answer_of.items()
    }
    assert [one for one in CASES if answer_of[one]["Text"] != CASES[one]] == []


def _text_of(template: str) -> str | None:
    try:
        return render(template, INPUTS)
    except TemplateError:
        return None
