from pathlib import Path

from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.run.sides.unit_objects import manifests, whole_input
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


def test_flux_reads_plain_manifests_untyped(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(MAP.replace("name: a", "name: a, labels: {active: true}"))
    side = of_folder(str(tmp_path))
    by_flux, by_kubectl = (
        whole_input(side, Unit("", Form.FOLDER, frozenset({"map.yaml"}), Applied(tool))) for tool in ("flux", "kubectl")
    )

    assert ([one.ref.name for one in by_flux.documents], by_flux.problems) == (["a"], ())
    assert (by_kubectl.documents, len(by_kubectl.problems)) == ((), 1)
