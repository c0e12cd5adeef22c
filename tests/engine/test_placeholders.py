import pytest

from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.placeholders import (
    differ_besides,
    finished_name,
    is_chart_template,
    is_encrypted,
    is_unfinished,
    is_unfinished_name,
    unfinished_places,
)
from kubectl_applylint.schema import load


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("${CLUSTER_NAME}-pool", True),
        ("{{ .Release.Name }}", True),
        ("<base64 of the token>", True),
        ('Invalid value: "<your-name>": must be', True),
        ({"data": {"token": "<token>"}}, True),
        ({"${KEY}": 1}, True),
        ([1, "${N}"], True),
        ("step-$$name$$", True),
        ("@VERSION@", True),
        ("__NAMESPACE__", True),
        ("PLACEHOLDER_USABLE_ADDRS", True),
        ("YOUR_TOKEN", True),
        ("ENC[AES256_GCM,0123abcd]", True),
        ("ENC[other]", False),
        ("$size", True),
        ('Invalid value: "$name": a lowercase', True),
        ("...base64 encoded data...", True),
        ("and so on ...", False),
        ("......", False),
        ("pay $5", False),
        ({"$patch": "delete"}, False),
        ('Invalid value: {"labels":{"a":{"$unknown":"the uid"}}}: field is immutable', False),
        ("[CLUSTER_NAME]", True),
        ("[a-z]+", False),
        ("NOT_YOURS", False),
        ("__init__", False),
        ("me@EXAMPLE", False),
        ("$(POD_NAME)", False),
        ("a < b and c > d", False),
        ("${}", False),
        ("<", False),
        (None, False),
        ({"replicas": 3}, False),
    ],
    ids=repr,
)
def test_placeholders_are_distinguished_from_values(value: Json, expected: bool) -> None:
    assert is_unfinished(value) is expected


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("metadata.name", "disk-wipe-HOSTNAME", True),
        ("metadata.name", "ROLLOUT_NAME-active", True),
        ("spec.nodeName", "HOSTNAME", True),
        ("metadata.namespace", "NAMESPACE", True),
        ("spec.ports[0].targetPort", "PORT", True),
        ("spec.rules[0].host", "registry.<your domain>", True),
        ("spec.tls[0].hosts[1]", "registry.<your domain>", True),
        ("spec.type", "<your type> of it", False),
        ("metadata.name", "StatefulSet-a", False),
        ("metadata.name", "API-a", False),
        ("spec.type", "CLUSTERIP", False),
        ("metadata.name", 1, False),
    ],
)
def test_names_in_capitals(field: str, value: Json, expected: bool) -> None:
    assert is_unfinished_name(field, value) is expected


@pytest.mark.parametrize(
    ("sops", "expected"), [({"mac": "ENC[x]", "version": "3.7.1"}, True), ({}, False), ("text", False), (None, False)]
)
def test_a_secret_with_metadata_of_sops_is_encrypted(sops: Json, expected: bool) -> None:
    assert is_encrypted({"kind": "Secret", "sops": sops}) is expected


def volume(**spec: Json) -> JsonObject:
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "PV"}, "spec": spec}


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (volume(capacity={"storage": "SIZE"}), [fields("spec", "capacity", "storage")]),
        (volume(capacity={"storage": "${SIZE}"}), [fields("spec", "capacity", "storage")]),
        (volume(nfs={"server": "SERVER_IP"}), []),
        (volume(capacity={"storage": "1Gi"}), []),
        (volume(unknown="SIZE"), []),
    ],
    ids=["a quantity", "a placeholder", "a text", "a value", "no field"],
)
def test_words_in_capitals_are_no_numbers(manifest: JsonObject, expected: list[Path]) -> None:
    kind = load.load("1.36").kind("v1", "PersistentVolume")
    assert kind is not None
    assert list(unfinished_places(manifest, kind.root)) == expected


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"name": "web", "labels": {"app.kubernetes.io/instance": "{{ .Release.Name }}"}}, True),
        ({"name": '{{ include "web.name" . }}'}, True),
        ({"name": "web", "annotations": {"note": '{{- template "web.note" . -}}'}}, True),
        ({"name": "web", "annotations": {"summary": "{{ $labels.instance }} is down"}}, False),
        ({"name": "{{name}}-web"}, False),
        ({"name": "web"}, False),
    ],
)
def test_templates_of_charts_are_recognized_by_their_actions(metadata: JsonObject, expected: bool) -> None:
    manifest: JsonObject = {"kind": "ConfigMap", "metadata": metadata, "data": {"t": "{{ .Values.x }}"}}

    assert is_chart_template(manifest) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("web-${X:-a}", "web-x"), ("<NAME>", "x"), ("{{ name }}-web", "x-web"), ("a-HOSTNAME", "a-x")],
)
def test_a_name_without_its_placeholder(name: str, expected: str) -> None:
    assert finished_name(name) == expected


@pytest.mark.parametrize(
    ("one", "other", "is_sure"),
    [
        ("a ${B}", "c ${B}", True),
        ("a ${B}", "a ${C}", False),
        ("a ${B}", "a b", False),
        ("a ${B}", "c ${D}", True),
        ("${B} a", "${D} c", True),
        ("a ${B} c", "a b d", True),
        ("a ${B} c", "a b ${D} c", False),
        ("a", "b", True),
        (1, 2, True),
        (1, 1, False),
        (1, "${B}", False),
        (None, 1, False),
    ],
)
def test_values_differ_besides_placeholders(one: Json, other: Json, is_sure: bool) -> None:
    assert differ_besides(one, other) is is_sure
