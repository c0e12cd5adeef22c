"""The options about hosts, in files and as flags."""

from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import ConfigError, load
from kubectl_applylint.sources.store.hosts import HostPath, mirror

FILE = "trusted.yaml"


def test_a_trusted_file_names_mirrors_and_hosts(tmp_path: Path) -> None:
    text = "mirrors: {ghcr.io: harbor.example/ghcr, docker.io: http://localhost:5000}\nallow-host: [quay.io/jetstack]\n"
    (tmp_path / FILE).write_text(f"{text}store: charts.store\napi-versions: [x.io/v1, y.io/v1/Z]\n")
    found = load({}, {}, tmp_path, file=FILE)

    assert found.mirrors == (mirror("ghcr.io", "harbor.example/ghcr"), mirror("docker.io", "http://localhost:5000"))
    assert found.allow_host == (HostPath("quay.io", path="/jetstack"),)
    assert (found.store, found.api_versions) == (str(tmp_path / "charts.store"), ("x.io/v1", "y.io/v1/Z"))
    assert load({"allow-host": ["a.example,b.example"]}, {}, tmp_path).allow_host == (
        HostPath("a.example"),
        HostPath("b.example"),
    )


def test_a_file_names_the_sources_with_the_files_of_the_repository(tmp_path: Path) -> None:
    text = "own-sources: {'oci://ghcr.io/team/deploy': ./kubernetes, Bucket/flux-system/deploy: .}\n"
    (tmp_path / FILE).write_text(text)

    assert load({}, {}, tmp_path, file=FILE).own_sources == (
        ("oci://ghcr.io/team/deploy", "kubernetes"),
        ("Bucket/flux-system/deploy", ""),
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("mirrors: ghcr.io", "'ghcr.io' is not a mapping; write ghcr.io: MIRROR below it"),
        ("mirrors: {ghcr.io: [a, b]}", "ghcr.io takes one mirror, got 2"),
        ("mirrors: {ghcr.io: ftp://a}", "'ftp://a' is not a mirror such as"),
        ("mirrors: {-x: a}", "'-x' is not a host such as"),
        ("own-sources: deploy", "'deploy' is not a mapping; write deploy: FOLDER below it"),
        ("own-sources: {a: [b, c]}", "a takes one folder, got 2"),
        ("own-sources: {a: ../b}", "'../b' is not a folder of the repository; write . for all of it"),
        ("allow-host: https://ghcr.io", "'https://ghcr.io' is not a host such as"),
    ],
)
def test_other_values_are_errors_with_their_place(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / FILE).write_text(text)

    with pytest.raises(ConfigError) as caught:
        load({}, {}, tmp_path, file=FILE)
    assert fault in str(caught.value)
    assert str(caught.value).startswith(f"{FILE}:1:")
