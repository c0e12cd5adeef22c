"""Output of ``--version -v``."""

import platform

import pytest
import yaml

from kubectl_applylint.cli import version
from kubectl_applylint.cli.version import details


def test_the_environment_of_the_program_is_printed() -> None:
    lines = list(details())

    assert lines[0].startswith(
        f"pure Python, run by {platform.python_implementation()} {platform.python_version()} on "
    )
    assert lines[1] == f"PyYAML {yaml.__version__} with libyaml"
    assert [line.split()[0] for line in lines[2:]] == [
        *("kubernetes", "jsonpath-ng", "Jinja2", "cel-python", "google-re2", "pysocks"),
    ]


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "_EXTRAS", {"no-such-library": "cel"})

    assert list(details())[-1] == "no-such-library is not installed (extra cel)"


def test_slow_yaml_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)

    assert list(details())[1] == f"PyYAML {yaml.__version__} without libyaml"
