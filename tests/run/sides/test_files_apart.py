"""Files of a folder that are applies of their own."""

from pathlib import Path

import pytest

from kubectl_applylint.run.sides.files_apart import files_apart, split_folder
from kubectl_applylint.units.model import Form, Unit
from tests.run.discover.test_unit_tasks import side

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"
OTHER = MAP.replace("web", "other")
CREATED = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  generateName: once-\n"


def apart(folder: Path, *revisions: dict[str, str]) -> list[set[str]]:
    found = []
    for number, texts in enumerate(revisions):
        (folder / str(number)).mkdir()
        here = side(folder / str(number), {f"a/{name}": text for name, text in texts.items()})
        found.append((here, Unit("a", Form.FOLDER, frozenset(f"a/{name}" for name in texts))))
    return [{path.removeprefix("a/") for path in one} for one in files_apart(found)]


@pytest.mark.parametrize(
    ("texts", "files"),
    [
        ({"1.yaml": MAP, "2.yaml": OTHER}, set()),
        ({"1.yaml": MAP, "2.yaml": MAP, "3.yaml": OTHER}, {"1.yaml", "2.yaml", "3.yaml"}),
        ({"1.yaml": CREATED, "2.yaml": CREATED}, set()),
        ({"1.yaml": f"{MAP}---\n{CREATED}", "2.yaml": f"{MAP}---\n{CREATED}", "3.yaml": OTHER}, {"1.yaml", "2.yaml"}),
        (
            {"1.yaml": f"{MAP}---\n{CREATED}", "2.yaml": MAP, "3.yaml": OTHER},
            {"1.yaml"},
        ),
        ({"1.yaml": MAP, "2.yaml": f"{MAP}{{{{ if .Values.a }}}}\n"}, set()),
    ],
    ids=["one apply", "alternatives", "objects without a name", "created one by one", "one of them", "a template"],
)
def test_files_of_a_folder_are_units_of_their_own(tmp_path: Path, texts: dict[str, str], files: set[str]) -> None:
    assert apart(tmp_path, texts) == [files]


@pytest.mark.parametrize(
    ("before", "after", "files"),
    [
        ({"1.yaml": MAP, "2.yaml": MAP}, {"3.yaml": OTHER}, [{"1.yaml", "2.yaml", "3.yaml"}] * 2),
        (
            {"1.yaml": MAP, "2.yaml": OTHER},
            {"1.yaml": f"{OTHER}---\n{CREATED}", "2.yaml": OTHER, "3.yaml": MAP},
            [set(), {"1.yaml"}],
        ),
    ],
    ids=["alternatives before", "created only now"],
)
def test_both_revisions_decide(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], files: list[set[str]]
) -> None:
    assert apart(tmp_path, before, after) == files


def test_a_symlink_to_an_alternative_is_no_unit(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "link.yaml").symlink_to("1.yaml")
    found = side(tmp_path, {"a/1.yaml": MAP, "a/2.yaml": MAP})
    unit = Unit("a", Form.FOLDER, frozenset(path for path in found.paths if path.startswith("a/")))
    (apart,) = files_apart([(found, unit)])

    assert sorted(one.root for one in split_folder(found, unit, apart)) == ["a/1.yaml", "a/2.yaml"]
