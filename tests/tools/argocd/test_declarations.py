from collections.abc import Mapping
from textwrap import indent
from typing import Final

import pytest
from hypothesis import given

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.declarations import application_units, declarations
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import Applied, Form, HelmOptions, Reason
from tests.units.documents import document, documents, jsons

HERE: Final = "https://example.com/o/r"
APPLICATION: Final = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
"""
SET: Final = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
"""
FILES: Final = (
    "apps/web/kustomization.yaml",
    "apps/db/base/db.yaml",
    "apps/old/x.yaml",
    "apps/.hidden/x.yaml",
    "clusters/prod/config.json",
    "clusters/test/config.json",
)
CONTENTS: Final[Mapping[str, bytes]] = {
    "clusters/prod/config.json": b'{"cluster": {"name": "prod", "port": 443, "on": true}, "apps": "web"}',
    "clusters/test/config.json": b'[{"cluster": {"name": "test"}}]',
}


def declarations_in(text: str, remotes: tuple[str, ...] = (HERE,)) -> list[Declared]:
    return list(declarations(documents(text), FILES, CONTENTS.__getitem__, remotes))


def test_an_application_declares_a_path_with_its_settings() -> None:
    text = f"""{APPLICATION}\
  source: {{repoURL: {HERE}, path: ./apps/old, directory: {{recurse: true}}}}
  destination: {{server: https://prod.example.com, namespace: shop}}
  syncPolicy: {{automated: {{prune: true}}}}
"""

    why = Reason("Application argocd/web", "apps.yaml", 5)
    helm = HelmOptions(release="web")
    prod = "https://prod.example.com"
    applied = Applied("argocd", "shop", prod, is_known_target=True, prune=True, reason=why, helm=helm)
    assert declarations_in(text) == [Declared("apps/old", applied, is_recursive=True, source=HERE)]


@pytest.mark.parametrize(("path", "is_one_unit"), [("apps/old", True), ("apps/web", True), ("apps/none", False)])
def test_an_application_that_names_helm_for_other_files_is_one_unit(path: str, is_one_unit: bool) -> None:
    (one,) = declarations_in(f"{APPLICATION}  source: {{path: {path}, helm: {{}}}}\n")

    assert one.is_one_unit is is_one_unit


def test_an_application_says_how_it_is_synced() -> None:
    text = f"""{APPLICATION}\
  source: {{path: apps/web}}
  destination: {{namespace: shop}}
  syncPolicy: {{automated: {{prune: true}}, syncOptions: [ServerSideApply=true, 1]}}
"""
    (one,) = declarations_in(text)

    assert one.applied.tool_object is not None
    assert one.applied.tool_object["spec"]["syncPolicy"]["syncOptions"] == ["ServerSideApply=true", 1]


@pytest.mark.parametrize(
    ("lines", "paths"),
    [
        ("source: {path: .}", [""]),
        ("source: {path: a/../b}", ["b"]),
        ("source: {path: ''}", []),
        ("source: {path: 1}", []),
        ("source: {chart: web, repoURL: https://charts.example.com}", [""]),
        ("source: {chart: web, path: web}", [""]),
        ("source: [a]", []),
        ("sources: [{path: a}, {ref: values}, 1, {path: b}]", ["a", "b"]),
        ("{source: {path: a}, sources: [{path: b}]}", ["b"]),
        ("{source: {path: a}, sources: []}", ["a"]),
        ("{}", []),
    ],
)
def test_sources_with_a_path_count(lines: str, paths: list[str]) -> None:
    text = APPLICATION.rstrip() + (" " if lines.startswith("{") else "\n  ") + lines

    assert [one.path for one in declarations_in(text)] == paths


@pytest.mark.parametrize("path", ["../other", "/etc"])
@pytest.mark.parametrize("options", ["", ", helm: {fileParameters: [{name: a, path: a}]}"])
def test_an_application_with_a_path_outside_of_the_repository_is_named(path: str, options: str) -> None:
    (found,) = declarations_in(f"{APPLICATION}  source: {{repoURL: {HERE}, path: {path}{options}}}\n")

    assert (found.root, found.applied.gap) == (
        "Application/argocd/web",
        f"its path {path} is outside of the repository",
    )


