"""The option ``definitions``."""

from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import Config, ConfigError, load
from kubectl_applylint.config.definitions import DefinitionSource

TEXT = "definitions:\n  cert-manager: v1.21\n  crds: [crds/**, other.yaml]\n"


def load_text(folder: Path, text: str, *, name: str = ".applylint.yaml") -> Config:
    (folder / ".applylint.yaml").write_text(text)
    return load({}, {}, folder, file=name)


def test_projects_have_versions_and_files_are_relative_to_the_configuration(tmp_path: Path) -> None:
    assert load_text(tmp_path, TEXT).definitions == (
        DefinitionSource("cert-manager", "v1.21"),
        DefinitionSource(file=str(tmp_path / "crds/**")),
        DefinitionSource(file=str(tmp_path / "other.yaml")),
    )


def test_a_file_outside_the_repository_is_not_used_if_the_configuration_is_untrusted(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    found = load_text(tmp_path, TEXT.replace("other.yaml", "../other.yaml"), name="")

    assert found.definitions == (DefinitionSource("cert-manager", "v1.21"),)
    assert "crds (line 3: is outside the repository)" in found.unfollowed[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("definitions: [crds]\n", "'crds' is not a mapping"),
        ("definitions: {cert-manger: v1.21}\n", "unknown project 'cert-manger'; did you mean cert-manager"),
        ("definitions: {zzzzzz: v1.21}\n", "unknown project 'zzzzzz'; applylint definitions lists the projects"),
        ("definitions: {cert-manager: latest}\n", "'latest' is not a version such as v1.21"),
        ("definitions: {cert-manager: [v1.21, v1.22]}\n", "cert-manager takes one version, got 2"),
        ("definitions: {crds: ['']}\n", "an empty value"),
    ],
    ids=["list", "misspelled project", "unknown project", "no version", "two versions", "empty file"],
)
def test_an_error_is_a_usage_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_text(tmp_path, text)
