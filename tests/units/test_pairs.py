"""Units of two revisions in pairs."""

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.units.model import Applied, Form, Reason, Unit
from kubectl_applylint.units.pairs import paired_units

APPLICATION = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "web", "namespace": "argocd"},
}
PATH = Unit("apps/web", Form.FOLDER, frozenset({"apps/web/a.yaml"}), Applied("argocd", tool_object=APPLICATION))


def built(file: str, *files: str) -> Unit:
    applied = Applied(
        "argocd", tool_object=APPLICATION, declared_by=ref_of(APPLICATION), reason=Reason("Application", file)
    )
    return Unit("Application/argocd/web", Form.RELEASE, frozenset(files), applied)


def test_units_with_one_key_are_pairs_by_their_file() -> None:
    pairs = [*paired_units([built("main:a/web.yaml"), built("main:b/web.yaml")], [built("b/web.yaml")])]

    assert [(was and was.applied.reason.file, now and now.applied.reason.file) for was, now in pairs] == [
        ("main:b/web.yaml", "b/web.yaml"),
        ("main:a/web.yaml", None),
    ]
    assert [unit.applied.cluster for pair in pairs for unit in pair if unit] == ["b", "b", "a"]


def test_an_application_in_another_file_is_one_pair() -> None:
    ((was, now),) = paired_units([built("a/web.yaml")], [built("b/web.yaml")])

    assert was
    assert now
    assert now.applied.cluster == ""


def test_the_paths_of_an_application_are_one_unit_if_the_other_revision_builds_it() -> None:
    more = Unit("apps/more", Form.FOLDER, frozenset({"apps/more/b.yaml"}), PATH.applied)
    later = built("web.yaml", "apps/web/a.yaml")

    ((was, now),) = paired_units([PATH, more], [later])
    assert was
    assert (was.root, was.files, now) == (later.root, PATH.files | more.files, later)
    assert [*paired_units([PATH], [PATH])] == [(PATH, PATH)]
