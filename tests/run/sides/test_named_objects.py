"""Objects in files, by kind and name."""

from pathlib import Path

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.named_objects import NamedObjects
from tests.run.running import write

SOURCE = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: web%s}\n"
KIND = ("source.toolkit.fluxcd.io", "OCIRepository")


@pytest.mark.parametrize(
    ("namespace", "file", "files", "found"),
    [
        ("shop", "prod/apps/web.yaml", (), "prod/source.yaml"),
        ("shop", "test/apps/web.yaml", (), "test/source.yaml"),
        ("shop", "test/apps/web.yaml", ("prod/source.yaml",), "prod/source.yaml"),
        ("other", "prod/apps/web.yaml", (), "prod/source.yaml"),
        ("other", "test/apps/web.yaml", (), "prod/source.yaml"),
    ],
    ids=["nearest", "nearest of another cluster", "of the cluster", "no namespace", "another namespace"],
)
def test_the_nearest_object_is_found(
    tmp_path: Path, namespace: str, file: str, files: tuple[str, ...], found: str
) -> None:
    write(tmp_path, {"prod/source.yaml": SOURCE % "", "test/source.yaml": SOURCE % ", namespace: shop"})
    side = sides.of_folder(str(tmp_path))
    objects, shown = NamedObjects(side), side.label(file)

    document = objects.nearest(KIND, namespace, "web", file=shown, files=files)
    assert document is not None
    assert document.file.endswith(found)
    assert objects.nearest(KIND, namespace, "we", file=shown) is None
    assert objects.nearest(("", "OCIRepository"), namespace, "web", file=shown) is None
