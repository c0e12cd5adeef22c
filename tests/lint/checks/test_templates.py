import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import MISSING, Json, Missing, equal
from kubectl_applylint.lint.checks._templates import first_difference, normal_form
from tests.rules.stories import SCHEMA

KIND = SCHEMA.kind("v1", "Pod")
assert KIND
ROOT = KIND.root


def pod(**spec: Json) -> Json:
    return {"spec": spec}


def env(*names: str, **values: str) -> Json:
    return {"env": [{"name": name, "value": values.get(name, "1")} for name in names]}


def web(*fields: Json) -> Json:
    return pod(containers=[{"name": "web", **{key: value for part in fields for key, value in part.items()}}])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (web(env("A", "B")), web(env("B", "A"))),
        (web({"image": "nginx"}), web({"image": "nginx:latest"})),
        (web({"securityContext": {}}), web()),
        (pod(affinity={"nodeAffinity": {}}), pod()),
        (pod(volumes=[{"name": "a"}, {"name": "b"}]), pod(volumes=[{"name": "b"}, {"name": "a"}])),
    ],
    ids=["variables", "tag", "empty block", "block that gets empty", "volumes"],
)
def test_another_form_of_the_same(one: Json, other: Json) -> None:
    assert equal(normal_form(one, ROOT), normal_form(other, ROOT))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (web(env("A", "B", A="$(B)")), web(env("B", "A", A="$(B)"))),
        (web({"args": ["a", "b"]}), web({"args": ["b", "a"]})),
        (web({"image": "nginx:1"}), web({"image": "nginx:latest"})),
        (pod(containers=[{"name": "a"}, {"name": "b"}]), pod(containers=[{"name": "b"}, {"name": "a"}])),
        (pod(tolerations=[]), pod()),
        (web(env("A", "A", A="1")), web(env("A"))),
        (pod(volumes=[{"name": "a", "emptyDir": {}}]), pod(volumes=[{"name": "a"}])),
    ],
    ids=["references", "arguments", "another tag", "containers", "empty list", "twice", "empty volume"],
)
def test_something_else(one: Json, other: Json) -> None:
    assert not equal(normal_form(one, ROOT), normal_form(other, ROOT))


@pytest.mark.parametrize(
    ("one", "other", "path"),
    [
        (web(env("A", "B")), web(env("B", "A")), "spec.containers[0].env"),
        (web({"image": "a"}), web({"image": "b"}), "spec.containers[0].image"),
        (web({"stdin": True}), web(), "spec.containers[0].stdin"),
        (MISSING, pod(), ""),
        (pod(unheard={"of": 1}), pod(unheard={"of": 2}), "spec.unheard.of"),
        (pod(), pod(), ""),
        (web(env("A")), web(env("A")), ""),
    ],
    ids=["order", "value", "left out", "all", "unknown field", "nothing", "nothing in a list"],
)
def test_first_difference(one: Json | Missing, other: Json | Missing, path: str) -> None:
    assert render(first_difference(one, other, ROOT, ())) == path