@pytest.mark.parametrize(
    ("destination", "target"),
    [
        ("{server: https://kubernetes.default.svc}", "in-cluster"),
        ("{server: https://kubernetes.default.svc/}", "in-cluster"),
        ("{name: in-cluster}", "in-cluster"),
        ("{name: prod}", "prod"),
        ("{server: https://x.example.com}", "https://x.example.com"),
        ("[]", ""),
    ],
)
def test_the_cluster_of_argo_cd_has_one_name(destination: str, target: str) -> None:
    text = f"{APPLICATION}  source: {{path: a}}\n  destination: {destination}\n"

    assert [one.applied.target for one in declarations_in(text)] == [target]


@pytest.mark.parametrize(
    ("policy", "prune"),
    [
        ("{automated: {prune: true}}", True),
        ("{automated: {prune: false}}", False),
        ("{automated: {}}", False),
        ("{automated: null}", None),
        ("{syncOptions: [CreateNamespace=true]}", None),
        ("1", None),
    ],
)
def test_only_an_automatic_sync_is_known_to_prune_or_not(policy: str, *, prune: bool | None) -> None:
    text = f"{APPLICATION}  source: {{path: a}}\n  syncPolicy: {policy}\n"

    assert [one.applied.prune for one in declarations_in(text)] == [prune]


@pytest.mark.parametrize(
    ("lines", "folders", "read", "gap"),
    [
        (f"source: {{repoURL: {HERE}, path: apps/web, kustomize: {{namePrefix: x-}}}}", ("apps/web",), (), ""),
        ("source: {repoURL: ghcr.io/o, chart: web, targetRevision: 1.0.0}", (), (), ""),
        (
            f"sources: [{{repoURL: {HERE}, ref: v}}, {{repoURL: ghcr.io/o, chart: web, "
            "helm: {valueFiles: [$v/a.yaml]}}]",
            (),
            ("a.yaml",),
            "",
        ),
        ("source: {repoURL: 'https://x/{{.a}}', chart: web}", (), (), "parameters of its source are not known"),
        (
            f"source: {{repoURL: {HERE}, path: a, helm: {{valueFiles: ['{{{{.env}}}}.yaml']}}}}",
            ("a",),
            (),
            "parameters of its value files are not known",
        ),
        (
            f"sources: [{{repoURL: https://example.com/o/other, path: a}}, {{repoURL: {HERE}, path: b, chart: ''}}, "
            "{repoURL: ghcr.io/o, chart: c}]",
            ("b",),
            (),
            "",
        ),
    ],
    ids=["options", "chart", "values of another source", "unknown source", "unknown file", "other repository"],
)
def test_an_application_that_needs_more_than_a_path_is_one_unit(
    lines: str, folders: tuple[str, ...], read: tuple[str, ...], gap: str
) -> None:
    (one,) = declarations_in(f"{APPLICATION}  {lines}\n")

    assert (one.root, one.folders, one.read_files, one.applied.gap) == ("Application/argocd/web", folders, read, gap)
    assert one.applied.declared_by is not None


def test_several_sources_may_name_revisions() -> None:
    sources = [
        f"{{repoURL: {HERE}, path: a, targetRevision: {name}}}" for name in ("main", "v1.0.0", "HEAD", "'{{x}}'")
    ]
    other = "{repoURL: https://example.com/other, path: b, targetRevision: v2.0.0}"
    (one,) = declarations_in(f"{APPLICATION}  sources: [{', '.join([*sources, other])}]\n")
    (single,) = declarations_in(f"{APPLICATION}  sources: [{sources[1][:-1]}, kustomize: {{namePrefix: x-}}}}]\n")

    assert (one.revisions, one.revision) == (("branch main", "tag v1.0.0"), "")
    assert (single.revisions, single.revision) == ((), "tag v1.0.0")


def test_applications_that_a_chart_renders_are_units_of_their_own() -> None:
    source = f"{APPLICATION}  source: {{repoURL: {HERE}, path: apps/web}}\n"
    written = documents(source)
    rendered = [replace(one, is_templated=True) for one in written]

    assert [*application_units(written, FILES, CONTENTS.__getitem__, [HERE])] == []
    (unit,) = application_units(rendered, FILES, CONTENTS.__getitem__, [HERE])
    assert (unit.root, unit.form, unit.applied.gap) == ("Application/argocd/web", Form.RELEASE, "")
    (other,) = application_units(rendered, FILES, CONTENTS.__getitem__, ["https://example.com/o/other"])
    assert other.applied.gap == f"its source is {HERE}"


