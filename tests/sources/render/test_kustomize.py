"""Kustomizations, rendered by a program on the PATH; the real one, too, if kubectl is installed."""

import stat
from pathlib import Path

import pytest

from kubectl_applylint.core.paths import fields, parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.files.files import read
from kubectl_applylint.sources.render.build_options import BuildOptions
from kubectl_applylint.sources.render.kustomization import files_of
from kubectl_applylint.sources.render.kustomize import render, render_files, render_folder, rendering
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import Input

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "web:1"}
"""
BASE = "resources: [web.yaml]\nconfigMapGenerator: [{name: cfg, literals: [a=b]}]\n"
OVERLAY = """\
resources: [../base]
namePrefix: prod-
patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {replicas: 3, template: {spec: {containers: [{name: side, image: "side:1"}]}}}
"""
RENDERED = """\
apiVersion: v1
kind: ConfigMap
data: {a: b}
metadata:
  annotations:
    config.kubernetes.io/origin: |
      configuredIn: %(base)s/kustomization.yaml
      configuredBy:
        apiVersion: builtin
        kind: ConfigMapGenerator
  name: prod-cfg-4h2mbtbbt6
---
apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    config.kubernetes.io/origin: |
      path: %(base)s/web.yaml
  name: prod-web
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: side, image: "side:1"}
      - {name: web, image: "web:1"}
---
apiVersion: v1
kind: Secret
metadata:
  annotations:
    config.kubernetes.io/origin: |
      path: secret.yaml
      repo: https://example.com/far
  name: far
"""


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("base/web.yaml", WEB), ("base/kustomization.yaml", BASE), ("over/kustomization.yaml", OVERLAY)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "bin").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(folder: Path, name: str, script: str) -> None:
    """Put a program in the place of kustomize or kubectl."""
    file = folder / "bin" / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(name="overlay")
def _overlay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Input:
    """The result of a program that prints what kustomize 5.5 prints for these folders."""
    (folder / "out.yaml").write_text(RENDERED % {"base": folder / "base"})
    program(folder, "kustomize", f'[ "$1" = build ] && exec cat {folder}/out.yaml')
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    return render("over/kustomization.yaml")


def test_objects_come_from_the_files_that_they_are_written_in(overlay: Input) -> None:
    assert [(one.ref.name, one.file, one.index) for one in overlay.documents] == [
        ("prod-cfg-4h2mbtbbt6", "base/kustomization.yaml", 0),
        ("prod-web", "base/web.yaml", 0),
        ("far", "over/kustomization.yaml", 0),
    ]
    assert all("annotations" not in one.object["metadata"] for one in overlay.documents)
    assert [one.source and one.source["metadata"] for one in overlay.documents] == [None, {"name": "web"}, None]
    assert overlay.texts["base/web.yaml"] == WEB


def test_an_object_that_kubectl_does_not_decode_is_a_problem_in_its_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "base/web.yaml").write_text(WEB.replace("name: web}", "name: web, labels: {on: true}}", 1))
    printed = RENDERED.replace("  name: prod-web", "  name: prod-web\n  labels: {active: true}")
    (folder / "out.yaml").write_text(printed % {"base": folder / "base"})
    program(folder, "kustomize", f"exec cat {folder}/out.yaml")
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    found = render("over/kustomization.yaml")

    assert [one.ref.name for one in found.documents] == ["prod-cfg-4h2mbtbbt6", "far"]
    (problem,) = found.problems
    assert (problem.where, problem.message) == (
        "base/web.yaml:3:23",
        'unable to decode "base/web.yaml": json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels'
        " of type string",
    )
    assert problem.document
    assert problem.document.object["metadata"] == {"name": "prod-web", "labels": {"active": True}}


@pytest.mark.parametrize(
    ("path", "place"),
    [
        pytest.param("spec.selector.matchLabels.app", "base/web.yaml:6:28", id="untouched"),
        pytest.param("spec.replicas", "base/web.yaml:4:1", id="changed by a patch"),
        pytest.param("metadata.name", "base/web.yaml:3:1", id="with a prefix"),
        pytest.param("spec.template.spec.containers[name=web].image", "base/web.yaml:11:21", id="by key"),
        pytest.param("spec.template.spec.containers[1].image", "base/web.yaml:10:7", id="moved in its list"),
        pytest.param("spec.template.spec.containers[0].image", "base/web.yaml:10:7", id="added by a patch"),
    ],
)
def test_a_place_is_known_where_no_transformer_changed_the_value(overlay: Input, path: str, place: str) -> None:
    assert str(overlay.documents[1].locate(parse(path))) == place


def test_a_generated_object_is_placed_in_its_kustomization(overlay: Input) -> None:
    assert str(overlay.documents[0].locate(fields("data", "a"))) == "base/kustomization.yaml:1:1"


def test_kubectl_renders_where_there_is_no_kustomize(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(folder, "kubectl", '[ "$1" = kustomize ] && cat "$2/kustomization.yaml" | sed "s/^/# /"')
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")

    (problem,) = render("over/kustomization.yaml").problems

    assert problem.message == "it cannot be rendered: the program printed no objects, and its resources have some"


@pytest.mark.parametrize(
    "text",
    [
        b"apiVersion: v1\nkind: ConfigMap\n"
        b"metadata: {name: a, annotations: {config.kubernetes.io/local-config: 'true'}}\n",
        b"# apiVersion: v1\n# kind: ConfigMap\n# metadata: {name: a}\n",
    ],
    ids=["for kustomize alone", "in a comment"],
)
def test_some_objects_are_not_printed(text: bytes, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{kubectl.parent}:/usr/bin:/bin")
    files = {"app/kustomization.yaml": b"resources: [vars.yaml]\n", "app/vars.yaml": text}

    assert render_files(files, "app/kustomization.yaml", str).problems == ()


@pytest.mark.parametrize("more", ["", "generators: [g.yaml]\n"], ids=["whole", "in part"])
def test_a_component_is_rendered_alone(more: str, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``kustomize build`` does it, which rejects a Component only among the resources of another kustomization."""
    monkeypatch.setenv("PATH", f"{kubectl.parent}:/usr/bin:/bin")
    kind = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
    files = {
        "app/kustomization.yaml": f"{kind}namespace: shop\nresources: [a.yaml]\n{more}",
        "app/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
        "app/g.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: g}\nfiles: [s.yaml]\n",
    }
    texts = {path: text.encode() for path, text in files.items()}

    found = render_folder(
        "app",
        files_of(texts.keys(), texts.__getitem__),
        lambda paths: {path: texts[path] for path in paths if path in texts},
        lambda path: path,
        lambda path: Problem(path, "it cannot be read", ""),
    )

    assert found.problems == ()
    assert [str(one.ref) for one in found.documents] == ["configmap/a"]
    assert [one.ref.namespace for one in found.documents] == ["shop"]
    assert bool(found.holes) is bool(more)


