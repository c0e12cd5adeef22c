"""Keys, messages and validity of sources."""

import pytest

from kubectl_applylint.sources.store.chart_source import (
    ChartSource,
    SourceKind,
    public_url,
    source_fault,
    with_chart_in_url,
)

OCI, HELM, GIT = SourceKind.OCI, SourceKind.HELM, SourceKind.GIT
DIGEST = "sha256:" + "a" * 64


def test_user_and_password_are_in_no_key_and_no_message() -> None:
    source = ChartSource(HELM, "https://user:secret@example.com/charts/?token=secret#secret", "web", "1.x")

    assert "secret" not in str(source)
    assert str(source) == "https://example.com/charts web 1.x"
    assert source.key == ChartSource(HELM, "https://EXAMPLE.com/charts", "web", "1.x").key
    assert source.key != ChartSource(HELM, "https://example.com/charts", "web", "1.2").key


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (ChartSource(OCI, "oci://example.com/charts/web", version="1.0.0"), "oci://example.com/charts/web 1.0.0"),
        (ChartSource(OCI, "oci://example.com/charts/web", version=DIGEST), f"oci://example.com/charts/web@{DIGEST}"),
        (ChartSource(OCI, "oci://example.com/charts/web"), "oci://example.com/charts/web (newest)"),
    ],
)
def test_a_source_is_shown_on_one_line(source: ChartSource, text: str) -> None:
    assert str(source) == text


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (ChartSource(OCI, "oci://example.com/charts/web", version="1.0.0"), ""),
        (ChartSource(OCI, "oci://example.com:5000/web", version="^1 || ~2"), ""),
        (ChartSource(HELM, "https://example.com/charts", "web", "1.x"), ""),
        (ChartSource(HELM, "http://example.com/charts", "web"), "its protocol is http, not https"),
        (ChartSource(HELM, "file:///etc", "web"), "its protocol is file, not https"),
        (ChartSource(HELM, "s3://bucket/charts", "web"), "its protocol is s3, not https"),
        (ChartSource(HELM, "ext::sh -c id", "web"), "its protocol is ext, not https"),
        (ChartSource(HELM, "charts", "web"), "its protocol is missing, not https"),
        (ChartSource(OCI, "https://example.com/web"), "its protocol is https, not oci"),
        (ChartSource(HELM, "https://-oProxy/charts", "web"), "its URL names no valid host"),
        (ChartSource(HELM, "https:///charts", "web"), "its URL names no valid host"),
        (ChartSource(HELM, "https://[::1/charts", "web"), "its URL is not valid"),
        (ChartSource(HELM, "https://example.com:99999/charts", "web"), "its URL is not valid"),
        (ChartSource(OCI, "oci://example.com/../web"), "its URL names no valid repository of a registry"),
        (ChartSource(OCI, "oci://example.com"), "its URL names no valid repository of a registry"),
        (ChartSource(HELM, "https://example.com", "--version"), "'--version' is not a valid name of a chart"),
        (ChartSource(HELM, "https://example.com", "web", "-x"), "'-x' is not a valid version"),
        (ChartSource(HELM, "https://example.com", "web", "1\n2"), "'1\\n2' is not a valid version"),
        (
            ChartSource(GIT, "https://example.com/web.git", version="-x"),
            "'-x' is not a valid name of a branch, tag or commit",
        ),
    ],
    ids=str,
)
def test_invalid_sources_are_rejected_with_a_reason(source: ChartSource, reason: str) -> None:
    assert source_fault(source) == reason


def test_a_chart_below_a_registry_has_a_url_of_its_own() -> None:
    below = ChartSource(OCI, "oci://example.com/charts/", "web", "1.0.0")

    assert with_chart_in_url(below) == ChartSource(OCI, "oci://example.com/charts/web", version="1.0.0")
    assert with_chart_in_url(ChartSource(HELM, "https://a", "web")).chart == "web"


def test_an_invalid_url_is_not_shown() -> None:
    assert public_url("https://user:secret@[::1/x") == "(invalid URL)"
