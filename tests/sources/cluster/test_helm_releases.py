"""Releases as Helm stores them in Secrets."""

import base64
import gzip
import json

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.helm_releases import stored_releases

MANIFEST = (
    "---\n# Source: shop/templates/cm.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: hunter22}\n"
)


def release_data(content: Json) -> str:
    """Return the data of a release as the API server returns it."""
    text = gzip.compress(json.dumps(content).encode(), mtime=0)
    return base64.b64encode(base64.b64encode(text)).decode()


def secret(version: int = 1, data: str | None = None, *, status: str = "deployed", **more: Json) -> JsonObject:
    content = {"name": "shop", "namespace": "prod", "version": version, "info": {"status": status}, **more}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "helm.sh/release.v1",
        "metadata": {
            "name": f"sh.helm.release.v1.shop.v{version}",
            "namespace": "prod",
            "labels": {"owner": "helm", "name": "shop", "status": status, "version": str(version)},
        },
        "data": {"release": release_data({"manifest": MANIFEST, **content}) if data is None else data},
    }


def test_revisions_are_read_oldest_first() -> None:
    secrets = [secret(10, apply_method="ssa"), secret(9, status="superseded")]

    found, problems = stored_releases(secrets, "shop", "prod")

    assert [(each.version, each.status, each.apply_method) for each in found] == [
        (9, "superseded", ""),
        (10, "deployed", "ssa"),
    ]
    assert [document.ref.name for document in found[0].given.documents] == ["a"]
    assert problems == ()


@pytest.mark.parametrize(
    "other",
    [
        {**secret(), "type": "Opaque"},
        {**secret(), "kind": "ConfigMap"},
        {**secret(), "metadata": {**secret()["metadata"], "namespace": "test"}},
        {**secret(), "metadata": {**secret()["metadata"], "labels": {"owner": "helm", "name": "shop2"}}},
        {**secret(), "metadata": {**secret()["metadata"], "labels": {"owner": "me", "name": "shop"}}},
        {**secret(), "metadata": {}},
    ],
)
def test_other_secrets_are_no_revisions_of_the_release(other: JsonObject) -> None:
    assert stored_releases([other], "shop", "prod") == ((), ())


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("%%%", "it is not base64"),
        (base64.b64encode(b"%%%").decode(), "it is not base64"),
        (base64.b64encode(base64.b64encode(b"hunter22")).decode(), "it is not gzip"),
        (base64.b64encode(base64.b64encode(gzip.compress(b"{}", mtime=0)[:-4])).decode(), "it is cut off or too large"),
        (release_data(["hunter22"]), "it is not a JSON object"),
        (base64.b64encode(base64.b64encode(gzip.compress(b"hunter22", mtime=0))).decode(), "it is not JSON"),
    ],
)
def test_damage_is_a_problem_that_repeats_nothing(data: str, why: str) -> None:
    found, (problem,) = stored_releases([secret(3, data), secret(2)], "shop", "prod")

    assert [each.version for each in found] == [2]
    assert problem.where == "secret/sh.helm.release.v1.shop.v3 in prod"
    assert problem.message == f"the stored Helm release cannot be read: {why}"
    assert "hunter22" not in f"{problem}"


def test_a_secret_without_data_is_a_problem() -> None:
    _, (problem,) = stored_releases([{**secret(), "data": {}}], "shop", "prod")

    assert problem.message.endswith("it has no data.release")


def test_a_release_does_not_show_what_it_holds() -> None:
    found, _ = stored_releases([secret()], "shop", "prod")

    assert "hunter22" not in repr(found)


def test_fields_of_other_types_count_as_missing() -> None:
    (found,), _ = stored_releases(
        [secret(data=release_data({"version": "x", "info": None, "manifest": 3}))], "shop", "prod"
    )

    assert (found.version, found.status, found.given.documents) == (0, "", ())
