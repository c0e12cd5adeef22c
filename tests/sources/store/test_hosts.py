"""Hosts and mirrors of the configuration."""

import pytest

from kubectl_applylint.sources.store.hosts import HostPath, host_path, mirror


@pytest.mark.parametrize(
    "text", ["", "-x", "a b", "host:0", "host:99999", "host/../other", "https://host", "user@host"]
)
def test_other_texts_are_no_hosts(text: str) -> None:
    with pytest.raises(ValueError, match="is not a host such as"):
        host_path(text)


def test_a_mirror_has_a_protocol_and_a_port() -> None:
    assert mirror("a.example", "b.example").place == HostPath("b.example")
    assert mirror("a.example", "http://b.example/x").place == HostPath("b.example", 80, "/x")
    assert mirror("a.example", "http://b.example:443").place == HostPath("b.example", 443)
    with pytest.raises(ValueError, match="is not a mirror such as"):
        mirror("a.example", "ftp://b.example")
