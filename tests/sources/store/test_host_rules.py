"""The rules for hosts: what is allowed, trusted, replaced by a mirror, and where a login may be sent."""

import pytest

from kubectl_applylint.sources.store.host_rules import HostRules, places
from kubectl_applylint.sources.store.hosts import host_path, mirrors

RULES = HostRules(
    trusted=(host_path("charts.example.com"), host_path("registry.example.com/own")),
    earlier=places(["oci://ghcr.io/owner/charts/web", "https://user:secret@helm.example.com/stable"]),
    mirrors=mirrors(
        {
            "docker.io": "mirror.example.com:8443/hub",
            "docker.io/library": "http://127.0.0.1:5000",
            "quay.io:8443/a": "https://[::1]:5000/b",
        }
    ),
)


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://charts.example.com/any/path", True),
        ("https://charts.example.com:8443/any/path", False),
        ("https://registry.example.com/own/web", True),
        ("https://registry.example.com/owner/web", False),
        ("https://registry.example.com/own/../other", False),
        ("https://registry.example.com/own/%2e%2e/other", False),
        ("https://ghcr.io/other/web", True),
        ("https://helm.example.com/other", True),
        ("https://docker.io/any", True),
        ("https://quay.io/a", False),
        ("https://quay.io:8443/a/web", True),
        ("https://mirror.example.com:8443/hub", False),
        ("https://charts.example.com.evil.example/x", False),
        ("https://evil.example/charts.example.com", False),
        ("https://charts.example.com@evil.example/", False),
        ("ftp://charts.example.com/", False),
        ("https://[::1/", False),
        ("https://charts.example.com:0/", False),
    ],
)
def test_a_host_is_allowed_if_someone_trusted_names_it(url: str, *, allowed: bool) -> None:
    assert RULES.is_allowed(url) is allowed


@pytest.mark.parametrize(
    ("url", "place", "trusted", "login"),
    [
        ("https://charts.example.com/x", "https://charts.example.com:443/x", True, True),
        ("https://CHARTS.example.com/x/", "https://charts.example.com:443/x/", True, True),
        ("https://ghcr.io/owner/other", "https://ghcr.io:443/owner/other", False, True),
        ("https://ghcr.io/private/web", "https://ghcr.io:443/private/web", False, False),
        ("https://other.example/x", "https://other.example:443/x", False, False),
        ("https://docker.io/library/web", "http://127.0.0.1:5000/web", True, True),
        ("https://docker.io/org/web", "https://mirror.example.com:8443/hub/org/web", True, True),
        ("https://quay.io:8443/a/x", "https://[::1]:5000/b/x", True, True),
        ("http://127.0.0.1:5000/redirected", "http://127.0.0.1:5000/redirected", True, False),
    ],
)
def test_a_url_leads_to_its_mirror_and_may_have_a_login(url: str, place: str, *, trusted: bool, login: bool) -> None:
    found = RULES.endpoint(url)

    assert found
    assert (found.url, found.is_trusted, found.has_login) == (place, trusted, login)


@pytest.mark.parametrize("url", ["http://charts.example.com/x", "http://127.0.0.1:6000/", "file:///etc/passwd", "x"])
def test_plain_http_is_only_for_mirrors(url: str) -> None:
    assert RULES.endpoint(url) is None


def test_the_registry_of_docker_hub_has_another_name() -> None:
    found = HostRules(trusted=(host_path("docker.io"),)).endpoint("https://docker.io/org/web")

    assert found
    assert found.url == "https://registry-1.docker.io:443/org/web"
