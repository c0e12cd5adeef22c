"""URLs as Go's ``ParseRequestURI`` reads them for kube-apiserver 1.36."""

import pytest

from kubectl_applylint.server.validate.custom.urls import parse_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        pytest.param("HTTPS://u:p@EXAMPLE.com:80/a?b", ("https", "EXAMPLE.com:80", "/a"), id="all parts"),
        pytest.param("https://[::1]:80/", ("https", "[::1]:80", "/"), id="an IPv6 address"),
        pytest.param("https://a", ("https", "a", ""), id="no path"),
        pytest.param("/a", ("", "", "/a"), id="a path"),
        pytest.param("//a/b", ("", "", "//a/b"), id="a path with two slashes"),
        pytest.param("file:/a", ("file", "", "/a"), id="no host"),
        pytest.param("mailto:a", ("mailto", "", ""), id="opaque"),
    ],
)
def test_the_parts_of_a_url(text: str, url: tuple[str, str, str]) -> None:
    found = parse_url(text)

    assert (found.scheme, found.host, found.path) == url


def test_urls_are_the_same_if_all_of_them_is() -> None:
    assert parse_url("HTTP://a/?b") == parse_url("http://a/?b")
    assert parse_url("http://a/?b") != parse_url("http://a/?c")
    assert parse_url("mailto:a") != parse_url("mailto:b")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "x",
            "../x",
            ":a",
            "/a\n",
            "/%zz",
            "https://exa mple.com",
            "https://a:port/",
            "https://[::1",
            "https://[::1]x",
        ),
        *("https://%zz/", "https://a%20b/", "https://a b@c/", "https://%z@c/"),
    ],
)
def test_invalid_urls_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a URL|invalid"):
        parse_url(text)


@pytest.mark.parametrize(
    ("text", "hostname", "port"),
    [
        ("https://EXAMPLE.com/", "EXAMPLE.com", ""),
        ("https://a:0/", "a", "0"),
        ("https://a:080/", "a", "080"),
        ("https://a:/", "a", ""),
        ("https://[::1]:80/", "::1", "80"),
        ("https://[::1]/", "::1", ""),
        ("/a", "", ""),
    ],
)
def test_the_host_and_the_port(text: str, hostname: str, port: str) -> None:
    assert (parse_url(text).hostname, parse_url(text).port) == (hostname, port)


@pytest.mark.parametrize(
    ("text", "path"),
    [("/a b", "/a%20b"), ("/a%20b", "/a%20b"), ("/a%2Fb", "/a%2Fb"), ("/a#b", "/a%23b"), ("https://a", "")],
)
def test_the_path_with_escapes(text: str, path: str) -> None:
    assert parse_url(text).escaped_path == path
