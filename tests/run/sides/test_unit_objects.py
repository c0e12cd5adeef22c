from pathlib import Path

import pytest

from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.run.sides.unit_objects import folder_failures, manifests, whole_input
from kubectl_applylint.units.model import Applied, Form, Unit

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def test_a_folder_has_the_objects_of_its_manifests(tmp_path: Path) -> None:
    for name, text in {"map.yaml": MAP, "values.yaml": "a: 1\n", "escaped.yaml": '{"\\x6bind": 1}\n'}.items():
        (tmp_path / name).write_text(text)
    side = of_folder(str(tmp_path))
    unit = Unit("", Form.FOLDER, frozenset({"map.yaml", "values.yaml"}))

    assert [one.ref.name for one in whole_input(side, unit).documents] == ["a"]
    assert manifests(side, ["values.yaml", "map.yaml", "escaped.yaml"]) == ["map.yaml", "escaped.yaml"]
    assert manifests(side, ["values.yaml"], ["values.yaml"]) == ["values.yaml"]


@pytest.mark.parametrize(
    ("text", "is_fatal"),
    [("a: {\n" + MAP, True), ("a: b\n", False), (f"{MAP}---\nkind: Service\n", False)],
    ids=["syntax error", "no manifest", "no version"],
)
def test_flux_applies_nothing_of_a_directory_with_a_syntax_error(tmp_path: Path, text: str, is_fatal: bool) -> None:
    (tmp_path / "map.yaml").write_text(MAP)
    (tmp_path / "other.yaml").write_text(text)
    unit = Unit("", Form.FOLDER, frozenset({"map.yaml", "other.yaml"}), Applied("flux"))

    found = whole_input(of_folder(str(tmp_path)), unit)

    assert any(one.is_fatal for one in found.problems) is is_fatal


@pytest.mark.parametrize(("tool", "count"), [("argocd", 1), ("flux", 1), ("kubectl", 0), ("kapp", 0)])
def test_some_tools_apply_nothing_of_a_folder_with_a_broken_manifest(tmp_path: Path, tool: str, count: int) -> None:
    (tmp_path / "map.yaml").write_text(f"{MAP}\t- x\n")
    unit = Unit("", Form.FOLDER, frozenset({"map.yaml"}), Applied(tool))

    assert len(folder_failures(of_folder(str(tmp_path)), unit, unit.files)) == count


def test_flux_reads_plain_manifests_untyped(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(MAP.replace("name: a", "name: a, labels: {active: true}"))
    side = of_folder(str(tmp_path))
    by_flux, by_kubectl = (
        whole_input(side, Unit("", Form.FOLDER, frozenset({"map.yaml"}), Applied(tool))) for tool in ("flux", "kubectl")
    )

    assert ([one.ref.name for one in by_flux.documents], by_flux.problems) == (["a"], ())
    assert (by_kubectl.documents, len(by_kubectl.problems)) == ((), 1)
