from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, fields
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.report.html.margins import (
    NO_OWNER,
    owned_lines,
    owners_around,
    owners_at,
    owners_of,
    positional_path,
)
from kubectl_applylint.report.html.values import OwnedLines
from tests.report.html.samples import IMAGE, POD, deployment

WEB = deployment("web", "web:2")
OWNERS = owners_of(WEB)
CONTROLLER = "kube-controller-manager (update)"


def test_owners_are_known_by_path() -> None:
    assert OWNERS[fields("spec", "replicas")] == (CONTROLLER,)
    assert OWNERS[(*POD, Index(0), Field("image"))] == ("kubectl",)
    assert owners_of({"kind": "Secret"}) == {}


def test_elements_of_lists_have_positions() -> None:
    item: JsonObject = {"l": [{"name": "a"}, {"name": "b"}], "s": ["x", "y"]}

    assert positional_path(item, (Field("l"), ByKey((("name", "b"),)), Field("name"))) == (
        Field("l"),
        Index(1),
        Field("name"),
    )
    assert positional_path(item, (Field("s"), ByValue("y"))) == (Field("s"), Index(1))
    assert positional_path(item, (Field("s"), ByValue("z"))) == (Field("s"), ByValue("z"))


def test_owners_of_a_part_are_those_around_it_or_below_it() -> None:
    owners = {fields("spec", "selector"): ("a",), fields("spec", "replicas"): ("b",)}

    assert owners_at(owners, fields("spec", "selector", "app")) == ("a",)
    assert owners_at(owners, fields("spec")) == ("a", "b")
    assert owners_around(owners, fields("spec")) == ()
    assert owners_at(OWNERS, positional_path(WEB, IMAGE)) == ("kubectl",)


def test_lines_of_the_same_owners_stand_together() -> None:
    assert owned_lines(WEB, OWNERS) == (
        OwnedLines((), ("apiVersion: apps/v1", "kind: Deployment", "metadata:", "  name: web", "  namespace: shop")),
        OwnedLines((CONTROLLER,), ("spec:", "  replicas: 3")),
        OwnedLines((NO_OWNER,), ("  paused: false",)),
        OwnedLines(
            ("kubectl",),
            ("  template:", "    spec:", "      containers:", "      - name: web", "        image: web:2"),
        ),
        OwnedLines((NO_OWNER,), ("        args:", '        - "|\\n"')),
    )


def test_all_lines_of_a_text_have_its_owner() -> None:
    owners = {fields("data", "a"): ("kubectl", "helm")}

    assert owned_lines({"kind": "X", "data": {"a": "1\n2\n"}}, owners) == (
        OwnedLines((), ("kind: X",)),
        OwnedLines(("kubectl", "helm"), ("data:", "  a: |", "    1", "    2")),
    )


def test_without_managers_no_line_has_an_owner() -> None:
    (run,) = owned_lines({"spec": {"a": 1}}, {})

    assert run.owners == ()
