import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.report.facts.images import ImageChange, image_changes, repository

LONG = "sha256:" + "0" * 64


def pod(*images: str, names: str = "abc") -> JsonObject:
    return {
        "spec": {"containers": [{"name": name, "image": image} for name, image in zip(names, images, strict=False)]}
    }


def values(**image: Json) -> JsonObject:
    return {"kind": "HelmRelease", "spec": {"values": {"image": image}}}


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (pod("web:1"), pod("web:2"), [("web:1", "web:2")]),
        (pod("web:1"), pod("web:1"), []),
        (pod("web:1"), pod("web:1", "log:1"), [("", "log:1")]),
        (pod("web:1", "log:1"), pod("web:1"), [("log:1", "")]),
        (None, pod("web:1"), [("", "web:1")]),
        (pod("web:1"), None, [("web:1", "")]),
        (pod("web:1", names="a"), pod("web:2", names="b"), [("web:1", "web:2")]),
        (pod("web:1", names="a"), pod("log:2", names="b"), [("", "log:2"), ("web:1", "")]),
        (pod("{{ image }}"), pod("web of lies"), []),
        ({"spec": {"imageName": "pg:1"}}, {"spec": {"imageName": "pg:2"}}, [("pg:1", "pg:2")]),
        ({"a": [{"image": "a:1"}]}, {"a": [{"image": "a:2"}]}, [("a:1", "a:2")]),
        (
            {"volumes": [{"name": "a", "image": {"reference": "a:1"}}]},
            {"volumes": [{"name": "a", "image": {"reference": "a:2"}}]},
            [("a:1", "a:2")],
        ),
        (
            values(repository="web", tag="1"),
            values(registry="ghcr.io", repository="web", tag="1", digest=LONG),
            [("web:1", f"ghcr.io/web:1@{LONG}")],
        ),
        (values(repository="web", tag="1"), values(repository="web"), [("web:1", "web")]),
        (values(tag="1"), values(tag="2"), []),
        ({"kind": "ConfigMap", "data": {"image": "a:1"}}, {"kind": "ConfigMap", "data": {"image": "a:2"}}, []),
    ],
)
def test_images_are_paired_by_their_place_and_repository(
    before: JsonObject | None, after: JsonObject | None, found: list[tuple[str, str]]
) -> None:
    changes = image_changes([("web", (before, after))])

    assert [(one.before, one.after) for one in changes] == found


def test_one_change_has_all_of_its_objects() -> None:
    sides = (pod("web:1", "web:1"), pod("web:2", "web:2"))

    assert image_changes([("a", sides), ("b", sides)]) == (ImageChange("web:1", "web:2", ("a", "b")),)


def test_values_of_a_release_count_if_nothing_is_rendered_from_them() -> None:
    release = ("release", (values(repository="web", tag="1"), values(repository="web", tag="2")))

    assert image_changes([release]) == (ImageChange("web:1", "web:2", ("release",)),)
    assert image_changes([release, ("pod", (pod("web:1"), pod("web:2")))])[0].objects == ("pod",)


@pytest.mark.parametrize(
    "image", ["a.io:5000/web", "a.io:5000/web:1.2", f"a.io:5000/web:1@{LONG}", f"a.io:5000/web@{LONG}"]
)
def test_the_repository_has_no_tag_and_no_digest(image: str) -> None:
    assert repository(image) == "a.io:5000/web"
