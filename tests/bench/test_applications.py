from pathlib import Path

import yaml

from bench.applications import write


def test_the_same_repository_is_written_each_time(tmp_path: Path) -> None:
    one, other = write(tmp_path / "one", 30), write(tmp_path / "other", 30)
    files = {str(path.relative_to(one)): path.read_text() for path in one.rglob("*.yaml")}

    assert files == {str(path.relative_to(other)): path.read_text() for path in other.rglob("*.yaml")}
    assert len(files) >= 30
    assert "team-00/app-0000/overlays/prod/kustomization.yaml" in files
    objects = [yaml.safe_load(text) for text in files.values()]
    names = [(one["kind"], one["metadata"]["name"]) for one in objects if "kind" in one]
    assert len(set(names)) == len(names)
