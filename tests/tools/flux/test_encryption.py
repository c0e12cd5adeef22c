"""Secrets that SOPS has encrypted; kustomize-controller decrypts them, or does not apply them."""

import base64

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.text.manifests import Input, read_text
from kubectl_applylint.tools.flux.encryption import decrypt

DECLARED = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {path: ./app}
"""
DECRYPTING = DECLARED.replace("./app", "./app, decryption: {provider: sops}")
CREATED = DECLARED.replace("name: shop", "name: shop, labels: {app.kubernetes.io/managed-by: flux-operator}")
FILE = "a: ENC[AES256_GCM,data:x,type:str]\nsops:\n    mac: ENC[AES256_GCM,data:%s,type:str]\n"
ENCRYPTED = "kind: Secret\napiVersion: v1\nmetadata: {name: a}\nsops: {mac: x, version: '3'}\n"
DISABLED = ENCRYPTED.replace("name: a", "name: a, annotations: {kustomize.toolkit.fluxcd.io/decrypt: Disabled}")


def decrypt_text(declared: str, text: str, *, is_rendered: bool = True) -> Input:
    (document,) = read_text(declared, "shop.yaml").documents
    return decrypt(read_text(text, "app/a.yaml"), document, is_rendered=is_rendered)


def data(declared: str, **files: str) -> Json:
    # kustomize breaks the lines of long values.
    lines = {name: base64.encodebytes(text.encode()).decode().splitlines() for name, text in files.items()}
    coded = "".join(f"  {name}: |\n" + "".join(f"    {line}\n" for line in each) for name, each in lines.items())
    text = f"kind: Secret\napiVersion: v1\nmetadata: {{name: a}}\ndata:\n{coded}"
    item: JsonObject = decrypt_text(declared, text).documents[0].object
    return item["data"]


def test_an_encrypted_secret_needs_decryption() -> None:
    (problem,) = decrypt_text(DECLARED, ENCRYPTED).problems

    assert problem.where == "app/a.yaml:4:1"
    assert problem.is_refused
    assert "secret/a is SOPS encrypted, configuring decryption is required" in problem.message


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        pytest.param(DECRYPTING, ENCRYPTED, id="decrypted"),
        pytest.param(CREATED, ENCRYPTED, id="a Kustomization that the operator has created"),
        pytest.param(DECLARED, DISABLED, id="an excluded object"),
        pytest.param(DECLARED, ENCRYPTED.replace("Secret", "ConfigMap"), id="another kind"),
    ],
)
def test_other_objects_stay(declared: str, text: str) -> None:
    assert decrypt_text(declared, text) == read_text(text, "app/a.yaml")


def test_a_kustomization_that_may_be_patched_may_get_decryption() -> None:
    assert decrypt_text(DECLARED, ENCRYPTED, is_rendered=False).problems == ()


def test_encrypted_files_are_not_known() -> None:
    one, same, other = (data(DECRYPTING, a=FILE % mac) for mac in ("x", "x", "y"))

    assert one == same != other
    assert data(DECRYPTING, a="plain", b="gA==") == data(DECLARED, a="plain", b="gA==")
    assert data(DECLARED, a=FILE % "x") != one
