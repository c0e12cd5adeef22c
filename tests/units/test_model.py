import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.units.model import Applied, Form, Reason, SourceFilter, Unit, object_root

FILES = frozenset({"a/web.yaml"})


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        pytest.param(Reason("Application shop", "apps.yaml", 7), "Application shop (apps.yaml:7)", id="a line"),
        pytest.param(
            Reason("kustomization", "a/kustomization.yaml"), "kustomization (a/kustomization.yaml)", id="a file"
        ),
        pytest.param(Reason("folder of manifests"), "folder of manifests", id="the layout"),
    ],
)
def test_a_reason_names_its_place(reason: Reason, text: str) -> None:
    assert str(reason) == text


@pytest.mark.parametrize(
    ("sparse", "folder", "may_have"),
    [
        pytest.param((), "apps", True, id="all files"),
        pytest.param(("apps",), "apps/web", True, id="a folder above it"),
        pytest.param(("./apps/web/",), "apps", True, id="a folder in it"),
        pytest.param(("app",), "apps", True, id="the start of its name"),
        pytest.param(("base", "apps/api"), "apps/web", False, id="other folders"),
        pytest.param(("apps",), "", True, id="the top folder"),
    ],
)
def test_a_sparse_checkout_may_have_a_folder(sparse: tuple[str, ...], folder: str, may_have: bool) -> None:
    assert SourceFilter(sparse=sparse).may_have(folder) is may_have


@pytest.mark.parametrize(
    ("root", "values", "shown"),
    [
        pytest.param("a", (), "a", id="a folder"),
        pytest.param("", (), ".", id="the root of the repository"),
        pytest.param("chart", ("env/prod.yaml", "eu.yaml"), "chart (prod.yaml, eu.yaml)", id="values of a chart"),
        pytest.param("", ("prod.yaml",), ". (prod.yaml)", id="values of a chart at the root"),
    ],
)
def test_a_unit_is_shown_by_its_root_and_values(root: str, values: tuple[str, ...], shown: str) -> None:
    assert Unit(root, Form.CHART, FILES, values=values).shown == shown


def test_a_unit_is_the_same_one_in_another_revision() -> None:
    unit = Unit("a", Form.FOLDER, FILES, Applied(namespace="shop", target="prod"))
    later = Unit(
        "a",
        Form.KUSTOMIZATION,
        frozenset(),
        Applied(tool="flux", namespace="shop", target="prod", prune=True, reason=Reason("x")),
    )

    assert unit.key == later.key


@pytest.mark.parametrize(
    "other",
    [
        Unit("b", Form.FOLDER, FILES),
        Unit("a", Form.FOLDER, FILES, Applied(namespace="shop")),
        Unit("a", Form.FOLDER, FILES, Applied(target="prod")),
        Unit("a", Form.FOLDER, FILES, values=("v",)),
        Unit("a", Form.FOLDER, FILES, values=("v", "w")),
    ],
    ids=["another root", "another namespace", "another cluster", "values", "more values"],
)
def test_another_apply_is_another_unit(other: Unit) -> None:
    every = [Unit("a", Form.FOLDER, FILES), Unit("a", Form.FOLDER, FILES, values=("w", "v")), other]

    assert len({unit.key for unit in every}) == 3


@pytest.mark.parametrize(
    ("applied", "may_be_patched"),
    [
        pytest.param(Applied(), True, id="a folder that nothing declares"),
        pytest.param(Applied(reason=Reason("x", "a.yaml", 1)), False, id="declared by an object that a unit renders"),
        pytest.param(Applied(reason=Reason("x", "a.yaml", 1), is_written=True), True, id="by one that no unit renders"),
        pytest.param(
            Applied(reason=Reason("x", "a.yaml", 1), is_written=True, cluster="a"), False, id="by the root of a cluster"
        ),
    ],
)
def test_a_unit_may_be_patched_by_what_is_not_known(applied: Applied, *, may_be_patched: bool) -> None:
    assert Unit("a", Form.FOLDER, frozenset(), applied).may_be_patched is may_be_patched


@pytest.mark.parametrize(("namespace", "name"), [("apps", "HelmRelease/apps/web"), ("", "HelmRelease/web")])
def test_a_unit_is_named_by_its_object_with_the_namespace_that_is_written(namespace: str, name: str) -> None:
    ref = ObjectRef("helm.toolkit.fluxcd.io/v2", "HelmRelease", namespace, "web")
    unit = Unit(object_root(ref), Form.RELEASE, FILES, Applied(declared_by=ref, cluster="prod"))

    assert unit.shown == name
    assert unit.names == {name, f"prod/{name}"}


@pytest.mark.parametrize(
    ("form", "applied", "cluster"),
    [
        (Form.CHART, Applied("helm", reason=Reason("a chart")), "apps (values-a.yaml)"),
        (Form.CHART, Applied("fleet", reason=Reason("a bundle", "fleet.yaml")), ""),
        (Form.CHART, Applied("argocd", cluster="prod", reason=Reason("web", "web.yaml", 1)), "prod"),
        (Form.FOLDER, Applied(), ""),
    ],
)
def test_a_chart_that_nothing_declares_is_the_cluster_of_what_it_declares(
    form: Form, applied: Applied, cluster: str
) -> None:
    assert Unit("apps", form, frozenset(), applied, ("apps/values-a.yaml",)).declaring_cluster == cluster
