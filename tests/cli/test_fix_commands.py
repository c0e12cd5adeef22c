"""What printed commands are given of the files that the caller has named."""

from pathlib import Path

from tests.cli.test_units import Run, write

SET = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, labels: {set: shop}}\n"
PRUNE = ("--prune", "-l", "set=shop", "--against", "file:earlier.yaml", "--select", "prune-deletes-object-of-others")
OWNER = "  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a, uid: 8d9a9d1c-0000-4000-8000-000000000000}]\n"


def test_a_prune_is_given_the_files_of_the_run_and_not_those_of_the_revision_before(run: Run, folder: Path) -> None:
    owned = SET.replace(
        "metadata: {name: %s, labels: {set: shop}}\n", "metadata:\n  name: gone\n  labels: {set: shop}\n"
    )
    write(folder, {"a.yaml": SET % "a", "b.yaml": SET % "b"})
    write(folder, {"earlier.yaml": f"{SET % 'a'}---\n{SET % 'b'}---\n{owned}{OWNER}"})

    _, out, _ = run("check", "-f", "a.yaml", "-f", "b.yaml", *PRUNE)

    assert "kubectl apply --prune --selector=set=shop --dry-run=server -f a.yaml -f b.yaml\n" in out
    assert "-f earlier.yaml" not in out
