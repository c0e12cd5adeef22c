"""The command that lists the kinds with a known definition."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.schema import catalogue

Run = Callable[..., tuple[int, str, str]]
LAMP = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.x.io}
spec:
  group: x.io
  names: {kind: Lamp, plural: lamps}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""
CERTIFICATE = LAMP.replace("x.io", "cert-manager.io").replace("Lamp", "Certificate")
OTHER = LAMP.replace("x.io", "other.io")


def test_files_come_before_the_configuration_and_that_before_the_catalogue(run: Run, folder: Path) -> None:
    for name, text in (("all/lamp.yaml", LAMP), ("all/certificate.yaml", CERTIFICATE), ("crds/other.yaml", OTHER)):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "all/broken.yaml").write_text(LAMP.replace("kind: Lamp, ", ""))
    (folder / ".applylint.yaml").write_text("definitions: {crds: [crds], longhorn: v0.1}\n")
    code, out, _ = run("definitions", "all", "-o", "json")
    known = {(one["group"], one["kind"]): one for one in json.loads(out)["definitions"]}

    assert code == 0
    assert known["x.io", "Lamp"]["location"] == "all/lamp.yaml:1:1"
    assert known["cert-manager.io", "Certificate"]["source"] == "repository"
    assert known["other.io", "Lamp"]["source"] == "configuration"
    assert known["cert-manager.io", "Issuer"]["source"] == "catalogue"
    assert not known["longhorn.io", "Volume"]["certain"]


def test_a_pinned_version_is_marked(run: Run, folder: Path) -> None:
    version = catalogue.projects()["cert-manager"].version
    (folder / ".applylint.yaml").write_text(f"definitions: {{cert-manager: {version}}}\n")
    _, out, _ = run("definitions")

    assert f"cert-manager {version} (pinned)" in out


def test_a_missing_path_is_named(run: Run) -> None:
    code, out, err = run("definitions", "nowhere")

    assert (code, out) == (3, "")
    assert 'the path "nowhere" does not exist' in err


@pytest.mark.parametrize("form", ["sarif", "html"])
def test_other_formats_are_rejected(run: Run, form: str) -> None:
    assert run("definitions", "-o", form)[0] == 2
