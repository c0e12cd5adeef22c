"""Patches of a kustomization without an object; parts of a target are Go's regular expressions."""

import time

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.render.patch_targets import unmatched_patches
from tests.rules.stories import Nowhere

WEB: JsonObject = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}


def document_of(manifest: JsonObject) -> Document:
    return Document("web.yaml", 0, manifest, ref_of(manifest), Nowhere())


@pytest.mark.parametrize(
    ("pattern", "is_found"),
    [
        ("web", True),
        ("we", False),
        ("db|web", True),
        ("w|xweb", False),
        (r"\pL+", True),
        ("(?=web)web", True),
        ("(", True),
    ],
)
def test_a_name_is_a_pattern_for_the_whole(pattern: str, is_found: bool) -> None:
    kustomization = {"patches": [{"target": {"kind": "Deployment", "name": pattern}, "patch": "- op: remove"}]}

    assert [*unmatched_patches(kustomization, [document_of(WEB)], str)] == (
        [] if is_found else [("patches[0]", f"kind: Deployment, name: {pattern}")]
    )


def test_matching_a_pattern_is_bounded() -> None:
    named = {**WEB, "metadata": {"name": "a" * 60}}
    kustomization = {"patches": [{"target": {"name": "(a+)+b"}, "patch": "- op: remove"}]}
    start = time.monotonic()

    list(unmatched_patches(kustomization, [document_of(named)], str))

    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("text", "is_found"),
    [("", False), ("# written by flux bootstrap\n\n---\n", False), ("# web\nkind: Deployment\n", True)],
)
def test_an_empty_resource_may_have_the_target_later(text: str, is_found: bool) -> None:
    patch = {"target": {"kind": "Deployment", "name": "controller"}, "patch": "- op: remove"}
    kustomization = {"resources": ["gotk-components.yaml", "../base"], "patches": [patch]}

    found = [*unmatched_patches(kustomization, [document_of(WEB)], lambda _: text)]
    assert bool(found) is is_found
