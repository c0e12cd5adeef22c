"""Parts of a fix that are printed in a case."""

import json
from dataclasses import replace

import pytest

from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.fixes.text import conditional_words, fix_text
from tests.rules.stories import subject

WEB: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "labels": {"example.com/a~b": "c", "a b": "d"}},
    "spec": {"template": {"spec": {"containers": [{"name": "proxy"}, {"name": "web", "image": "nginx"}]}}},
}
TEMPLATE = (
    "# first\nkubectl get {existing}\n# if it is new\nkubectl create {new}\nkubectl diff\n# last\nkubectl apply\n"
)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"existing": "a", "new": "b"}, TEMPLATE.format(existing="a", new="b")),
        ({"existing": "", "new": "b"}, TEMPLATE.replace("kubectl get {existing}\n", "").format(new="b")),
        (
            {"existing": "a", "new": ""},
            "# first\nkubectl get a\n# if it is new\nkubectl diff\n# last\nkubectl apply\n",
        ),
    ],
    ids=["all are so", "the object is new", "the object exists"],
)
def test_lines_with_an_empty_word_are_left_out(words: dict[str, str], text: str) -> None:
    assert fix_text(TEMPLATE, words) == text


def test_with_a_comment_its_commands_are_left_out() -> None:
    template = "# of {twins}\nkubectl get a\nkubectl get b\n# of {keyed}\nkubectl get c\n"

    assert fix_text(template, {"twins": "", "keyed": "80"}) == "# of 80\nkubectl get c\n"


@pytest.mark.parametrize(
    ("live", "existing", "new"),
    [
        (Absent(), "", "deployment/web"),
        (Unknown("no cluster"), "deployment/web", ""),
        (Present(WEB), "deployment/web", ""),
    ],
    ids=["absent", "unknown", "present"],
)
def test_an_object_exists_or_is_new(live: Knowledge, existing: str, new: str) -> None:
    known = subject(WEB)
    words = conditional_words(replace(known, state=replace(known.state, live=live)), (), "deployment/web", "")

    assert (words["existing"], words["new"]) == (existing, new)


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("spec.template.spec.containers[name=web].image", "/spec/template/spec/containers/1/image"),
        ('metadata.labels["example.com/a~b"]', "/metadata/labels/example.com~1a~0b"),
        ('metadata.labels["a b"]', ""),
        ("spec.replicas", ""),
    ],
    ids=["by key", "escaped", "needs quotes", "not live"],
)
def test_a_pointer_names_a_live_field(path: str, pointer: str) -> None:
    known = subject(WEB)
    live = replace(known, state=replace(known.state, live=Present(WEB)))

    assert conditional_words(live, parse(path), "deployment/web", "")["pointer"] == pointer


def test_fields_of_the_last_apply_are_named() -> None:
    known = subject(WEB)
    applied = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3}}
    live = {**WEB, "metadata": {"name": "web", "annotations": {LAST_APPLIED: json.dumps(applied)}}}
    words = conditional_words(
        replace(known, state=replace(known.state, live=Present(live))), parse("spec.replicas"), "deployment/web", ""
    )

    assert (words["pointer"], words["remembered"]) == ("", "/spec/replicas")


@pytest.mark.parametrize(("name", "word"), [("web", "deployment/web"), ("Web", "")], ids=["valid", "invalid"])
def test_an_object_whose_creation_fails_is_not_deleted(name: str, word: str) -> None:
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": name, "image": "nginx"}]}}
    known = subject(
        {**WEB, "metadata": {"name": "web"}, "spec": {"selector": {"matchLabels": labels}, "template": template}}
    )

    words = conditional_words(known, (), "deployment/web", "kubectl delete {recreated}")
    assert words["recreated"] == word
