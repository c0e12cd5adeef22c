"""Objects that Flux Kustomizations build; a program on the PATH stands for kustomize."""

import json
import stat
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.paths import fields, parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.render.kustomize_fields import KUSTOMIZATION
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.tools.flux.build import Built, SourceTree, build
from kubectl_applylint.tools.flux.substitution import Variables

DECLARED = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec:
  path: ./app
  postBuild: {}
  commonMetadata: {labels: {team: shop}}
"""
CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: config
data:
  port: "${PORT}"
  plain: text
"""
PRINTED = """\
apiVersion: v1
kind: ConfigMap
metadata:
  annotations:
    config.kubernetes.io/origin: |
      path: ../tree/app/config.yaml
  name: config
data:
  port: ${PORT}
  plain: text
"""
NO_VARIABLES = Variables()
SECRET = Unknown("Secret vars is created in the cluster")


@pytest.fixture(name="bin_folder", autouse=True)
def _bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for programs, the only one on the PATH but for the system's."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    program(tmp_path / "bin", "exit 1")
    return tmp_path / "bin"


def program(folder: Path, script: str) -> None:
    """Put a program in the place of kustomize."""
    file = folder / "kustomize"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def prints(folder: Path, text: str) -> None:
    """Let kustomize print a text."""
    (folder / "printed").write_text(text)
    program(folder, f"cat {folder / 'printed'}")


def tree_of(files: Mapping[str, str]) -> SourceTree:
    texts = {path: text.encode() for path, text in files.items()}
    return SourceTree(frozenset(texts), lambda paths: {path: texts[path] for path in paths if path in texts})


def built(files: Mapping[str, str], variables: Variables = NO_VARIABLES, declared: str = DECLARED) -> Built:
    (document,) = read_text(declared, "shop.yaml").documents
    return build(document, tree_of(files), variables)


def only_problem(found: Built) -> Problem:
    assert found.input.documents == ()
    (problem,) = found.input.problems
    return problem


def test_variables_are_substituted_and_positions_stay(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED)
    found = built({"app/config.yaml": CONFIG}, Variables({"PORT": "8080"}))
    (document,) = found.input.documents

    assert document.object == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "config", "labels": {"team": "shop"}},
        "data": {"port": 8080, "plain": "text"},
    }
    assert [str(document.locate(parse(path))) for path in ("data.port", "data.plain")] == [
        "app/config.yaml:6:3",
        "app/config.yaml:7:3",
    ]
    assert found.holes == ({},)


def test_metadata_that_kubectl_does_not_decode_is_built(bin_folder: Path) -> None:
    """Recorded with the libraries of Flux: labels that are not text reach the apply, which drops all of them."""
    labeled = PRINTED.replace("  name: config", "  labels: {active: true, app: web}\n  name: config")
    prints(bin_folder, f"{labeled}---\n{PRINTED.replace('name: config', 'name: other')}")
    plain = DECLARED.replace("  commonMetadata: {labels: {team: shop}}\n", "")
    found = built({"app/config.yaml": CONFIG}, Variables({"PORT": "8080"}), plain)

    assert found.input.problems == ()
    assert [one.object["metadata"] for one in found.input.documents] == [
        {"name": "config", "labels": {"active": True, "app": "web"}},
        {"name": "other"},
    ]
    assert str(found.input.documents[0].locate(parse("data.plain"))) == "app/config.yaml:7:3"


def test_a_value_that_is_not_known_is_a_hole(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED)
    found = built({"app/config.yaml": CONFIG}, Variables({"PORT": SECRET}))

    assert found.input.documents[0].object["data"] == {"port": "${PORT}", "plain": "text"}
    ((path, (hole,)),) = found.holes[0].items()
    assert (path, hole.variable, hole.reason) == (fields("data", "port"), "PORT", SECRET.reason)


def test_an_excluded_object_and_one_without_expressions_stay(bin_folder: Path) -> None:
    marked = "name: config\n  labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}"
    prints(bin_folder, PRINTED.replace("name: config", marked) + "---\n" + PRINTED.replace("${PORT}", "1"))
    found = built({"app/config.yaml": CONFIG}, Variables({"PORT": "8080"}))

    assert [one.object["data"]["port"] for one in found.input.documents] == ["${PORT}", 1]
    assert not built({"app/config.yaml": CONFIG}, Variables(fault="x")).input.documents


