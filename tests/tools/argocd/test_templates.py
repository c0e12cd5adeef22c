import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.templates import has_actions, render

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
        ("{{ . }}", "{{ . }}"),
        ("{{}}", "{{}}"),
    ],
)
def test_actions_of_go_templates(text: str, filled: str) -> None:
    assert render(text, VALUES, is_go=True) == filled


def test_texts_are_filled_wherever_they_stand_and_keys_are_not() -> None:
    value: Json = {"{{name}}": ["{{name}}", {"a": "{{name}}"}, 1, None, True]}

    assert render(value, VALUES, is_go=False) == {"{{name}}": ["web", {"a": "web"}, 1, None, True]}
    assert value == {"{{name}}": ["{{name}}", {"a": "{{name}}"}, 1, None, True]}


def test_what_a_value_brings_is_not_filled_again() -> None:
    assert render("{{a}}", {"a": "{{b}}", "b": "c"}, is_go=False) == "{{b}}"


@pytest.mark.parametrize(("text", "has"), [("a/{{name}}", True), ("{{", True), ("a/{name}", False), ("", False)])
def test_whether_actions_are_left(text: str, has: bool) -> None:
    assert has_actions(text) == has
