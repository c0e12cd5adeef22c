"""Files in memory as a side."""

from kubectl_applylint.run.sides.stored_side import stored_side

MAP = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"


def test_files_are_displayed_below_the_name() -> None:
    side = stored_side("example.com/o/r@0123", {"a/x.yaml": MAP})

    (found,) = side.read(["a/x.yaml"]).documents
    assert (found.ref.name, found.file) == ("x", "example.com/o/r@0123/a/x.yaml")
    assert side.contents(["a/x.yaml", "no"]) == {"a/x.yaml": MAP}
    assert (side.content("no"), side.mentioning(["kind"])) == (b"", frozenset())
    assert [one.where for one in side.render("a").problems] != []