def test_an_application_of_an_unknown_cluster_is_examined() -> None:
    generators = "generators: [{clusters: {}}]"
    source = f"{{repoURL: {HERE}, path: apps/web, kustomize: {{namePrefix: x-}}}}"
    template = f"metadata: {{name: '{{{{name}}}}-web'}}, spec: {{source: {source}}}"
    (one,) = declarations_in(f"{SET}  {generators}\n  template: {{{template}}}\n")

    assert (one.root, one.applied.gap, one.applied.target) == ("Application/argocd/{{name}}-web", "", "")


def test_a_set_that_argo_cd_rejects_has_no_applications() -> None:
    twice = "{list: {elements: [{name: a}, {name: a}]}}"
    rejected = f"{{merge: {{mergeKeys: [name], generators: [{twice}, {twice}]}}}}"
    generators = f"generators: [{{list: {{elements: [{{name: a}}]}}}}, {rejected}]"
    template = "template: {metadata: {name: '{{name}}'}, spec: {source: {repoURL: ghcr.io/o, chart: '{{name}}'}}}"
    (one,) = declarations_in(f"{SET}  {generators}\n  {template}\n")

    assert (one.root, one.applied.gap) == (
        "ApplicationSet/argocd/all",
        "Argo CD rejects its generators, and changes none of its Applications: "
        "several parameters of a generator have the same mergeKeys (name)",
    )


def test_a_generated_application_is_in_the_namespace_of_its_set() -> None:
    generators = "generators: [{plugin: {}}]"
    template = "template: {metadata: {name: one}, spec: {source: {repoURL: ghcr.io/o, chart: web}}}"
    (one,) = declarations_in(f"{SET}  {generators}\n  {template}\n")

    assert (one.root, str(one.applied.generated_by)) == ("Application/argocd/one", "applicationset.argoproj.io/all")


def applications(generators: str, template: str, *, is_go: bool = False, more: str = "") -> list[tuple[str, str, str]]:
    """Return path, namespace and target of what a set makes, without what is not examined."""
    lines = f"goTemplate: {str(is_go).lower()}\n{more}generators:\n{generators}\ntemplate:\n  spec: {template}\n"
    made = declarations_in(SET + indent(lines, "  "))
    return [(one.path, one.applied.namespace, one.applied.target) for one in made if not one.applied.gap]


PATHS: Final = (
    f"- git: {{repoURL: {HERE}, directories: [{{path: apps/*}}, {{path: apps/old, exclude: true}}]}}",
    "{source: {path: '{{path}}'}, destination: {namespace: '{{path.basename}}', name: '{{ path[0] }}'}}",
    "{source: {path: '{{.path.path}}'}, destination: {namespace: '{{ .path.basename }}', "
    "name: '{{ index .path.segments 0 }}'}}",
)
FROM_FOLDERS: Final = [("apps/db", "db", "apps"), ("apps/web", "web", "apps")]
LISTED: Final = "- list: {elements: [{name: prod, values: {path: apps/web}}, {name: test, values: {path: apps/db}}]}"
GIT_FILES: Final = f"- git: {{repoURL: {HERE}, files: [{{path: clusters/**/config.json}}]}}"


@pytest.mark.parametrize(
    ("generators", "template", "is_go", "made"),
    [
        (PATHS[0], PATHS[1], False, FROM_FOLDERS),
        (PATHS[0], PATHS[2], True, FROM_FOLDERS),
        (
            LISTED,
            "{source: {path: '{{values.path}}'}, destination: {name: '{{name}}'}}",
            False,
            [("apps/web", "", "prod"), ("apps/db", "", "test")],
        ),
        (
            LISTED,
            "{source: {path: '{{.values.path}}'}, destination: {name: '{{.name}}'}}",
            True,
            [("apps/web", "", "prod"), ("apps/db", "", "test")],
        ),
        (
            GIT_FILES,
            "{source: {path: '{{path}}'}, destination: {name: '{{cluster.name}}', namespace: '{{path.filename}}'}}",
            False,
            [("clusters/prod", "config.json", "prod"), ("clusters/test", "config.json", "test")],
        ),
        (
            GIT_FILES,
            "{source: {path: 'apps/{{apps}}'}, destination: {name: '{{cluster.port}}-{{cluster.on}}'}}",
            False,
            [("apps/web", "", "443-true")],
        ),
    ],
    ids=["folders", "folders, Go", "list", "list, Go", "files", "what files say"],
)
def test_generators_fill_the_template(
    generators: str, template: str, is_go: bool, made: list[tuple[str, str, str]]
) -> None:
    assert applications(generators, template, is_go=is_go) == made