def test_a_kustomization_with_nothing_but_missing_parts_names_these_alone(
    folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{kubectl.parent}:/usr/bin:/bin")
    prefix = "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: x-\n"
    (folder / "over" / "prefix.yaml").write_text(f"{prefix}fieldSpecs: [{{path: metadata/name}}]\n")
    (folder / "over" / "kustomization.yaml").write_text(
        "resources: [https://example.com/far.yaml]\ntransformers: [prefix.yaml]\n"
    )

    (problem,) = render("over/kustomization.yaml").problems

    assert problem.message.startswith(
        "not rendered: resources[0]: https://example.com/far.yaml: it is not in the store"
    )


def test_an_output_without_manifests_is_a_problem(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(folder, "kubectl", "echo garbage")
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    (problem,) = render("over/kustomization.yaml").problems

    assert problem.message == ("it cannot be rendered: kubectl printed what is not a manifest, in line 1 of its output")


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        pytest.param(
            "",
            "not rendered: rendering requires kustomize or kubectl, and neither is on the PATH",
            id="no program",
        ),
        pytest.param(
            'echo "Error: no such file in $2" >&2; exit 1',
            "it cannot be rendered: Error: no such file in over",
            id="it fails",
        ),
    ],
)
def test_a_kustomization_that_cannot_be_rendered_is_one_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, complaint: str
) -> None:
    if script:
        program(folder, "kustomize", script)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/bin" if script else str(folder / "bin"))

    (problem,) = render("over/kustomization.yaml").problems

    assert (problem.where, problem.message) == ("over/kustomization.yaml", complaint)
    assert problem.advice


def test_a_folder_with_a_kustomization_is_rendered_unless_its_files_are_asked_for(overlay: Input) -> None:
    named, walked = (read(["over"], recursive=recursive, stdin=bytes) for recursive in (False, True))

    assert named.documents == overlay.documents
    assert walked.documents == ()


