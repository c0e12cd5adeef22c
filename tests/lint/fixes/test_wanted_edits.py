from dataclasses import replace

import pytest

from kubectl_applylint.core.documents import InCluster
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Path, parse
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.fixes.field_edits import FieldEdit, RemoveField, RenameField, SetValue
from kubectl_applylint.lint.fixes.wanted_edits import wanted_edits
from kubectl_applylint.lint.model import Hit, Subject
from tests.lint.test_run import RULE
from tests.rules.stories import subject

SERVICE: JsonObject = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "finalizers": ["a/x", "b/y", "a/x"]},
    "spec": {
        "type": "clusterip",
        "sessionafinity": "None",
        "ports": [{"port": "80", "targetPort": 8080}, {"port": 81}, {"port": 81}, {"port": 82, "name": True}],
    },
}


class Written:
    """Positions of an object that a file holds."""

    def key(self, path: Path) -> Span | None:
        return None

    def value(self, path: Path) -> Span | None:
        return Span(1, 1, 2, 1)


def in_file() -> Subject:
    found = subject(SERVICE)
    return replace(found, document=replace(found.document, positions=Written()))


def edits(verb: str, path: str, **facts: Json) -> tuple[FieldEdit, ...]:
    return wanted_edits(replace(RULE, edit=verb), in_file(), Hit(parse(path), facts))


UNDECODED = "json: cannot unmarshal {} into Go struct field ServicePort.spec.ports.{} of type {}"


@pytest.mark.parametrize(
    ("verb", "path", "message", "wanted"),
    [
        ("remove", "spec.type", "", (RemoveField(parse("spec.type")),)),
        ("remove-twins", "spec.ports[2]", "", (RemoveField(parse("spec.ports[2]")),)),
        ("remove-twins", "spec.ports[0]", "", ()),
        ("remove-twins", "metadata.finalizers", "", (RemoveField(parse("metadata.finalizers[2]")),)),
        ("rename", "spec.sessionafinity", "", (RenameField(parse("spec.sessionafinity"), "sessionAffinity"),)),
        ("rename", "spec.ports[0]", "", ()),
        ("rename", "spec.colour", "", ()),
        ("retype", "", UNDECODED.format("string", "port", "int32"), (SetValue(parse("spec.ports[0].port"), 80),)),
        ("retype", "spec.type", "", ()),
        ("", "spec.type", "", ()),
        ("check", "spec.type", "", ()),
    ],
)
def test_a_rule_says_how_to_edit(verb: str, path: str, message: str, wanted: tuple[FieldEdit, ...]) -> None:
    found = edits(verb, path, message=message)

    assert found[: len(wanted)] == wanted
    assert bool(found) is bool(wanted)


def test_a_value_of_a_wrong_type_is_found_in_every_entry() -> None:
    found = edits("retype", "", message=UNDECODED.format("bool", "name", "string"))

    assert found == (SetValue(parse("spec.ports[3].name"), "true", is_same_text=True),)


@pytest.mark.parametrize(
    ("supported", "wanted"),
    [('"ClusterIP", "NodePort"', "ClusterIP"), ('"NodePort"', ""), ('"ClusterIP", "CLUSTERIP"', "")],
)
def test_a_value_gets_the_capitals_of_the_one_that_is_supported(supported: str, wanted: str) -> None:
    found = edits("recase", "spec.type", supported=supported)

    assert found == ((SetValue(parse("spec.type"), wanted),) if wanted else ())


def test_edits_of_a_check_are_used() -> None:
    edit = RemoveField(parse("spec.type"))

    assert wanted_edits(replace(RULE, edit="check"), in_file(), Hit((), edits=(edit,))) == (edit,)


def test_an_object_of_the_cluster_is_not_edited() -> None:
    found = subject(SERVICE)
    live = replace(found, document=replace(found.document, positions=InCluster(), has_manifest=False))

    assert wanted_edits(replace(RULE, edit="remove"), live, Hit(parse("spec.type"))) == ()
