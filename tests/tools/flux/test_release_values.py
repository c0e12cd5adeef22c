"""Values of HelmReleases; ``tests/fidelity/test_record_flux_releases.py`` compares more with the library of Flux."""

import pytest

from kubectl_applylint.core.paths import Field, Index, render
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux.release_values import (
    ValuesError,
    chart_with_values_files,
    places_of_tokens,
    release_values,
)
from kubectl_applylint.tools.flux.substitution import Source
from kubectl_applylint.units.model import ValuesFiles

SOURCES: dict[str, Source] = {
    "base": {"values.yaml": "a: 1\nmap: {x: 1, z: 1}\nlist: [1, 2]\n", "more": "map: {z: 2}\n", "empty": ""},
    "texts": {"number": "5", "quoted": "'5'", "json": '{"a": [1, 2]}', "list": "- a", "wrong": "a: ["},
    "sealed": {"key": Unknown("it is encrypted", written="ENC[x]")},
    "made": Unknown("it is made in the cluster"),
}


def release(*references: JsonObject, values: Json = None) -> JsonObject:
    spec = {"valuesFrom": [{"kind": "ConfigMap", **one} for one in references], "values": values}
    return {"metadata": {"name": "shop", "namespace": "apps"}, "spec": spec}


def source_of(kind: str, namespace: str, name: str) -> Source:
    assert namespace == "apps"
    return SOURCES.get(name)


def reference(name: str, key: str, target: str, **more: Json) -> JsonObject:
    return {"name": name, "valuesKey": key, "targetPath": target, **more}


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        pytest.param(release(), {}, id="nothing"),
        pytest.param(
            release({"name": "base"}, {"name": "base", "valuesKey": "more"}, values={"a": None, "list": [3]}),
            {"a": None, "map": {"x": 1, "z": 2}, "list": [3]},
            id="later ones win",
        ),
        pytest.param(release({"name": "base", "valuesKey": "empty"}), {}, id="an empty text"),
        pytest.param(release({"name": "absent", "optional": True}), {}, id="an optional object"),
        pytest.param(release({"name": "base", "valuesKey": "x", "optional": True}), {}, id="an optional key"),
        pytest.param(release(reference("texts", "number", "a.b")), {"a": {"b": 5}}, id="a number"),
        pytest.param(release(reference("texts", "quoted", "a.b")), {"a": {"b": "5"}}, id="a quoted number"),
        pytest.param(
            release(reference("texts", "json", "a", literal=True)), {"a": '{"a": [1, 2]}'}, id="a literal text"
        ),
        pytest.param(
            release(reference("texts", "number", "map.x"), values={"map": {"x": 1}}),
            {"map": {"x": 5}},
            id="a value of spec.values is replaced in a map",
        ),
        pytest.param(
            release(reference("texts", "number", "x"), values={"x": 1}), {"x": 1}, id="and is not replaced at the top"
        ),
        pytest.param(
            release({"name": "base"}, reference("texts", "number", "map.x"), values={"map": {"x": 1}}),
            {"a": 1, "map": {"x": 1, "z": 1}, "list": [1, 2]},
            id="nor in a map that an object before sets, too",
        ),
    ],
)
def test_values(asked: JsonObject, made: Json) -> None:
    assert release_values(asked, source_of).values == made


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (release({"name": "absent"}), "ConfigMap absent in spec.valuesFrom does not exist"),
        (release({"name": "base", "valuesKey": "x"}), "ConfigMap base in spec.valuesFrom has no key 'x'"),
        (
            release({"name": "texts", "valuesKey": "list"}),
            "ConfigMap texts in spec.valuesFrom: 'list' is not a map in YAML",
        ),
        (
            release({"name": "texts", "valuesKey": "wrong"}),
            "ConfigMap texts in spec.valuesFrom: 'wrong' is not a map in YAML",
        ),
        (release({"kind": "Deployment", "name": "x"}), "spec.valuesFrom cannot refer to the kind 'Deployment'"),
        (
            release(reference("texts", "number", "a[x]")),
            "ConfigMap texts in spec.valuesFrom cannot be set: an index is not a number",
        ),
        (release(reference("texts", "number", "a" + "[0]" * 200)), "the values have too many levels"),
    ],
)
def test_missing_and_invalid_sources_of_values_are_errors(asked: JsonObject, message: str) -> None:
    with pytest.raises(ValuesError) as caught:
        release_values(asked, source_of)

    assert (str(caught.value), render(caught.value.path)) == (message, "spec.valuesFrom[0]")


