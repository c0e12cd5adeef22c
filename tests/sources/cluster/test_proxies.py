"""The proxies of the environment, compared with what Go makes of them.

``data/proxies.json`` was written by a program that asked ``httpproxy.Config{…}.ProxyFunc()`` for each row: URL,
``HTTP_PROXY``, ``HTTPS_PROXY``, ``NO_PROXY``, and scheme and host of the proxy (empty for none). It names the versions.
"""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kubectl_applylint.sources.cluster.proxies import proxy_of_environment, proxy_of_kubeconfig

TABLE = json.loads((Path(__file__).parent / "data" / "proxies.json").read_text(encoding="utf-8"))
NO_ADDRESS = (
    *("//proxy:3128", "http://", "http:proxy", "http://pro xy", "http://[fd00::1", ":3128", "http://proxy:x"),
    *("proxy:x", "%zz", "ftp://proxy"),
)


def chosen(url: str, http: str, https: str, exempt: str) -> str:
    environ = {"HTTP_PROXY": http, "HTTPS_PROXY": https, "NO_PROXY": exempt}
    found = urlsplit(proxy_of_environment(urlsplit(url), environ))
    return f"{found.scheme}://{found.netloc.rpartition('@')[2]}" if found.netloc else ""


def test_proxies_are_chosen_as_go_does() -> None:
    rows = [row for row in TABLE["rows"] if not {row[1], row[2]} & {*NO_ADDRESS}]

    assert len(rows) > 900
    assert [(*row[:4], chosen(*row[:4])) for row in rows] == [tuple(row) for row in rows]


@pytest.mark.parametrize("proxy", NO_ADDRESS)
def test_an_invalid_proxy_is_rejected_if_it_is_used(proxy: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        proxy_of_environment(urlsplit("https://api.example"), {"https_proxy": proxy})

    assert proxy_of_environment(urlsplit("http://api.example"), {"https_proxy": proxy}) == ""
    assert proxy_of_environment(urlsplit("https://api.example"), {"https_proxy": proxy, "no_proxy": "example"}) == ""


@pytest.mark.parametrize("proxy", ["http://p:1", "https://p", "socks5://p"])
def test_a_kubeconfig_names_proxies_of_three_schemes(proxy: str) -> None:
    assert proxy_of_kubeconfig(proxy) == proxy


@pytest.mark.parametrize("proxy", ["p:3128", "socks5h://p", "ftp://p", "http://", "p"])
def test_a_kubeconfig_names_no_other_proxy(proxy: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        proxy_of_kubeconfig(proxy)
