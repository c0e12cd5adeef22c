import pytest

from kubectl_applylint.sources.render.kustomization import files_of
from kubectl_applylint.units.kustomizations import Graph, read, read_with_plugins, resolve_reference


def graph(texts: dict[str, str], files: set[str] = frozenset()) -> Graph:  # type: ignore[assignment]  # read only
    named = {path.rpartition("/")[0]: path for path in texts}
    found = {folder: read(texts[path].encode()) for folder, path in named.items()}
    every = {*texts, *files}
    return Graph(found, named, every.__contains__, files_of(every, str.encode).below)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        pytest.param("resources:\n- a.yaml\n- ../base # it\n", ("a.yaml", "../base"), id="a list"),
        pytest.param("resources: [a.yaml, ../base]\n", ("a.yaml", "../base"), id="a flow list"),
        pytest.param('resources:\n  - "../base"\nnamePrefix: x\n', ("../base",), id="quotes"),
        pytest.param("resources:\n- a\npatches:\n- path: b\n", ("a",), id="a patch is no kustomization"),
        pytest.param("namespace: monitoring\n", (), id="a namespace is no kustomization"),
        pytest.param("components:\n- c\nbases:\n- b\n", ("c", "b"), id="components and bases"),
        pytest.param("resources:\n- |\n  apiVersion: builtin\n  kind: X\n", (), id="a resource written in place"),
        pytest.param("resources: {\n", (), id="no YAML"),
        pytest.param("# resources:\n#- a\nresources: []\n", (), id="comments"),
    ],
)
def test_entries_of_a_kustomization_are_read_from_every_spelling(text: str, others: tuple[str, ...]) -> None:
    assert read(text.encode()).others == others


@pytest.mark.parametrize(
    ("text", "is_applied"),
    [
        ("resources: []\n", True),
        ("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", True),
        ("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n", False),
        ("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n", False),
    ],
    ids=["without a version", "a kustomization", "a component", "of Flux"],
)
def test_a_component_is_never_applied_by_itself(text: str, is_applied: bool) -> None:
    assert read(text.encode()).is_applied is is_applied


def test_roots_are_those_that_no_other_one_refers_to() -> None:
    found = graph(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "dev/kustomization.yaml": "resources:\n- ../base\n",
            "prod/kustomization.yaml": "resources:\n- ../base\n- ../prod\n",
            "kustomization.yaml": "kind: Component\n",
        }
    )

    assert found.roots() == {"dev", "prod"}


def test_a_unit_is_made_of_all_that_its_kustomizations_name() -> None:
    files = {"base/web.yaml", "dev/patch.yaml", "dev/app.properties", "other.yaml"}
    found = graph(
        {
            "base/kustomization.yaml": "resources:\n- web.yaml\n",
            "dev/kustomization.yaml": (
                "resources:\n- ../base\npatches:\n- path: patch.yaml\n"
                "configMapGenerator:\n- name: a\n  files: [b=app.properties]\n"
            ),
        },
        files,
    )

    assert found.closure("dev") == {"dev/kustomization.yaml", "base/kustomization.yaml", *files} - {"other.yaml"}


def test_circles_end() -> None:
    found = graph({"a/kustomization.yaml": "resources:\n- ../b\n", "b/kustomization.yaml": "resources:\n- ../a\n"})

    assert found.roots() == frozenset()
    assert found.closure("a") == {"a/kustomization.yaml", "b/kustomization.yaml"}


@pytest.mark.parametrize(
    ("folder", "reference", "path"),
    [
        ("a/b", "../c", "a/c"),
        ("a", "..", ""),
        ("a", "./x.yaml", "a/x.yaml"),
        ("a", "../../x", None),
        ("", "..", None),
        ("a", "/etc/passwd", None),
        ("a", "https://example.com/x", None),
    ],
)
def test_references_stay_in_the_repository(folder: str, reference: str, path: str | None) -> None:
    assert resolve_reference(folder, reference) == path


@pytest.mark.parametrize("field", ["generators", "transformers", "validators", "Generators"])
@pytest.mark.parametrize("plugin", ["plugin.yaml", '"{kind: Gen, files: [secret.yaml]}\\n"'])
def test_files_of_a_plugin_are_references(field: str, plugin: str) -> None:
    files = {"plugin.yaml": b"kind: Gen\nfiles:\n- secret.yaml\n"}
    text = f"resources: [a.yaml]\n{field}: [{plugin}]\n"

    found = read_with_plugins(text.encode(), lambda path: files.get(path, b""))

    assert {"a.yaml", "secret.yaml"} <= found.words


def test_other_files_are_not_read() -> None:
    def fail(path: str) -> bytes:
        raise AssertionError(path)

    text = b"resources: [a.yaml]\n# generators: [b.yaml]\n"

    assert read_with_plugins(text, fail) == read(text)


def test_the_chart_of_a_generator_belongs_to_the_kustomization() -> None:
    text = "apiVersion: builtin\nkind: HelmChartInflationGenerator\nname: web\nchartHome: x\nvaluesFile: v.yaml\n"
    found = read_with_plugins(b"generators: [g.yaml]\n", {"g.yaml": text.encode()}.__getitem__)
    files = {"g.yaml", "v.yaml", "x/web/Chart.yaml", "x/web/templates/a.yaml", "x/other/Chart.yaml"}
    own = Graph({"": found}, {"": "kustomization.yaml"}, files.__contains__, files_of(files, str.encode).below)

    assert own.charts() == {"x/web"}
    assert own.closure("") == {"kustomization.yaml", *files} - {"x/other/Chart.yaml"}
