"""Files in volumes; trust bundles and certificates are off by default, so no server was asked about them."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate.pods.projected import bundle_name_faults, signer_faults
from tests.server.validate.objects import fields, pod

SIGNER = "example.com/signer"
CERTIFICATE: JsonObject = {"signerName": SIGNER, "keyType": "ED25519", "keyPath": "key"}
PREFIX = "spec.volumes[0].projected"


def pod_with_sources(*sources: JsonObject, **rest: Json) -> JsonObject:
    return pod(volumes=[{"name": "v", "projected": {"sources": [*sources], **rest}}], serviceAccountName="a")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param({"secret": {"name": "s", "items": [{"key": "k", "path": "p"}]}}, [], id="secret"),
        pytest.param(
            {"configMap": {"items": [{"path": "../p", "mode": 512}]}},
            ["configMap.items[0].key", "configMap.items[0].mode", "configMap.items[0].path", "configMap.name"],
            id="map",
        ),
        pytest.param({"secret": {"name": "s"}, "configMap": {"name": "c"}}, [""], id="two sources"),
        pytest.param({"clusterTrustBundle": {"name": "b", "path": "p"}}, [], id="bundle"),
        pytest.param(
            {"clusterTrustBundle": {"name": "A b", "path": "p"}}, ["clusterTrustBundle.name"], id="name of a bundle"
        ),
        pytest.param(
            {"clusterTrustBundle": {"name": "", "path": "p"}}, ["clusterTrustBundle.name"] * 2, id="empty name"
        ),
        pytest.param(
            {"clusterTrustBundle": {"name": "b", "labelSelector": {}, "path": "p"}},
            ["clusterTrustBundle.labelSelector"],
            id="selected by name",
        ),
        pytest.param({"clusterTrustBundle": {"signerName": SIGNER, "path": "p"}}, [], id="signer"),
        pytest.param(
            {"clusterTrustBundle": {"signerName": "", "path": "p"}}, ["clusterTrustBundle.signerName"], id="no signer"
        ),
        pytest.param(
            {"clusterTrustBundle": {"signerName": "x", "labelSelector": {"matchLabels": {"a b": ""}}, "path": "p"}},
            ["clusterTrustBundle.labelSelector.matchLabels", "clusterTrustBundle.signerName"],
            id="bad signer",
        ),
        pytest.param(
            {"clusterTrustBundle": {"name": "b", "signerName": SIGNER, "path": "p"}}, ["clusterTrustBundle"], id="both"
        ),
        pytest.param({"clusterTrustBundle": {}}, ["clusterTrustBundle", "clusterTrustBundle.path"], id="nothing"),
        pytest.param({"podCertificate": CERTIFICATE}, [], id="certificate"),
        pytest.param(
            {"podCertificate": {"keyType": "x", "signerName": ""}},
            ["podCertificate", "podCertificate.keyType", "podCertificate.signerName"],
            id="empty certificate",
        ),
        pytest.param(
            {"podCertificate": {**CERTIFICATE, "keyPath": "../k"}}, ["podCertificate.keyPath"], id="path of a key"
        ),
        pytest.param(
            {"podCertificate": {**CERTIFICATE, "userAnnotations": {"a": "", "b/c": ""}}},
            ["podCertificate.userAnnotations"],
            id="annotations",
        ),
        pytest.param(
            {"podCertificate": {**CERTIFICATE, "maxExpirationSeconds": 3599}},
            ["podCertificate.maxExpirationSeconds"],
            id="short life",
        ),
        pytest.param(
            {"podCertificate": {**CERTIFICATE, "maxExpirationSeconds": 91 * 24 * 3600}}, [], id="the longest life"
        ),
        pytest.param(
            {"podCertificate": {**CERTIFICATE, "signerName": "kubernetes.io/x", "maxExpirationSeconds": 86401}},
            ["podCertificate.maxExpirationSeconds"],
            id="long life for Kubernetes",
        ),
        pytest.param(
            {"serviceAccountToken": {"path": "t", "expirationSeconds": 599}},
            ["serviceAccountToken.expirationSeconds"],
            id="short token",
        ),
        pytest.param(
            {"serviceAccountToken": {"path": "t", "expirationSeconds": 1 << 33}},
            ["serviceAccountToken.expirationSeconds"],
            id="long token",
        ),
    ],
)
def test_sources_of_files(source: JsonObject, expected: list[str]) -> None:
    assert fields(pod_with_sources(source)) == [f"{PREFIX}.sources[0]{field and '.' + field}" for field in expected]


def test_files_differ() -> None:
    key = {"podCertificate": CERTIFICATE}
    bundle = {"clusterTrustBundle": {"name": "b", "path": "key"}}

    assert fields(pod_with_sources(key, bundle)) == [PREFIX]


def test_paths_of_tokens_may_stay_as_they_are_stored() -> None:
    bad = pod_with_sources({"serviceAccountToken": {"path": "../t"}})

    assert fields(bad) == [f"{PREFIX}.path"]
    assert fields(bad, bad) == []
    assert fields(pod_with_sources({"serviceAccountToken": {"path": ""}})) == [f"{PREFIX}.path"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (SIGNER, []),
        ("a.b/c.d", []),
        ("x", ["must be a fully qualified domain and path of the form 'example.com/signer-name'"]),
        ("a.b/c/d", ["must be a fully qualified domain and path of the form 'example.com/signer-name'"]),
        ("a/b", ["should be a domain with at least two segments separated by dots"]),
    ],
)
def test_names_of_signers(name: str, expected: list[str]) -> None:
    assert signer_faults(name) == expected


def test_the_part_of_a_signer_that_is_wrong_is_named() -> None:
    assert [fault.partition(": ")[0] for fault in signer_faults("a.B.c/d..e")] == [
        'validating label "B"',
        'validating label ""',
    ]


@pytest.mark.parametrize(("name", "fine"), [("a.b", True), ("a:b:c", True), ("a:B", False), ("", False)])
def test_names_of_bundles(name: str, fine: bool) -> None:
    assert (bundle_name_faults(name) == []) == fine