@pytest.mark.parametrize(
    ("variables", "where", "message"),
    [
        (
            Variables({"A": ""}),
            "app/config.yaml:6:3",
            'post build failed for configmap/config: variable not set (strict mode): "PORT"',
        ),
        (
            Variables({"PORT": "a: b: c"}),
            "app/config.yaml:1:1",
            "post build failed for configmap/config: the text after substitution is not valid YAML",
        ),
        (Variables(fault="ConfigMap vars does not exist"), "shop.yaml:6:3", "ConfigMap vars does not exist"),
    ],
)
def test_one_error_fails_all(bin_folder: Path, variables: Variables, where: str, message: str) -> None:
    prints(bin_folder, PRINTED)
    problem = only_problem(built({"app/config.yaml": CONFIG}, variables))

    assert (problem.where, problem.message) == (where, f"Flux cannot build it: {message}")


def test_an_expression_may_be_wrong_only_in_the_whole_text(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED.replace("plain: text", "'${PO': 1"))

    assert "bad substitution" in only_problem(built({"app/config.yaml": CONFIG}, Variables({"PORT": "1"}))).message


@pytest.mark.parametrize("written", ["${q:='}${A}${q:='}", '${q:="}${A}${q:="}'])
def test_quotation_marks_may_be_defaults(bin_folder: Path, written: str) -> None:
    """Home repositories write lists as text in this way."""
    prints(bin_folder, PRINTED.replace("${PORT}", written))
    found = built({"app/config.yaml": CONFIG}, Variables({"A": "[{ a: b }]"}, others=SECRET))

    assert [one.object["data"]["port"] for one in found.input.documents] == ["[{ a: b }]"]


def test_a_text_that_is_valid_only_with_unknown_values_is_not_rejected(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED.replace("${PORT}", "${q:=x}${A}"))
    problem = only_problem(built({"app/config.yaml": CONFIG}, Variables({"A": "a: b: {"}, others=SECRET)))

    assert not problem.is_refused
    assert problem.message == f"not rendered: configmap/config can be parsed only with the values of q: {SECRET.reason}"


def test_a_value_may_turn_the_whole_object_into_text(bin_folder: Path) -> None:
    prints(bin_folder, f"'${{A}}': 1\n{PRINTED}zzz: x\"\n")
    problem = only_problem(built({"app/config.yaml": CONFIG}, Variables({"A": '--- "', "PORT": "1"})))

    assert problem.message.endswith("the text after substitution is not an object")


def test_objects_without_a_name_are_left_out_and_twins_are_an_error(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED.replace("name: config", "name: ${PORT}"))
    assert built({"app/config.yaml": CONFIG}, Variables({"PORT": ""})).input.documents == ()

    prints(bin_folder, f"{PRINTED}---\n{PRINTED.replace('name: config', 'name: ${PORT}')}")
    problem = only_problem(built({"app/config.yaml": CONFIG}, Variables({"PORT": "config"})))
    assert problem.message == "Flux cannot build it: after substitution, there are two objects configmap/config"


def test_a_folder_that_does_not_exist() -> None:
    problem = only_problem(built({}))

    assert (problem.where, problem.message) == (
        "shop.yaml:5:3",
        "Flux cannot build it: kustomization path not found: app",
    )


def test_a_file_that_cannot_be_read_is_a_problem() -> None:
    (document,) = read_text(DECLARED, "shop.yaml").documents
    found = build(document, SourceTree(frozenset({"app/a.yaml"}), lambda _: {}), Variables())

    assert only_problem(found) == Problem("app/a.yaml", "it cannot be read")


def test_values_that_a_changed_kustomization_sets_have_their_place_in_its_file(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED.replace("plain: text", "plain: text\n  more: x"))
    patch = "{apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {more: x}}"
    text = f"resources: [config.yaml]\nunknown: field\npatches:\n- patch: '{patch}'\n"
    found = built({"app/config.yaml": CONFIG, "app/kustomization.yaml": text})

    assert str(found.input.documents[0].set_at(fields("data", "more"))) == "app/kustomization.yaml:4:10"


def test_a_generated_kustomization_is_no_place(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED.replace("name: config", "name: config\n  namespace: target"))
    declared = DECLARED.replace("path: ./app", "path: ./app\n  targetNamespace: target")
    (document,) = built({"app/config.yaml": CONFIG}, declared=declared).input.documents

    assert str(document.origin(fields("metadata", "namespace"))) == "app/config.yaml:3:1"


