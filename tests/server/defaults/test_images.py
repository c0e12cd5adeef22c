"""Pull policies by image, checked against github.com/distribution/reference 0.6.0."""

import pytest

from kubectl_applylint.server.defaults.images import pull_policy, with_tag

DIGEST = "sha256:" + "a" * 64


@pytest.mark.parametrize(
    "image",
    [
        "app",
        "app:latest",
        "library/app",
        "docker.io/app:latest",
        "localhost/app",
        "localhost:5000/team/app",
        "registry.example.com:5000/team/app:latest",
        f"app:latest@{DIGEST}",
        "[2001:db8::1]:5000/app",
        "Registry/app",
    ],
)
def test_latest_is_always_pulled(image: str) -> None:
    assert pull_policy(image) == "Always"


@pytest.mark.parametrize(
    "image",
    [
        "app:1",
        "app:latest-1",
        "registry.example.com:5000/app:v2",
        f"app@{DIGEST}",
        f"app:1@{DIGEST}",
        pytest.param("", id="empty"),
        pytest.param("App", id="capital letter"),
        pytest.param("team/App", id="capital letter in the path"),
        pytest.param("app:", id="tag left out"),
        pytest.param("app latest", id="space"),
        pytest.param("app@sha256:abc", id="short digest"),
        pytest.param("app@sha256:" + "A" * 64, id="digest in capitals"),
        pytest.param("app@md5:" + "a" * 32, id="unknown digest"),
        pytest.param("a" * 64, id="looks like an identifier"),
        pytest.param("a/" * 130 + "b", id="too long"),
        pytest.param("${IMAGE}", id="variable"),
    ],
)
def test_anything_else_is_pulled_once(image: str) -> None:
    assert pull_policy(image) == "IfNotPresent"


@pytest.mark.parametrize(
    ("image", "whole"),
    [
        ("app", "app:latest"),
        ("localhost:5000/team/app", "localhost:5000/team/app:latest"),
        ("app:latest", "app:latest"),
        ("app:1", "app:1"),
        (f"app@{DIGEST}", f"app@{DIGEST}"),
        (f"app:latest@{DIGEST}", f"app:latest@{DIGEST}"),
        pytest.param("${IMAGE}", "${IMAGE}", id="variable"),
    ],
)
def test_the_tag_latest_is_written_out(image: str, whole: str) -> None:
    assert with_tag(image) == whole
