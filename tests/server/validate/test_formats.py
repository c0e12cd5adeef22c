"""The formats of names and values, with what the server says of those that are not well formed."""

import pytest

from kubectl_applylint.server.validate.formats import (
    Format,
    config_key,
    dns_1035_label,
    dns_label,
    dns_subdomain,
    domain_prefixed_key,
    domain_prefixed_path,
    driver_name,
    env_name,
    http_header,
    label_value,
    local_path,
    old_env_name,
    path_segment,
    path_without_backsteps,
    percent,
    port_name,
    port_number,
    qualified_name,
    relative_path,
    search_domain,
    without_dashes_at_the_end,
)

LONG = "a" * 254


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        (dns_label, ("a", "1a", "a-b", "a" * 63), ("", "A", "-a", "a-", "a_b", "a" * 64)),
        (dns_1035_label, ("a", "a1"), ("1a", "a.b", "")),
        (dns_subdomain, ("a.b", "1.a-b", "a" * 253), ("a..b", ".a", "a.", "A.b", LONG)),
        (label_value, ("", "A", "a_b.c-d", "1"), ("-a", "a-", "a b", "a" * 64, "ä")),
        (qualified_name, ("a", "A_b", "example.com/a"), ("", "/a", "a/", "a/b/c", "E.com/a", "a b", "a" * 64)),
        (config_key, ("a", "A_b.c", ".a", "-"), ("", "a b", "a/b", ".", "..", "..a", LONG)),
        (env_name, ("a", "1 b", "a.b-c"), ("", "a=b", "ä", "a\t")),
        (old_env_name, ("a", "_a", "a.b-c"), ("", "1a", "a b", "..", "..a")),
        (path_segment, ("a", "a:b", "..."), (".", "..", "a/b", "a%b")),
        (http_header, ("X-A", "1"), ("", "X_A", "a:b")),
        (percent, ("0%", "250%"), ("", "1", "%", "-1%", "1.5%")),
        (search_domain, ("a.b", "_a.b", "a_b"), ("", "a..b", "A", "-a")),
        (domain_prefixed_path, ("a.b/c", "a/b/C"), ("", "a", "a/", "/a", "A/b", "a/b c")),
        (domain_prefixed_key, ("a.b/c", "a/b"), ("", "a", "a/b c", "a b")),
        (driver_name, ("a.b", "A.b"), ("a_b", "")),
        (port_name, ("a", "1a", "a-b", "a" * 15), ("", "1", "A", "-a", "a-", "a--b", "a" * 16, "a_b")),
        (path_without_backsteps, ("", "/a", "a..b"), ("..", "a/../b")),
        (relative_path, ("", "a/b", "..a"), ("/a", "../a")),
        (local_path, ("a", "a/..b"), ("/a", "..", "..a", "a/../b")),
        (without_dashes_at_the_end(dns_label), ("a", "ab-", "a--"), ("a.", "-", "-a-")),
    ],
)
def test_texts_have_formats(form: Format, good: tuple[str, ...], bad: tuple[str, ...]) -> None:
    assert [text for text in good if form(text)] == []
    assert [text for text in bad if not form(text)] == []


@pytest.mark.parametrize(
    ("form", "text", "faults"),
    [
        pytest.param(dns_label, "a.b", ["must not contain dots"], id="a label with dots"),
        pytest.param(
            dns_label,
            "a" * 64 + ".b",
            ["must be no more than 63 characters", "must not contain dots"],
            id="a long label with dots",
        ),
        pytest.param(qualified_name, "a" * 64, ["name part must be no more than 63 bytes"], id="a long key"),
        pytest.param(label_value, "a" * 64, ["must be no more than 63 bytes"], id="a long value of a label"),
        pytest.param(
            qualified_name,
            "/",
            [
                "prefix part must be non-empty",
                "name part must be non-empty",
                "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
                "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
                "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            ],
            id="a key without parts",
        ),
        pytest.param(
            percent,
            "5",
            [
                "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', "
                "regex used for validation is '[0-9]+%')"
            ],
            id="a number",
        ),
        pytest.param(
            domain_prefixed_key, "a", ['must be a domain-prefixed key (such as "acme.io/foo")'], id="no domain"
        ),
        pytest.param(config_key, "..a", ["must not start with '..'"], id="dots first"),
        pytest.param(
            domain_prefixed_path,
            "a/b c",
            [r"Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')"],
            id="a path with a blank",
        ),
    ],
)
def test_faults_have_the_messages_of_the_server(form: Format, text: str, faults: list[str]) -> None:
    assert form(text) == faults


@pytest.mark.parametrize(("number", "fine"), [(0, False), (1, True), (65535, True), (65536, False), (-1, False)])
def test_port_numbers(number: int, fine: bool) -> None:
    assert (port_number(number) == []) == fine