def test_values_with_too_many_levels_are_rejected() -> None:
    deep: Json = 1
    for _ in range(200):
        deep = {"a": deep}

    with pytest.raises(ValuesError, match="the values have too many levels"):
        release_values(release(values=deep), source_of)


def test_an_unknown_object_is_left_out() -> None:
    found = release_values(release({"name": "base"}, {"name": "made"}, values={"a": 2}), source_of)

    assert found.values == {"a": 2, "map": {"x": 1, "z": 1}, "list": [1, 2]}
    assert [(str(one.reference), one.unknown.reason, one.token) for one in found.holes] == [
        ("ConfigMap made", "it is made in the cluster", "")
    ]


def test_a_token_stands_for_an_unknown_text() -> None:
    found = release_values(release(reference("sealed", "key", "a.b")), source_of)
    again = release_values(release({"name": "base"}, reference("sealed", "key", "c")), source_of)
    token = found.holes[0].token

    assert found.values == {"a": {"b": token}}
    assert again.values["c"] == token
    assert dict(places_of_tokens({"x": [f"http://{token}/", 1], "y": "z"}, {token: Unknown("why")})) == {
        (Field("x"), Index(0)): Unknown("why", written=f"http://{token}/")
    }


def test_texts_of_secrets_are_known_for_masking() -> None:
    found = release_values(release({"kind": "Secret", "name": "base"}, {"name": "base"}), source_of)

    assert found.secrets == ("a: 1\nmap: {x: 1, z: 1}\nlist: [1, 2]\n",)


CHART = {"values.yaml": b"a: 1\nb: 1\n", "prod.yaml": b"b: 2\nc: 1000000\n", "list.yaml": b"- a"}


def with_files(*names: str) -> ValuesFiles:
    return ValuesFiles(names)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        pytest.param(ValuesFiles(), b"a: 1\nb: 1\n", id="no files"),
        pytest.param(with_files("values.yaml", "./prod.yaml"), b"a: 1\nb: 2\nc: 1000000\n", id="in order"),
        pytest.param(with_files("prod.yaml"), b"b: 2\nc: 1000000\n", id="without the values of the chart"),
        pytest.param(ValuesFiles(("no.yaml",), ignores_missing=True), b"", id="a missing file"),
    ],
)
def test_values_files(asked: ValuesFiles, text: bytes) -> None:
    assert chart_with_values_files(asked, CHART) == {**CHART, "values.yaml": text}


def test_values_files_of_a_source() -> None:
    found = chart_with_values_files(with_files("apps/x.yaml"), CHART, {"apps/x.yaml": b"x: 1\n"})

    assert found["values.yaml"] == b"x: 1\n"


@pytest.mark.parametrize(
    ("name", "chart", "message"),
    [
        ("../no.yaml", CHART, "the values file ../no.yaml does not exist"),
        ("list.yaml", CHART, "the values file list.yaml is not a map in YAML"),
        ("prod.yaml", {"prod.yaml": b""}, "the chart has no values.yaml"),
    ],
)
def test_values_files_that_flux_rejects(name: str, chart: dict[str, bytes], message: str) -> None:
    with pytest.raises(ValuesError, match=message):
        chart_with_values_files(with_files(name), chart)