def test_objects_keep_origins_that_flux_adds(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED)
    found = built({"app/config.yaml": CONFIG, "app/kustomization.yaml": "resources: []\n"})

    annotations = found.input.documents[0].object["metadata"]["annotations"]
    assert annotations == {"config.kubernetes.io/origin": "path: config.yaml\n"}


def kustomization_with_path(field: str, path: str) -> JsonObject:
    """Return a kustomization with a path at a field, as ``patches[].path``."""
    value: Json = path
    for step in reversed(field.replace("[]", ".[]").split(".")):
        value = [value] if step == "[]" else {step: value}
    found: JsonObject = value
    return found


def places() -> Iterator[tuple[str, str]]:
    """Yield the kustomizations in which a path is planted: that of the folder, a base and a component."""
    yield "app", "resources: [config.yaml]\n"
    yield "base", "resources: [config.yaml, ../base]\n"
    yield "part", "resources: [config.yaml]\ncomponents: [../part]\n"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../../../etc/passwd", "link", "..//../app/../../x", "key=/etc/passwd"]
)
@pytest.mark.parametrize("field", [field for field in KUSTOMIZATION if not field.startswith("helm")])
def test_no_path_leads_out_of_the_source(field: str, path: str) -> None:
    for folder, text in places():
        planted_text = json.dumps(kustomization_with_path(field, path))
        files = {
            "app/config.yaml": CONFIG,
            "app/kustomization.yaml": text,
            f"{folder}/kustomization.yaml": planted_text,
        }

        found = built(files).input
        assert found.documents == ()
        assert found.problems[-1].message.startswith("not rendered: ")


@pytest.mark.parametrize("component", ["../../etc", "../..", "../link", "x\0y"])
def test_components_of_the_object_stay_in_the_source(component: str) -> None:
    declared = f"{DECLARED}  components: [{json.dumps(component)}]\n"

    found = built({"app/config.yaml": CONFIG}, declared=declared).input
    assert found.documents == ()
    assert found.problems[-1].message.startswith("not rendered: ")


def test_a_hundred_thousand_variables(bin_folder: Path) -> None:
    prints(bin_folder, PRINTED)
    variables = Variables({f"V{number}": "x" * 100 for number in range(100_000)} | {"PORT": "1"})
    start = time.perf_counter()

    assert len(built({"app/config.yaml": CONFIG}, variables).input.documents) == 1
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    "value", ["*a", "&a x", "[" * 5000, "{" * 50, "!!binary x", "!<tag> y", "- ", "? x", "---", "...", "<<: *a", "\x07"]
)
def test_a_value_that_expands_to_yaml_is_read_or_one_problem(bin_folder: Path, value: str) -> None:
    prints(bin_folder, PRINTED)
    found = built({"app/config.yaml": CONFIG}, Variables({"PORT": value}))

    assert len(found.input.documents) + len(found.input.problems) == 1


def test_the_load_restrictor_is_off(kubectl: Path, bin_folder: Path) -> None:
    (bin_folder / "kustomize").unlink()
    (bin_folder / "kubectl").symlink_to(kubectl)
    files = {"app/kustomization.yaml": "resources: [../other/config.yaml]\n", "other/config.yaml": CONFIG}

    assert [one.ref.name for one in built(files).input.documents] == ["config"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../" * 20 + "etc/passwd", "x=/etc/passwd"])
@pytest.mark.parametrize("place", list(places()), ids=lambda place: str(place[0]))
def test_a_real_kubectl_reads_nothing_outside(
    kubectl: Path, bin_folder: Path, place: tuple[str, str], path: str
) -> None:
    (bin_folder / "kustomize").unlink()
    (bin_folder / "kubectl").symlink_to(kubectl)
    folder, text = place
    planted_text = json.dumps({"resources": ["own.yaml"], "configMapGenerator": [{"name": "x", "files": [path]}]})
    files = {"app/config.yaml": CONFIG, "app/kustomization.yaml": text, f"{folder}/kustomization.yaml": planted_text}
    found = built({**files, f"{folder}/own.yaml": CONFIG.replace("name: config", "name: own")})

    assert "root:" not in json.dumps([one.object for one in found.input.documents])
    assert found.input.problems or found.input.holes
