import json
from importlib.resources import files

from kubectl_applylint.core.change_classes import ChangeClass, Conclusion


def test_the_schema_of_reports_names_every_class_and_conclusion() -> None:
    schema = json.loads(files("kubectl_applylint.report").joinpath("schemas/json-v1.json").read_text(encoding="utf-8"))

    assert schema["properties"]["class"]["enum"] == [*ChangeClass]
    assert schema["properties"]["conclusion"]["enum"] == [*Conclusion]
