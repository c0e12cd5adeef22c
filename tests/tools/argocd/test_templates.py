from collections.abc import Mapping

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.templates import MissingName, RejectedNameError, has_actions, render

VALUES = {"name": "web", "path": "a/b", "path.path": "a/b", "path[0]": "a", "empty": ""}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{name}}", "web"),
        ("x-{{ path[0] }}/{{name}}", "x-a/web"),
        ("{{empty}}", ""),
        ("{{other}}", "{{other}}"),
        ("{{.name}}", "{{.name}}"),
        ("{{{name}}}", "{web}"),
        ("{{name", "{{name"),
        ("{name}", "{name}"),
    ],
)
def test_actions_of_plain_templates(text: str, filled: str) -> None:
    assert render(text, VALUES, is_go=False) == filled


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{.name}}", "web"),
        ("{{ .path.path }}", "a/b"),
        ("{{ index .path.segments 0 }}", "a"),
        ("{{ index .path.segments 7 }}", "{{ index .path.segments 7 }}"),
        ("{{name}}", "{{name}}"),
        ("{{ .name | upper }}", "WEB"),
        ("{{ .other | upper }}-{{ .name }}", "{{ .other | upper }}-web"),
        ('{{ default "x" .empty }}', "x"),
        ('{{- if eq .name "web" }}a{{ else }}b{{ end }}', "a"),
        ('{{ if eq .name "web" }}{a: {b: c}}{{ end }}', "{a: {b: c}}"),
        ("{{ getHostByName .name }}", "{{ getHostByName .name }}"),
        ('{{ index .path.segments 0 | printf "%s-x" }}', "a-x"),
        ('{{ "{{ .path }}" }}', "{{ .path }}"),
        ("{{ `{{ .path }}` }}-{{ .name | upper }}", "{{ .path }}-WEB"),
        ('{{- /* "a comment" with } */ -}}{{ "a \\"}}\\"" }}', 'a "}}"'),
        ("{{ . }}", "{{ . }}"),
        ("{{}}", "{{}}"),
    ],
)
def test_actions_of_go_templates(text: str, filled: str) -> None:
    assert render(text, VALUES, is_go=True) == filled


TYPED: Mapping[str, Json] = {
    "on": True,
    "off": False,
    "port": 8080.0,
    "many": 1e6,
    "deep.name": "web",
    "list": ["a", {"b": "c"}],
}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{ .on }}{{ .port }}", "true8080"),
        ("{{ .many }}", "1e+06"),
        ("{{ if .on }}a{{ end }}{{ if .off }}b{{ end }}", "a"),
        ('{{ ternary "a" "b" .off }}', "b"),
        ("{{ range .list }}{{ . }},{{ end }}", "a,map[b:c],"),
        ('{{ dig "deep" "name" "x" . }}{{ dig "deep" "more" "x" . }}', "webx"),
        ('{{ printf "%s=%s" "A" (dig "no" "false" . | toString) }}', "A=false"),
        ("{{ .deep | toYaml }}", "name: web"),
        ("{{ $x := .deep }}{{ $x.name }}{{ $.deep.name }}", "webweb"),
        ("{{ .no }}{{ .deep.no.more }}", "{{ .no }}{{ .deep.no.more }}"),
        ('{{ .no | default "x" }}', '{{ .no | default "x" }}'),
        ("{{ .port | upper }}", "{{ .port | upper }}"),
    ],
)
def test_values_in_go_templates_keep_their_types(text: str, filled: str) -> None:
    assert render(text, TYPED, is_go=True) == filled


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{ .no }}{{ .deep.no.more }}", "<no value><no value>"),
        ('{{ .no | default "x" }}{{ if .no }}a{{ else }}b{{ end }}', "xb"),
        ("{{ .no | upper }}", "{{ .no | upper }}"),
        ("{{ .deep.name.more }}", "{{ .deep.name.more }}"),
    ],
)
def test_names_without_a_value_are_null_if_all_names_are_known(text: str, filled: str) -> None:
    assert render(text, TYPED, is_go=True, missing=MissingName.EMPTY) == filled


