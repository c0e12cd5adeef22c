"""The objects that generators of ksops list."""

import json
from collections.abc import Mapping

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.render.ksops import with_listed_objects
from kubectl_applylint.sources.render.missing_parts import PartialTree, only_document
from tests.sources.render.test_missing_parts import tree

KSOPS = "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: g}\nfiles: [%s]\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a%s}\ndata: {a: x}\nsops: {}\n"
FILES = {
    "kustomization.yaml": "resources: [web.yaml]\ngenerators: [ksops.yaml]\n",
    "web.yaml": "",
    "ksops.yaml": KSOPS % "./secret.yaml",
    "secret.yaml": SECRET % "",
}


def rest(files: Mapping[str, str]) -> PartialTree:
    found = tree(files)
    assert found is not None
    return with_listed_objects(found)


def resources(found: PartialTree) -> Json:
    return (only_document(found.amended["kustomization.yaml"]) or {})["resources"]


def test_listed_objects_become_resources() -> None:
    found = rest(FILES)

    assert (found.parts, found.sources) == ((), {".applylint-0.yaml": "secret.yaml"})
    assert resources(found) == ["web.yaml", ".applylint-0.yaml"]
    assert only_document(found.amended[".applylint-0.yaml"]) == only_document(FILES["secret.yaml"].encode())


def test_a_generator_may_be_written_in_place() -> None:
    inline = "\n".join(f"    {line}" for line in (KSOPS % "secret.yaml, other.yaml").splitlines())
    found = rest({**FILES, "kustomization.yaml": f"generators:\n- |\n{inline}\n", "other.yaml": SECRET % "b"})

    assert found.parts == ()
    assert resources(found) == [".applylint-0.yaml", ".applylint-1.yaml"]


def test_the_objects_of_a_list_become_resources() -> None:
    items = [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}} for name in "ab"]
    secrets = {"apiVersion": "v1", "kind": "List", "items": items, "sops": {"mac": "x"}}
    found = rest({**FILES, "secret.yaml": json.dumps(secrets)})

    documents = found.amended[".applylint-0.yaml"].decode().split("\n---\n")
    assert [json.loads(text) for text in documents] == [{**item, "sops": {"mac": "x"}} for item in items]


def test_two_generators_have_files_of_their_own() -> None:
    two = {"kustomization.yaml": "generators: [ksops.yaml, more.yaml]\n", "more.yaml": KSOPS % "other.yaml"}

    found = rest({**FILES, **two, "other.yaml": SECRET % "b"})

    assert found.sources == {".applylint-0.yaml": "secret.yaml", ".applylint-1.yaml": "other.yaml"}


def test_a_hash_of_unknown_values_is_not_added() -> None:
    noted = SECRET % ", annotations: {kustomize.config.k8s.io/needs-hash: 'true', a: b}"

    found = rest({**FILES, "secret.yaml": noted})

    assert b"needs-hash" not in found.amended[".applylint-0.yaml"]
    assert b'"a": "b"' in found.amended[".applylint-0.yaml"]


CHANGE = ", namespace: ns, labels: {l: b}, annotations: {kustomize.config.k8s.io/behavior: replace}"
STRING_DATA = (SECRET % CHANGE).replace("\ndata: {a: x}", "\nstringData: {a: a}\ntype: t")


@pytest.mark.parametrize(
    ("secret", "field", "own"),
    [
        ((SECRET % CHANGE).replace("a: x", "a: YQ=="), "secretGenerator", {}),
        (
            STRING_DATA,
            "secretGenerator",
            {"type": "t"},
        ),
        ((SECRET % CHANGE).replace("Secret", "ConfigMap").replace("a: x", "a: a"), "configMapGenerator", {}),
    ],
    ids=["data", "stringData", "ConfigMap"],
)
def test_an_object_that_replaces_another_is_generated(secret: str, field: str, own: JsonObject) -> None:
    found = rest({**FILES, "secret.yaml": secret})
    options = {"disableNameSuffixHash": True, "labels": {"l": "b"}}
    entry = {"name": "a", "namespace": "ns", "behavior": "replace", "literals": ["a=a"], "options": options, **own}

    assert (found.parts, found.sources, resources(found)) == ((), {}, ["web.yaml"])
    assert found.documents["kustomization.yaml"][field] == [entry]


OTHERS = {
    "a missing file": {"ksops.yaml": KSOPS % "gone.yaml"},
    "no files": {"ksops.yaml": KSOPS % ""},
    "another plugin": {"ksops.yaml": "apiVersion: a.io/v1\nkind: ksops\nfiles: [secret.yaml]\n"},
    "Secrets of files": {"ksops.yaml": f"{KSOPS % 'secret.yaml'}secretFrom: []\n"},
    "no object": {"secret.yaml": "data: {a: b}\n"},
    "a change of what is no text": {"secret.yaml": SECRET % CHANGE},
    "a change of another field": {"secret.yaml": f"{SECRET % CHANGE}immutable: true\n"},
    "a change of another kind": {"secret.yaml": (SECRET % CHANGE).replace("Secret", "Service")},
    "no object in a list": {"secret.yaml": "apiVersion: v1\nkind: List\nitems: [a]\n"},
    "an encrypted name": {"secret.yaml": SECRET.replace("a%s", "'ENC[AES256_GCM,data:x]'")},
    "an encrypted namespace": {"secret.yaml": SECRET % ", namespace: 'ENC[AES256_GCM,data:x]'"},
    "a transformer": {"kustomization.yaml": "transformers: [ksops.yaml]\n"},
    "broken": {"secret.yaml": "a: [\n"},
}


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_other_generators_stay_missing_parts(files: Mapping[str, str]) -> None:
    found = rest({**FILES, **files})

    assert len(found.parts) == 1
    assert found.sources == {}
