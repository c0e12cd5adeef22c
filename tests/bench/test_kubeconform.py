import json
from pathlib import Path

from bench.kubeconform import schemas


def test_each_schema_has_all_that_it_refers_to(tmp_path: Path) -> None:
    found = schemas(tmp_path / "schemas")
    schema = json.loads((found / "deployment-apps-v1.json").read_text())
    referred = set(json.dumps(schema).split('"#/definitions/')[1:])

    assert {one.partition('"')[0] for one in referred} == set(schema["definitions"])
