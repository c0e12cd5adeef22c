"""Templates of ResourceSets, as Go's ``text/template`` renders them with the functions of slim-sprig."""

from time import process_time

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.flux.set_functions import TemplateError
from kubectl_applylint.tools.flux.set_template import render

INPUTS: JsonObject = {
    "name": "web",
    "replicas": 2,
    "ratio": 0.5,
    "on": True,
    "off": False,
    "none": None,
    "apps": ["a", "b"],
    "labels": {"tier": "front", "app": "web"},
}
# ``tests/cluster/test_set_templates.py`` compares these with text/template, slim-sprig 3.0.0 and slug 1.15.0.
CASES = {
    "plain": "plain",
    "<< inputs.name >>": "web",
    "<<inputs.name>>-<<inputs.replicas>>": "web-2",
    "a <<- inputs.name ->> b": "awebb",
    "a <<- /* note */ ->> b": "ab",
    "<</* << >> */>>x": "x",
    "<< inputs.ratio >> << inputs.on >> << inputs.none >>": "0.5 true <no value>",
    "<< inputs.labels >> << inputs.apps >>": "map[app:web tier:front] [a b]",
    "<< inputs.name | quote >>": '"web"',
    "<< inputs.name | squote >>": "'web'",
    '<< quote "a\\"b" 1 >>': '"a\\"b" "1"',
    "<< inputs.name | upper | lower >>": "web",
    '<< inputs.name | replace "w" "v" >>': "veb",
    '<< inputs.name | trimPrefix "w" | trimSuffix "b" >>': "e",
    '<< default "x" inputs.none >><< default "x" inputs.name >>': "xweb",
    '<< if eq inputs.name "web" "db" >>yes<< else >>no<< end >>': "yes",
    '<< if ne inputs.name "web" >>yes<< else if inputs.on >>other<< else >>no<< end >>': "other",
    "<< if and inputs.on (not inputs.off) >>yes<< end >>": "yes",
    "<< if or inputs.off inputs.on inputs.missing >>yes<< end >>": "yes",
    "<< if gt inputs.replicas 1 >>many<< end >>": "many",
    "<< range $i, $app := inputs.apps >><< $i >>:<< $app >>;<< end >>": "0:a;1:b;",
    "<< range inputs.apps >><< . >>,<< end >>": "a,b,",
    "<< range $key, $value := inputs.labels >><< $key >>=<< $value >> << end >>": "app=web tier=front ",
    "<< range inputs.none >>x<< else >>empty<< end >>": "empty",
    "<< with inputs.labels >><< .tier >><< end >>": "front",
    "<< with $x := inputs.name >><< $x >><< else >>none<< end >>": "web",
    "<< $x := inputs.labels >><< $x.tier >>": "front",
    "<< inputs.labels | toYaml | nindent 2 >>": "\n  app: web\n  tier: front\n  ",
    "<< inputs.labels | toJson >>": '{"app":"web","tier":"front"}',
    '<< index inputs.labels "tier" >><< index inputs.apps 1 >>': "frontb",
    '<< printf "%s-%d" inputs.name 3 >>': "web-3",
    '<< join "," inputs.apps >> << len inputs.apps >>': "a,b 2",
    '<< "2" | int >> << add 1 2 >>': "2 3",
    '<< "Hello, World & more" | slugify >>': "hello-world-and-more",
    '<< ">=1.0.0-rc.0" | slugify >>': "1-0-0-rc-0",
    '<< ternary "a" "b" inputs.on >>': "a",
    '<< "abc" | trunc 2 >><< "abc" | trunc -1 >>': "abc",
    '<< "a" | b64enc >>': "YQ==",
    '<< contains "e" inputs.name >> << hasPrefix "w" inputs.name >>': "true true",
    "<< `raw` >>": "raw",
}


@pytest.mark.parametrize(("template", "text"), CASES.items(), ids=CASES)
def test_a_template_is_rendered(template: str, text: str) -> None:
    assert render(template, INPUTS) == text


@pytest.mark.parametrize(
    ("template", "reason"),
    {
        "<< inputs.missing >>": "inputs.missing is not set",
        "<< inputs.name.inner >>": "inputs.name.inner is not set",
        "<< now >>": "the function now is not supported",
        "<< inputs.name | genCA >>": "the function genCA is not supported",
        '<< inputs.name | indent "x" >>': "the function indent fails with its arguments",
        "<< eq inputs.name 1 >>": "the function eq fails with its arguments",
        "<< inputs.name": "an action has no end",
        "<< if inputs.on >>": "<< if >> has no end",
        "<< if inputs.on >>a<< else >>b": "<< if >> has no end",
        "<< end >>": "unexpected << end >>",
        "<< $x >>": "the variable $x is not defined",
        "<< $x = 1 >>": "assignments to variables are not supported",
        '<< template "x" >>': "the function template is not supported",
        "<< range inputs.name >>x<< end >>": "range needs a list or a map",
        "<< (inputs.name >>": "a parenthesis is not closed",
        "<< ! >>": "<< ! >> is not supported",
        "<< >>": "<<  >> is not supported",
        "<< inputs.name | >>": "a command is empty",
        '<< "a" 1 >>': "a value has arguments",
        f"<< {'(' * 60}1{')' * 60} >>": "parentheses are nested too deeply",
        f"{'<< if 1 >>' * 60}{'<< end >>' * 60}": "blocks are nested too deeply",
        "x" * 300_000: "the template is too long",
        "<< if inputs.on >>a<< else range inputs.apps >>b<< end >>": "<< else range inputs.apps >> is not supported",
    }.items(),
    ids=range(23),
)
def test_unsupported_functions_and_missing_inputs_are_named(template: str, reason: str) -> None:
    with pytest.raises(TemplateError) as caught:
        render(template, INPUTS)
    assert str(caught.value) == reason


def test_without_inputs_no_name_is_set() -> None:
    assert render("a", None) == "a"
    with pytest.raises(TemplateError):
        render("<< inputs.a >>", None)


@pytest.mark.parametrize(
    "template",
    [
        "<< range inputs.list >>" * 6 + "xx" + "<< end >>" * 6,
        "<< range inputs.list >>" * 40 + "xx" + "<< end >>" * 40,
        "<< $x := inputs.list >>" + "<< $x := list $x $x >>" * 60 + "<< $x >>",
        '<< $x := "abcdefgh" >>' + '<< $x := printf "%s%s" $x $x >>' * 60,
        f"<< replace `a` `{'b' * 60_000}` `{'a' * 60_000}` >>",
        f"<< join `{'b' * 60_000}` (splitList `,` `{',' * 60_000}`) >>",
        "<< quote" + " inputs.long" * 10_000 + " >>",
        "<<" * 50_000,
        "<< /*" * 50_000,
        '<< "' * 50_000,
    ],
    ids=range(10),
)
def test_work_is_limited(template: str) -> None:
    inputs: JsonObject = {"list": [*range(100)], "long": "x" * 100_000}
    start = process_time()

    with pytest.raises(TemplateError):
        render(template, inputs)
    assert process_time() - start < 5
