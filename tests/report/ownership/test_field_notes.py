"""Notes on a field of a manifest."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.report.ownership import field_notes
from kubectl_applylint.report.ownership.field_notes import default_notes, note_list, rendered_note
from kubectl_applylint.run.load.run_input import input_of_manifests
from kubectl_applylint.sources.text.manifests import read_text

SERVICE = (
    "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
    "spec: {selector: {app: web}, sessionAffinity: None, ports: [{port: 80}]}\n"
)


def subject(text: str) -> Subject:
    (found,) = input_of_manifests(read_text(text, "web.yaml")).subjects
    return found


@pytest.mark.parametrize(
    ("path", "notes"),
    [
        ("spec.sessionAffinity", ['its value is the server\'s default, "None"']),
        ("spec.ports[0].port", []),
        ("spec.selector", []),
        ("", []),
    ],
)
def test_a_field_has_its_default(path: str, notes: list[str]) -> None:
    assert list(default_notes(subject(SERVICE), parse(path))) == notes


def test_a_value_that_differs_from_the_default_has_it_too() -> None:
    text = SERVICE.replace("sessionAffinity: None", "sessionAffinity: ClientIP")

    assert list(default_notes(subject(text), parse("spec.sessionAffinity"))) == ['the server\'s default is "None"']


def test_an_object_has_the_defaults_inside_it() -> None:
    notes = list(default_notes(subject(SERVICE), parse("spec.ports[0]")))

    assert 'default: protocol is "TCP"' in notes
    assert "default: targetPort is 80, from spec.ports[0].port" in notes


@pytest.mark.parametrize(("path", "start"), [("", "requests.cpu: "), (".requests.cpu", "")])
def test_an_amount_finer_than_stored_is_replaced(path: str, start: str) -> None:
    container = "{name: a, image: b, resources: {requests: {cpu: 0.5m}}}"
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: web}}\nspec: {{containers: [{container}]}}\n"
    notes = list(default_notes(subject(pod), parse(f"spec.containers[0].resources{path}")))

    assert notes == [f'{start}the server stores "1m" instead of "500u"']


def test_many_defaults_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_notes, "_MOST", 1)
    first, *_, last = default_notes(subject(SERVICE), parse("spec"))

    assert first.startswith("default: ")
    assert last.endswith("more defaults")


@pytest.mark.parametrize("text", ["apiVersion: x/v1\nkind: A\nmetadata: {name: a}\n", SERVICE.replace("80", "'80'")])
def test_invalid_objects_have_no_notes_on_defaults(text: str) -> None:
    assert list(default_notes(subject(text), parse("spec"))) == []


@pytest.mark.parametrize(
    ("path", "written", "note"),
    [
        ("spec.sessionAffinity", "ClientIP", 'overlays/prod applies "None", set by patch.yaml:2:3'),
        ("spec.sessionAffinity", "None", ""),
        ("spec.ports", [], ""),
    ],
)
def test_a_unit_may_apply_another_value(path: str, written: Json, note: str) -> None:
    found = subject(SERVICE)
    document = replace(
        found.document, source=found.manifest, set_at=lambda path: Location("patch.yaml", Span(2, 3, 2, 4))
    )

    assert rendered_note(replace(found, document=document), "overlays/prod", parse(path), written) == note
    assert rendered_note(found, "overlays/prod", parse(path), written) == ""


def test_equal_notes_are_listed_once() -> None:
    assert note_list(["a", "b", "a"]) == "- a\n- b"
