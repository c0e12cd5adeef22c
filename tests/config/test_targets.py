"""The option ``targets``."""

from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import ConfigError, load
from kubectl_applylint.config.targets import ConfiguredTarget
from kubectl_applylint.core.selector import parse
from kubectl_applylint.run.compare.against import Against, AgainstKind

YAML = ".applylint.yaml"


def targets(folder: Path, text: str) -> tuple[ConfiguredTarget, ...]:
    (folder / YAML).write_text(text)
    return load({}, {}, folder, file=YAML).targets


def test_an_entry_is_a_cluster(tmp_path: Path) -> None:
    text = """\
targets:
  - name: eu
    labels: [env=prod, region=eu]
    against: snapshot:eu.json
    units: ['clusters/eu/**', base]
    namespace: shop
    kubernetes-version: '1.33'
  - {name: us, context: us}
"""
    snapshot = Against(AgainstKind.SNAPSHOT, str(tmp_path / "eu.json"))
    eu = ConfiguredTarget("eu", ("env=prod", "region=eu"), snapshot, "", ("clusters/eu/**", "base"), "shop", "1.33")

    assert targets(tmp_path, text) == (eu, ConfiguredTarget("us", against=Against(AgainstKind.LIVE), context="us"))


@pytest.mark.parametrize(
    ("selector", "meant"),
    [
        ("", True),
        ("env=prod", True),
        ("name=eu", True),
        ("env in (prod,dev),region!=us", True),
        ("env=dev", False),
        ("!env", False),
    ],
)
def test_a_selector_chooses_by_labels_and_by_name(selector: str, meant: bool) -> None:
    assert ConfiguredTarget("eu", ("env=prod", "region=eu")).is_meant(parse(selector)) is meant


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("targets: [eu]", "1:1: targets: 'eu' must be a mapping, for example: - name: eu"),
        ("targets: [{against: none}]", "1:11: name is missing: what is the cluster called?"),
        ("targets: [{name: eu, labels: [prod]}]", "'prod' is not a label such as env=prod"),
        ("targets: [{name: eu, against: main}]", "against: a target has a snapshot:FILE, or live with its context"),
        ("targets: [{name: eu}, {name: eu}]", "1:23: there are two targets with the name eu"),
        ("targets: [{name: eu, tool: flux}]", "unknown key 'tool'"),
    ],
    ids=["plain", "nameless", "label", "revision", "twice", "key"],
)
def test_an_invalid_target_is_reported_with_its_place(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(ConfigError) as error:
        targets(tmp_path, text)

    assert fault in error.value.faults[0]
