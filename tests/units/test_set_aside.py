from collections.abc import Collection

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.units import set_aside as module
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

PATHS = frozenset({"config/crd/kustomization.yaml", "kustomization.yml"})


def unit(root: str, form: Form = Form.FOLDER, file: str = "") -> Unit:
    return Unit(root, form, frozenset({f"{root}/a.yaml"}), Applied(reason=Reason("", file)))


def set_aside(one: Unit, paths: Collection[str], named: Collection[str] = ()) -> str:
    (reason,) = module.reasons_not_applied([one], paths, named)
    return reason


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ("vendor/k8s.io/api", "dependencies"),
        ("web/node_modules/x", "dependencies"),
        ("pkg/inject/testdata", "test data"),
        ("test/fixtures/manifests", "test data"),
        ("operator/src/test/resources", "test data"),
        ("src/test", "test data"),
        ("tests/data/virtual-server", "test data"),
        ("cmd/cli/_testdata", "test data"),
        ("e2e-tests/backup/compare", "test data"),
        ("test/e2e/data/shared/main", "test data"),
        ("hack/invalid-examples/gateway", "test data"),
        ("examples/invalid", "test data"),
        ("archive/kubernetes/web", "archives"),
        ("clusters/one/.archive/web", "archives"),
        ("disabled/web", "archives"),
        ("apps/archiver", ""),
        ("apps/disabled-users", ""),
        ("examples/invalidation", ""),
        ("data/tests", ""),
        ("compare/prod", ""),
        ("config/crd/patches", "patches"),
        ("patches", "patches"),
        ("test/conformance/kuttl/validate", "tests of a cluster"),
        ("other/patches", ""),
        ("test/manifests", ""),
        ("tests", ""),
        ("tests/e2e/kind/patches", "test data"),
        ("vendors/a", ""),
        ("", ""),
    ],
)
def test_files_that_are_not_applied_are_recognized_by_their_folder(root: str, words: str) -> None:
    assert set_aside(unit(root), PATHS) == words


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["config/crd/storage/pvc_patch.yaml"], "patches"),
        (["config/crd/storage/patch-pvc.yaml", "config/crd/storage/patch.json"], "patches"),
        (["config/crd/storage/pvc_patch.yaml", "config/crd/storage/pvc.yaml"], ""),
        (["config/crd/storage/dispatch.yaml"], ""),
        (["config/crd/storage/patches/pvc.yaml"], ""),
    ],
)
def test_files_named_as_patches_below_a_kustomization_are_not_applied(files: list[str], words: str) -> None:
    folder = Unit("config/crd/storage", Form.FOLDER, frozenset(files))

    assert set_aside(folder, PATHS - {"kustomization.yml"}) == words
    assert set_aside(folder, ()) == ""


def test_files_next_to_the_version_of_an_operator_are_a_bundle() -> None:
    paths = {"operators/shop/shop.clusterserviceversion.yaml", "operators/shop/crd.yaml", "operators/deploy.yaml"}

    assert set_aside(unit("operators/shop"), paths) == "bundle of an operator"
    assert set_aside(unit("operators/shop"), paths, ["operators/shop"]) == ""
    assert set_aside(unit("operators"), paths) == ""


def test_a_file_of_the_top_directory_is_applied() -> None:
    assert set_aside(unit("install.yaml", Form.FILE), {"install.yaml", "install-ha.yaml"}) == ""


def test_a_patch_that_is_an_alternative_is_a_patch() -> None:
    assert set_aside(unit("config/crd/patches/one.yaml", Form.FILE), PATHS) == "patches"


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ("00-assert.yaml", "tests of a cluster"),
        ("12-errors.yml", "tests of a cluster"),
        ("chainsaw-test.yaml", "tests of a cluster"),
        ("kyverno-test.yaml", "tests of a cluster"),
        ("assert.yaml", ""),
        ("00-install.yaml", ""),
    ],
)
def test_the_steps_of_a_test_of_a_cluster_are_no_apply(beside: str, words: str) -> None:
    paths = {"e2e/a/00-install.yaml", f"e2e/a/{beside}"}

    for one in (unit("e2e/a"), unit("e2e/a/00-install.yaml", Form.FILE), unit("e2e/a/b")):
        assert set_aside(one, paths) == words
        assert set_aside(one, paths, ["e2e/a"]) == ""
    assert set_aside(unit("e2e"), paths) == ""


@pytest.mark.parametrize("folder", ["kuttl", "chainsaw", ".chainsaw-test", ".kyverno-test"])
def test_folders_of_test_tools_are_not_applied(folder: str) -> None:
    assert set_aside(unit(f"policies/deny/{folder}"), ()) == "tests of a cluster"
    assert set_aside(unit(f"policies/deny/{folder}"), (), [f"policies/deny/{folder}"]) == ""


@pytest.mark.parametrize("root", ["bundle/manifests", "manifests"])
def test_a_bundle_is_installed_by_its_manager(root: str) -> None:
    paths = {f"{root}/a.yaml", f"{root.removesuffix('manifests')}metadata/annotations.yaml"}

    assert set_aside(unit(root), paths) == "bundle of an operator"
    assert set_aside(unit(root), {f"{root}/a.yaml"}) == ""


def test_a_declared_folder_is_not_set_aside() -> None:
    assert set_aside(unit("testdata/app", file="apps.yaml"), PATHS) == ""


@pytest.mark.parametrize(
    ("file", "others", "named", "words"),
    [
        pytest.param(".archive/apps/web/ks.yaml", [], [], "archives", id="in an archive"),
        pytest.param("HEAD~1:.archive/apps/web/ks.yaml", [], [], "archives", id="in that of a revision"),
        pytest.param(".archive/apps/web/ks.yaml", [], [".archive/apps"], "", id="named"),
        pytest.param("apps/web/ks.yaml", [], [], "", id="elsewhere"),
        pytest.param("../.archive/a.yaml", [Unit("x", Form.FOLDER, frozenset({".archive/a.yaml"}))], [], "", id="used"),
    ],
)
def test_an_object_in_an_archive_declares_nothing_unless_it_is_applied(
    file: str, others: list[Unit], named: list[str], words: str
) -> None:
    ref = ObjectRef("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "flux-system", "web")
    declared = Unit("apps/web", Form.FOLDER, frozenset(), Applied(reason=Reason("", file, 1), declared_by=ref))

    assert module.reasons_not_applied([declared, *others], PATHS, named)[0] == words


@pytest.mark.parametrize(
    ("root", "named"),
    [
        ("testdata/app", ["testdata"]),
        ("testdata/app", ["testdata/app/a.yaml"]),
        ("vendor/x/y", ["vendor/x"]),
        ("src/test/resources", ["src/test"]),
        ("patches", ["patches"]),
    ],
    ids=str,
)
def test_a_named_folder_is_not_set_aside(root: str, named: list[str]) -> None:
    assert set_aside(unit(root), PATHS, named) == ""


def test_a_folder_that_holds_test_data_does_not_name_it() -> None:
    assert set_aside(unit("app/testdata"), PATHS, ["app"]) == "test data"
