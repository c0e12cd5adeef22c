import pytest

from kubectl_applylint.server.validate.blocks import parse_block


@pytest.mark.parametrize(
    ("text", "block"),
    [
        pytest.param("10.0.0.0/8", "10.0.0.0/8", id="IPv4"),
        pytest.param("10.1.2.3/8", "10.0.0.0/8", id="bits beyond the prefix"),
        pytest.param("0.0.0.0/0", "0.0.0.0/0", id="everything"),
        pytest.param("10.0.0.1/32", "10.0.0.1/32", id="one address"),
        pytest.param("2001:db8::1/64", "2001:db8::/64", id="IPv6"),
        pytest.param("10.0.0.0/33", None, id="too long a prefix"),
        pytest.param("10.0.0.0/-1", None, id="negative prefix"),
        pytest.param("10.0.0.0/", None, id="no prefix"),
        pytest.param("10.0.0.0", None, id="an address"),
        pytest.param("10.0.0/8", None, id="half an address"),
        pytest.param("", None, id="empty"),
    ],
)
def test_a_text_spells_a_block_or_none(text: str, block: str | None) -> None:
    found = parse_block(text)

    assert (found and str(found)) == block
