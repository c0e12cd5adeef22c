"""The Secrets of units that other shards examine."""

from pathlib import Path

from kubectl_applylint.run.discover.other_secrets import secrets_in, secrets_of_pairs
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides import sides
from kubectl_applylint.units.model import Form, Unit

SMALL = Unit("small", Form.FOLDER, frozenset({"small/0.yaml"}))


def secret(name: str) -> str:
    kinds = {"Secret": name, "ConfigMap": "c"}
    return "---\n".join(f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}\n" for kind, name in kinds.items())


def test_secrets_of_other_shards_are_known_on_both_sides(tmp_path: Path) -> None:
    for name in ("before", "after"):
        (tmp_path / name / "small").mkdir(parents=True)
        (tmp_path / name / "small" / "0.yaml").write_text(secret(name))
        (tmp_path / name / "other.yaml").write_text(secret("other"))
    before, after = (sides.of_folder(str(tmp_path / name)) for name in ("before", "after"))
    found = Revisions(before, after, frozenset(), ((), ()))

    assert [item["metadata"]["name"] for item in secrets_of_pairs(found, [(SMALL, SMALL)])] == ["before", "after"]
    assert [item["metadata"]["name"] for item in secrets_of_pairs(found, [(None, SMALL)])] == ["after"]
    assert [*secrets_in(before, [])] == []