@pytest.mark.cluster
def test_a_real_kubectl_renders_it(folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bin" / "kubectl").symlink_to(kubectl)
    monkeypatch.setenv("PATH", str(folder / "bin"))

    found = render("over/kustomization.yaml")

    assert found.problems == ()
    assert [(one.ref.name, one.file) for one in found.documents] == [
        ("prod-cfg-4h2mbtbbt6", "base/kustomization.yaml"),
        ("prod-web", "base/web.yaml"),
    ]
    assert str(found.documents[1].locate(parse("spec.selector.matchLabels.app"))) == "base/web.yaml:6:28"


PATCHES = """
resources: [../base]
namePrefix: prod-
patches:
- target: {kind: Deployment, name: web}
  patch: '[{op: add, path: /metadata/labels, value: {a: b}}]'
- target: {kind: Deployment, name: wbe}
  patch: '[{op: add, path: /metadata/labels, value: {a: b}}]'
- target: {kind: ConfigMap, name: "cf.*"}
  patch: '[{op: add, path: /metadata/labels, value: {a: b}}]'
- target: {group: batch, kind: Deployment}
  path: patch.yaml
- target: {kind: Deployment, name: gone}
  path: delete.yaml
- target: {kind: Deployment, name: "("}
"""


def test_a_patch_whose_target_is_nowhere_is_remarked(folder: Path, overlay: Input) -> None:
    (folder / "over" / "kustomization.yaml").write_text(PATCHES)
    (folder / "over" / "patch.yaml").write_text("[]")
    (folder / "over" / "delete.yaml").write_text("$patch: delete")
    found = render("over/kustomization.yaml")

    assert overlay.remarks == ()
    assert found.remarks == (
        (
            "over/kustomization.yaml",
            "patches[1] has no effect: its target (kind: Deployment, name: wbe) matches no object,"
            " and kustomize ignores this silently",
        ),
        (
            "over/kustomization.yaml",
            "patches[3] has no effect: its target (group: batch, kind: Deployment) matches no object,"
            " and kustomize ignores this silently",
        ),
    )


ORIGINS = ["../../../../../../../etc/passwd", "/etc/passwd", "../secret.txt", "web.yaml\\0"]


@pytest.mark.parametrize("origin", ORIGINS)
def test_an_origin_leads_only_to_files_that_it_is_made_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    (folder / "secret.txt").write_text("the secret")
    note = f'"path: {origin}\\n"'.replace("../secret", f"{folder}/secret")
    metadata = f"{{name: a, annotations: {{config.kubernetes.io/origin: {note}}}}}"
    (folder / "out.yaml").write_text(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {metadata}\n")
    program(folder, "kustomize", f"exec cat {folder}/out.yaml")
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    found = render("over/kustomization.yaml")

    assert [one.file for one in found.documents] == ["over/kustomization.yaml"]
    assert not any(word in str(found.texts) for word in ("secret", "root:"))


def test_a_base_behind_a_link_out_of_the_repository_is_not_rendered(
    folder: Path, overlay: Input, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "kustomization.yaml").write_text("resources: []\n")
    (folder / ".git").mkdir()
    (folder / "link").symlink_to(outside)
    (folder / "over" / "kustomization.yaml").write_text("resources:\n- ../base\n- ../link\n")
    found = render("over/kustomization.yaml")

    (hole,) = found.holes
    assert (hole.path, hole.what) == (
        "over/kustomization.yaml:3:3",
        "resources[1]: ../link: it is outside the repository",
    )
    assert hole.is_missing


def test_a_folder_that_begins_with_a_dash_is_no_flag(folder: Path, overlay: Input) -> None:
    (folder / "over").rename(folder / "--enable-helm")
    program(folder, "kustomize", f'echo "$@" > {folder}/asked; exec cat {folder}/out.yaml')
    found = render("--enable-helm/kustomization.yaml")

    assert found.problems == ()
    assert "--enable-helm" not in (folder / "asked").read_text()


def test_a_broken_kustomization_has_its_own_reason(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    around = f"accumulating resources: accumulation err='x': recursed accumulation of path '{folder}/over': "
    program(folder, "kustomize", f'echo "{around}file web.yaml is not there" >&2; exit 1')
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")

    (problem,) = render("over/kustomization.yaml").problems
    assert problem.message == "it cannot be rendered: file web.yaml is not there"


def test_a_file_outside_of_the_folder_has_one_reason(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(folder, "kustomize", "echo \"security; file '/a/ks.yaml' is not in or below '/b'\" >&2; exit 1")
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")

    (problem,) = render("over/kustomization.yaml").problems
    assert problem.reason.startswith("kustomize reads no file outside of the folder of a kustomization")
    assert "Argo CD with LoadRestrictionsNone" in problem.reason
    assert problem.message == f"not rendered: {problem.reason}"


@pytest.mark.parametrize(
    ("kustomization", "argument", "command"),
    [
        ("app/kustomization.yaml", "-k app", "kubectl kustomize app"),
        ("kustomization.yaml", "-k .", "kubectl kustomize ."),
        ("-app/kustomization.yaml", "-k ./-app", "kubectl kustomize ./-app"),
        ("my app/kustomization.yaml", "-k 'my app'", "kubectl kustomize 'my app'"),
    ],
)
def test_a_kustomization_has_its_command_and_argument(kustomization: str, argument: str, command: str) -> None:
    found = rendering(kustomization)

    assert (found.argument, found.command) == (argument, command)


PARTIAL = {
    "resource": ("resources: [../base, gone.yaml]", ["resources[1]: gone.yaml: file or directory not found"]),
    "remote base": (
        "resources: [../base, 'https://example.com/far?ref=v1']\nnamespace: x\nimages: [{name: far, newTag: '2'}]",
        ["resources[1]: https://example.com/far?ref=v1: it is not in the store; download it with applylint fetch"],
    ),
    "patch of a missing object": (
        "resources: [../base, gone.yaml]\nreplicas: [{name: far, count: 2}]\n"
        "patches:\n- patch: '{apiVersion: v1, kind: Secret, metadata: {name: far}, data: {a: Yg==}}'\n"
        "- patch: '{apiVersion: v1, kind: Service, metadata: {name: far}, spec: {type: NodePort}}'",
        ["resources[1]: gone.yaml: file or directory not found"],
    ),
    "plugin": (
        "resources: [../base]\ngenerators: ['{apiVersion: viaduct.ai/v1, kind: ksops, metadata: {name: x}}']",
        ["generators[0]: ksops: it requires a plugin that is not built into kustomize"],
    ),
    "chart": (
        "resources: [../base]\nhelmCharts: [{name: x, releaseName: x}]",
        ["helmCharts[0]: it requires helm to render a chart"],
    ),
}


@pytest.mark.parametrize(("overlay", "holes"), PARTIAL.values(), ids=PARTIAL)
def test_a_kustomization_is_rendered_without_its_missing_parts(
    overlay: str, holes: list[str], folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent))
    (folder / ".git").mkdir()
    (folder / "over" / "kustomization.yaml").write_text(overlay)

    found = render("over/kustomization.yaml")

    assert [one.what for one in found.holes] == holes
    assert found.problems == ()
    assert sorted((one.ref.kind, one.file) for one in found.documents) == [
        ("ConfigMap", "base/kustomization.yaml"),
        ("Deployment", "base/web.yaml"),
    ]


@pytest.mark.parametrize("overlay", ["resources: [gone.yaml]", "resources: [../base, gone.yaml]\nnamePrefix: [a]"])
def test_a_kustomization_without_a_renderable_part_is_a_problem(
    overlay: str, folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent))
    (folder / ".git").mkdir()
    (folder / "over" / "kustomization.yaml").write_text(overlay)

    problem = render("over/kustomization.yaml").problems[-1]

    assert "not rendered: resources" in problem.message
    assert "gone.yaml: file or directory not found" in problem.message
    assert "kubectl kustomize over" in problem.advice


def test_a_position_is_that_in_the_original_file(folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent))
    (folder / ".git").mkdir()
    (folder / "over" / "kustomization.yaml").write_text(
        "resources:\n- ../base\n- gone.yaml\n# a comment\nreplicas:\n- name: web\n  count: 5\n"
    )

    (_, web) = render("over/kustomization.yaml").documents

    place = web.set_at(parse("spec.replicas"))
    assert place
    assert (place.file, place.span.line) == ("over/kustomization.yaml", 7)


def test_without_the_load_restrictor_only_checked_copies_are_built(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(folder, "kustomize", f'echo "$@" >> {folder}/calls')
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    options = BuildOptions(has_load_restrictor=False)
    far = {"a/kustomization.yaml": b"resources: [https://example.org/x]\n"}
    (problem,) = render_files(far, "a/kustomization.yaml", str, options=options).problems
    render_files({"a/kustomization.yaml": b"namePrefix: x-\n"}, "a/kustomization.yaml", str, options=options)
    render("over/kustomization.yaml")

    assert "https://example.org/x: it is not in the store" in problem.message
    calls = (folder / "calls").read_text().splitlines()
    assert ["LoadRestrictionsNone" in call for call in calls] == [True, False]


def test_equal_files_of_both_sides_are_rendered_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(
        folder, "kustomize", f'echo >> {folder}/runs; printf "apiVersion: v1\\nkind: Job\\nmetadata: {{name: a}}\\n"'
    )
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    texts = {"kustomization.yaml": b"resources: [a.yaml]\nnamePrefix: x-\n", "a.yaml": b"kind: Job\n"}
    with use_folder(str(folder / "first")):
        before = render_files(texts, "kustomization.yaml", "HEAD:{}".format)
    with use_folder(str(folder / "other")):
        after = render_files(dict(reversed(texts.items())), "kustomization.yaml", str)

    assert [one.file for one in (*before.documents, *after.documents)] == [
        "HEAD:kustomization.yaml",
        "kustomization.yaml",
    ]
    assert (folder / "runs").read_text() == "\n"