def test_a_matrix_multiplies_two_generators() -> None:
    matrix = f"""\
- matrix:
    generators:
    {LISTED}
    - git: {{repoURL: {HERE}, directories: [{{path: '{{{{values.path}}}}'}}]}}"""

    assert applications(matrix, "{source: {path: '{{path}}'}, destination: {name: '{{name}}'}}") == [
        ("apps/web", "", "prod"),
        ("apps/db", "", "test"),
    ]


def test_a_generator_of_clusters_leaves_the_target_open() -> None:
    matrix = f"""\
- matrix:
    generators:
    {PATHS[0]}
    - clusters: {{}}"""

    template = "{source: {path: '{{path}}'}, destination: {server: '{{server}}', namespace: 'x-{{name}}'}}"
    assert applications(matrix, template) == [("apps/db", "", ""), ("apps/web", "", "")]


@pytest.mark.parametrize(
    ("generators", "template"),
    [
        ("- clusters: {}", "{source: {path: 'apps/{{name}}'}}"),
        ("- merge: {generators: []}", "{source: {path: '{{path}}'}}"),
        (PATHS[0].replace(HERE, "https://example.com/other"), "{source: {path: '{{path}}'}}"),
        ("- matrix: {generators: [{clusters: {}}]}", "{source: {path: a}}"),
        ("- matrix: 1", "{source: {path: '{{path}}'}}"),
        ("- 1", "{source: {path: '{{path}}'}}"),
        (PATHS[0], "[]"),
        ("- list: {elements: 1}", "{source: {path: a}}"),
        (f"- git: {{repoURL: {HERE}, directories: [{{path: 'a['}}, 1], files: 1}}", "{source: {path: a}}"),
        (PATHS[0], "{source: {path: '{{path.basename | upper}}'}}"),
    ],
    ids=[
        "clusters",
        "merge",
        "other repository",
        "half a matrix",
        "ill-typed matrix",
        "ill-typed generator",
        "ill-typed template",
        "ill-typed list",
        "bad pattern",
        "function",
    ],
)
def test_generators_and_templates_that_cannot_be_resolved_give_no_application(generators: str, template: str) -> None:
    assert applications(generators, template) == []


def test_a_generator_lays_its_own_template_over_that_of_the_set() -> None:
    generator = "- list: {elements: [{}], template: {spec: {destination: {name: own}, source: {path: ''}}}}"

    template = "{source: {path: a}, destination: {name: '', namespace: shop}}"
    assert applications(generator, template) == [("a", "shop", "own")]


def test_a_prefix_keeps_the_paths_of_two_generators_apart() -> None:
    generator = f"- git: {{repoURL: {HERE}, pathParamPrefix: x, directories: [{{path: apps/web}}]}}"

    assert applications(generator, "{source: {path: '{{x.path}}'}}") == [("apps/web", "", "")]
    assert applications(generator, "{source: {path: '{{.x.path.path}}'}}", is_go=True) == [("apps/web", "", "")]


def test_values_of_the_git_generator_are_filled_themselves() -> None:
    generator = (
        f"- git: {{repoURL: {HERE}, directories: [{{path: apps/web}}], values: {{ns: 'x-{{{{path.basename}}}}'}}}}"
    )

    template = "{source: {path: '{{path}}'}, destination: {namespace: '{{values.ns}}'}}"
    assert applications(generator, template) == [("apps/web", "x-web", "")]


def test_a_patch_of_the_template_changes_what_is_applied() -> None:
    generator = f"- git: {{repoURL: {HERE}, directories: [{{path: apps/web}}]}}"

    def declarations_in(patch: str) -> object:
        more = f"templatePatch: |\n  {patch}\n"
        return applications(generator, "{source: {path: '{{.path.path}}'}}", is_go=True, more=more)

    assert declarations_in("spec: {destination: {namespace: '{{.path.basename}}'}}") == [("apps/web", "web", "")]
    assert declarations_in('{{if eq .path.basename "web"}}spec: {source: {path: web}}{{end}}') == [("web", "", "")]
    assert declarations_in('{{if eq .path.basename "api"}}spec: {source: {path: web}}{{end}}') == [("apps/web", "", "")]
    assert declarations_in("spec: {source: {path: '{{unknown}}'}}") == []
    assert declarations_in("spec: {source: {path: 'apps{{.unknown}}'}}") == [("apps<no value>", "", "")]
    assert declarations_in("spec: {syncPolicy: '{{.unknown}}'}") == [("apps/web", "", "")]