def test_names_of_labels_and_annotations_may_have_dots() -> None:
    values = {
        "metadata.labels.example.com/env": "prod",
        "metadata.annotations.example.com/host": "h",
        "metadata.x": "y",
    }
    text = '{{ index .metadata.labels "example.com/env" }} {{ toYaml .metadata.annotations }} {{ upper .metadata.x }}'

    assert render(text, values, is_go=True) == "prod example.com/host: h Y"


def test_a_label_of_a_cluster_that_is_not_there_is_an_empty_text() -> None:
    values = {"metadata.labels.env": "prod", "other.a": "b"}
    text = '{{ index .metadata.labels "env" }}{{ index .metadata.labels "no" }}{{ index .other "no" }}'

    assert render(text, values, is_go=True) == "prod<no value>"
    assert render("{{ .metadata.labels.no }}", values, is_go=True) == "{{ .metadata.labels.no }}"


@pytest.mark.parametrize("text", ["{{ .no }}", '{{ .no | default "x" }}', "{{ if .no }}a{{ end }}", "{{ .deep.no }}"])
def test_a_name_without_a_value_may_be_rejected(text: str) -> None:
    with pytest.raises(RejectedNameError, match="no is not set"):
        render(text, TYPED, is_go=True, missing=MissingName.REJECTED)
    assert render("{{ unknown .on }}", TYPED, is_go=True, missing=MissingName.REJECTED) == "{{ unknown .on }}"


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ('{{ upper "a" }}-{{ .no }}', "A-{{ .no }}"),
        ("{{- $x := .no -}} {{ $x }}{{ .deep.name | upper }}", "{{ $x }}WEB"),
        ("{{ $x := .on }}{{ if $x }}{{ $x := .no }}{{ $x }}{{ end }}{{ $x }}", "{{ $x }}true"),
        ('{{ if eq .no "a" }}{{ end }}', '{{ if eq .no "a" }}{{ end }}'),
        ("{{ range .list }}{{ $.no }}{{ end }}", "{{ range .list }}{{ $.no }}{{ end }}"),
        ("{{ with .deep }}{{ .no }}{{ end }}", "{{ with .deep }}{{ .no }}{{ end }}"),
    ],
    ids=["a function beside it", "a variable", "a variable of a block", "a condition", "a loop", "with"],
)
def test_actions_with_unknown_names_are_left_beside_others(text: str, filled: str) -> None:
    assert render(text, TYPED, is_go=True) == filled


def test_a_template_without_any_known_name_is_left_as_it_is() -> None:
    assert render("{{ .name | upper }}", {}, is_go=True) == "{{ .name | upper }}"


def test_texts_are_filled_wherever_they_stand_and_keys_are_not() -> None:
    value: Json = {"{{name}}": ["{{name}}", {"a": "{{name}}"}, 1, None, True]}

    assert render(value, VALUES, is_go=False) == {"{{name}}": ["web", {"a": "web"}, 1, None, True]}
    assert value == {"{{name}}": ["{{name}}", {"a": "{{name}}"}, 1, None, True]}


def test_placeholders_in_values_are_not_rendered_again() -> None:
    assert render("{{a}}", {"a": "{{b}}", "b": "c"}, is_go=False) == "{{b}}"


@pytest.mark.parametrize(("text", "has"), [("a/{{name}}", True), ("{{", True), ("a/{name}", False), ("", False)])
def test_actions_are_found_by_their_double_braces(text: str, has: bool) -> None:
    assert has_actions(text) == has


@pytest.mark.parametrize("action", ['set .m "q" 1', "unset .m .name", "mustMergeOverwrite .m .n"])
def test_a_text_is_not_evaluated_if_a_function_changes_a_parameter(action: str) -> None:
    text = f"{{{{ $_ := {action} }}}}{{{{ .m.q }}}}"

    assert render(text, {"m.a": "b", "name": "a", "n.a": "c"}, is_go=True, missing=MissingName.EMPTY) == text
