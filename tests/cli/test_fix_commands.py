"""Printed commands have the files that the caller has named."""

from pathlib import Path

import pytest

from tests.cli.test_units import Run, write

SET = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, labels: {set: shop}}\n"
PRUNE = ("--prune", "-l", "set=shop", "--against", "file:earlier.yaml", "--select", "prune-deletes-object-of-others")
OWNER = "  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a, uid: 8d9a9d1c-0000-4000-8000-000000000000}]\n"


@pytest.mark.parametrize("names", [("a.yaml",), ("a.yaml", "b.yaml")], ids=["one file", "two files"])
def test_a_prune_is_given_the_files_of_the_run_and_not_those_of_the_revision_before(
    names: tuple[str, ...], run: Run, folder: Path
) -> None:
    owned = SET.replace(
        "metadata: {name: %s, labels: {set: shop}}\n", "metadata:\n  name: gone\n  labels: {set: shop}\n"
    )
    write(folder, {name: SET % Path(name).stem for name in names})
    write(folder, {"earlier.yaml": f"{SET % 'a'}---\n{SET % 'b'}---\n{owned}{OWNER}"})
    files = [f"-f {name}" for name in names]

    _, out, _ = run("check", *" ".join(files).split(), *PRUNE)

    assert f"kubectl apply --prune --selector=set=shop --dry-run=server {' '.join(files)}\n" in out
    assert "-f earlier.yaml" not in out