@pytest.mark.parametrize(("levels", "count"), [(50, 1), (100, 0), (3000, 0)])
def test_a_set_that_nests_too_deeply_gives_nothing(levels: int, count: int) -> None:
    deep: Json = {}
    for _ in range(levels):
        deep = {"a": deep}
    generators: Json = [{"list": {"elements": [deep]}}]
    spec: Json = {"goTemplate": True, "generators": generators, "template": {"spec": {"source": {"path": "a"}}}}

    nested = document({"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "spec": spec})
    assert [one.applied.gap for one in declarations([nested])] == ["" if count else "it is nested too deeply"]


def test_a_file_that_nests_too_deeply_is_rejected() -> None:
    generators = [{"git": {"files": [{"path": "*.json"}]}}]
    spec = {"generators": generators, "template": {"spec": {"source": {"path": "{{a}}"}}}}
    value = {"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "spec": spec}
    files = {"deep.json": b'{"x":' * 150 + b"1" + b"}" * 150, "flat.json": b'{"a": "b"}'}

    (one,) = declarations([document(value)], files, files.__getitem__)
    assert one.applied.gap.endswith("its Applications: deep.json is nested too deeply")


@pytest.mark.parametrize("others", [1, 1500])
def test_a_generator_has_an_end(others: int) -> None:
    first, second = ([{name: str(number)} for number in range(1500)] for name in ("n", "m"))
    matrix = {"matrix": {"generators": [{"list": {"elements": one}} for one in (first, second[:others])]}}
    template = {"spec": {"source": {"path": "{{n}}-{{m}}"}}}
    value = {"apiVersion": "argoproj.io/v1", "kind": "ApplicationSet", "metadata": {"name": "many"}}

    rest, *made = declarations([document({**value, "spec": {"generators": [matrix], "template": template}})])
    assert len(made) == 1000
    assert (rest.root, rest.applied.gap) == ("ApplicationSet/many", "more than 1000 Applications are generated")


KEYS: Final = ("spec", "generators", "template", "git", "list", "matrix", "elements", "directories", "files", "path")


@given(jsons(*KEYS, "source", "sources", "destination"), jsons(*KEYS), jsons(*KEYS))
def test_nothing_in_an_object_makes_it_fail(spec: Json, generators: Json, template: Json) -> None:
    filled = {"generators": [generators], "template": {"spec": {"source": {"path": "{{path}}"}}}}
    values = [
        {"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": template, "spec": one}
        for kind in ("Application", "ApplicationSet")
        for one in (spec, {"generators": generators, "template": template}, filled)
    ]

    made = declarations(map(document, values), FILES, lambda path: CONTENTS.get(path, b""))
    assert all(not one.path.startswith(("/", "..")) for one in made)


@pytest.mark.parametrize(
    ("values", "gap"),
    [("{{- toYaml .Values | nindent 8 }}", "parameters of its values are not known"), ("host: '{{ .host }}'", "")],
)
def test_values_that_are_one_unknown_parameter_are_named(values: str, gap: str) -> None:
    source = {"repoURL": "https://example.com/o/r", "path": "apps/web", "helm": {"values": values}}
    item = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": {"source": source}}

    assert [one.applied.gap for one in declarations([document(item)])] == [gap]


@pytest.mark.parametrize(
    ("source", "gap"),
    [
        ("path: apps/none", "the files have no apps/none, and the values of charts/apps are not known"),
        ("path: ../none", "the files have no ../none, and the values of charts/apps are not known"),
        ("path: apps/web", ""),
        ("path: .", ""),
        ("repoURL: https://example.com/o/other, path: none", ""),
    ],
)
def test_a_path_that_does_not_exist_may_depend_on_values_of_its_chart(source: str, gap: str) -> None:
    text = f"{APPLICATION}  source: {{{source}}}\n"
    (one,) = declarations(documents(text), FILES, CONTENTS.__getitem__, (HERE,), chart="charts/apps")

    assert one.applied.gap == gap
