"""Annotations with the origin of objects."""

import pytest

from kubectl_applylint.sources.render.origin_annotation import (
    ORIGIN,
    build_metadata,
    origin_file,
    with_origin,
    without_origin,
)


@pytest.mark.parametrize(
    ("note", "moved"),
    [
        ("path: ../tree/app/in/a.yaml\n", "path: in/a.yaml\n"),
        ("path: ../tree/base/a.yaml\n", "path: ../base/a.yaml\n"),
        (
            "configuredIn: ../tree/app/kustomization.yaml\nconfiguredBy:\n  kind: X\n",
            "configuredIn: kustomization.yaml\nconfiguredBy:\n  kind: X\n",
        ),
    ],
)
def test_origins_become_relative_to_the_folder(note: str, moved: str) -> None:
    manifest = {"kind": "X", "metadata": {"name": "x", "annotations": {"a": "b"}}}
    annotations = {"a": "b", ORIGIN: moved}

    assert with_origin(manifest, note, "/t/beside", "/t/tree/app") == {
        "kind": "X",
        "metadata": {"name": "x", "annotations": annotations},
    }


def test_an_object_without_origin_stays() -> None:
    assert with_origin({"kind": "X"}, None, "/a", "/b") == {"kind": "X"}


def test_an_annotation_names_a_file_of_the_repository() -> None:
    assert origin_file("path: ../a.yaml\n") == "../a.yaml"
    assert origin_file("configuredIn: b.yaml\nconfiguredBy:\n  kind: X\n") == "b.yaml"
    assert origin_file("path: a.yaml\nrepo: https://example.org/x\n") == ""
    assert origin_file(None) == ""


def test_only_the_origin_is_removed() -> None:
    metadata = {"name": "x", "annotations": {ORIGIN: "path: a\n", "a": "b"}}

    assert without_origin({"metadata": metadata}) == {"metadata": {"name": "x", "annotations": {"a": "b"}}}
    assert without_origin({"metadata": {"name": "x", "annotations": {ORIGIN: ""}}}) == {"metadata": {"name": "x"}}


def test_options_of_build_metadata_that_objects_show() -> None:
    assert build_metadata(b"buildMetadata: [originAnnotations, transformerAnnotations]\n") == {"originAnnotations"}
    assert build_metadata(b"resources: [a.yaml]\n") == build_metadata(b"buildMetadata: [") == frozenset()
