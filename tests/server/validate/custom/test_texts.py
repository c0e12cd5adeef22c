"""The formats of kube-openapi's strfmt, as a server of 1.36 checks them."""

import pytest

from kubectl_applylint.core.patterns.linear import Unproven
from kubectl_applylint.server.validate.custom.texts import has_format, is_duration, matches_pattern


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("bsonobjectid", ("507f1f77bcf86cd799439011",), ("507f1f77bcf86cd79943901", "g" * 24)),
        ("byte", ("YQ==", "YWI=", "YWJj"), ("", "YQ=", "YQ", "Y*==")),
        ("cidr", ("10.0.0.0/8", "10.0.0.1/8", "::/0"), ("10.0.0.0", "10.0.0.0/33", "")),
        ("date", ("2026-02-28",), ("2026-02-29", "2026-2-1", "20260228", "2026-W01-1", "")),
        (
            "date-time",
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+01:00", "2026-01-02T03:04:05", ""),
            ("2026-01-02", "2026-13-02T03:04:05Z", "2026-01-02T25:00:00Z", "2026-01-02 03:04:05Z"),
        ),
        ("email", ("a@b", "A B <a@b.c>"), ("a", "a b@c", "@b")),
        ("hexcolor", ("#fff", "A0b1C2"), ("#ffff", "#ggg", "")),
        ("hostname", ("a.b.example", "a", "bücher.example"), ("-a", "a..b", "a b", "")),
        ("ipv4", ("10.0.0.1",), ("::1", "10.0.0", "10.0.0.256")),
        ("ipv6", ("::1", "::ffff:1.2.3.4"), ("10.0.0.1", ":::1")),
        ("mac", ("01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab"), ("01:23:45:67:89", "0123456789ab")),
        ("ssn", ("123-45-6789", "123456789"), ("12-345-6789",)),
        ("uri", ("https://a/b", "mailto:a", "/a"), ("a", "https://a/b#c", "1a:b")),
        ("uuid", ("01234567-89ab-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef"), ("01234567", "")),
        ("uuid3", ("01234567-89ab-3def-0123-456789abcdef",), ("01234567-89ab-4def-0123-456789abcdef",)),
        (
            "uuid4",
            ("01234567-89ab-4def-8123-456789abcdef",),
            ("01234567-89ab-4def-0123-456789abcdef", "01234567-89ab-5def-8123-456789abcdef"),
        ),
        ("uuid5", ("01234567-89ab-5def-b123-456789abcdef",), ("01234567-89ab-5def-c123-456789abcdef",)),
        ("k8s-short-name", ("a-b",), ("a.b", "A", "")),
        ("k8s-long-name", ("a.b",), ("A", "a_b")),
    ],
)
def test_texts_have_a_format_or_not(name: str, good: tuple[str, ...], bad: tuple[str, ...]) -> None:
    assert [text for text in good if not has_format(text, name, 36)] == []
    assert [text for text in bad if has_format(text, name, 36)] == []


def test_a_format_that_the_server_does_not_know_is_not_checked() -> None:
    assert has_format("anything", "unheard-of", 36)
    assert has_format("UPPER", "k8s-short-name", 33)
    assert not has_format("x", "i-p-v4", 36)


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("1h30m", True),
        ("-1.5h", True),
        ("0", True),
        (".5s", True),
        ("2 days", True),
        ("about 3 weeks", True),
        ("1", False),
        ("h", False),
        ("1 parsec", False),
        ("", False),
    ],
)
def test_durations_of_go_and_of_people(text: str, is_it: bool) -> None:
    assert is_duration(text) == is_it
    assert has_format(text, "duration", 36) == is_it


@pytest.mark.parametrize(
    ("pattern", "text", "is_found"),
    [
        pytest.param("b+", "abbc", True, id="anywhere"),
        pytest.param("^b", "abc", False, id="not at the begin"),
        pytest.param("", "", True, id="empty"),
        pytest.param("(?<", "anything", True, id="no pattern of Go"),
        pytest.param("a(?=b)", "x", True, id="a pattern of others"),
    ],
)
def test_a_pattern_is_found_anywhere_in_a_text(pattern: str, text: str, is_found: bool) -> None:
    assert matches_pattern(pattern, text) is is_found
    assert not isinstance(matches_pattern(pattern, text), Unproven)
