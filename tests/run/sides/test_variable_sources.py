"""Variables of Kustomizations from ConfigMaps and Secrets in files."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.variable_sources import VariableSources
from tests.run.running import write

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {DOMAIN: %s}\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\nstringData: {KEY: hunter2}\n"


def kustomization(*references: JsonObject, **variables: str) -> JsonObject:
    metadata: JsonObject = {"name": "apps", "namespace": "flux-system"}
    post_build: JsonObject = {"substituteFrom": list(references), "substitute": dict(variables)}
    return {"metadata": metadata, "spec": {"postBuild": post_build}}


SETTINGS: JsonObject = {"kind": "ConfigMap", "name": "settings"}
KEYS: JsonObject = {"kind": "Secret", "name": "keys"}


@pytest.fixture(name="sources")
def _sources(tmp_path: Path) -> VariableSources:
    files = {f"{name}/settings.yaml": MAP % f"{name}.example.com" for name in ("prod", "staging", "shared/test")}
    write(tmp_path, {**files, "prod/keys.yaml": SECRET, "vars.yaml": MAP.replace("settings", "nested") % "'${A}'"})
    return VariableSources(sides.of_folder(str(tmp_path)))


@pytest.mark.parametrize(
    ("file", "files", "domain"),
    [
        ("prod/apps.yaml", (), "prod.example.com"),
        ("staging/apps.yaml", (), "staging.example.com"),
        ("prod/apps.yaml", ("shared/test/settings.yaml",), "shared/test.example.com"),
    ],
    ids=["the nearest", "the nearest of another cluster", "of the cluster"],
)
def test_a_config_map_of_the_cluster_is_read(
    sources: VariableSources, tmp_path: Path, file: str, files: tuple[str, ...], domain: str
) -> None:
    shown = sides.of_folder(str(tmp_path)).label(file)

    assert dict(sources.substitutes(kustomization(SETTINGS), shown, files).values) == {"DOMAIN": domain}


def test_inline_variables_win(sources: VariableSources) -> None:
    found = sources.substitutes(kustomization(SETTINGS, DOMAIN="here"), "prod/apps.yaml", ())

    assert (dict(found.values), found.others) == ({"DOMAIN": "here"}, None)


def test_the_values_of_a_secret_are_not_known(sources: VariableSources, tmp_path: Path) -> None:
    found = sources.substitutes(kustomization(KEYS), "prod/apps.yaml", ())

    assert [(name, isinstance(value, Unknown)) for name, value in found.values] == [("KEY", True)]
    assert "hunter2" not in repr(found)
    (tmp_path / "prod/keys.yaml").write_text(SECRET.replace("hunter2", "hunter3"))
    changed = VariableSources(sides.of_folder(str(tmp_path))).substitutes(kustomization(KEYS), "prod/apps.yaml", ())
    ((name, was),), ((_, now),) = found.secrets, changed.secrets
    assert (name, was.what) == ("KEY", "variable KEY of Secret flux-system/keys")
    assert was.identity == now.identity
    assert was.digest != now.digest


def test_the_variables_of_a_secret_that_is_not_in_the_files_are_one_value(sources: VariableSources) -> None:
    found = sources.substitutes(kustomization({"kind": "Secret", "name": "absent"}), "prod/apps.yaml", ())

    assert [(name, hole.what) for name, hole in found.secrets] == [("", "variables of Secret flux-system/absent")]


@pytest.mark.parametrize(
    ("reference", "is_open"),
    [
        ({"kind": "ConfigMap", "name": "missing"}, True),
        ({"kind": "ConfigMap", "name": "missing", "optional": True}, False),
        ({"kind": "Secret", "name": "missing", "optional": True}, True),
    ],
)
def test_a_missing_object_may_set_any_variable(sources: VariableSources, reference: JsonObject, is_open: bool) -> None:
    found = sources.substitutes(kustomization(reference), "prod/apps.yaml", ())

    assert isinstance(found.others, Unknown) is is_open
    assert not found.fault


def test_a_value_with_variables_is_not_known(sources: VariableSources) -> None:
    found = sources.substitutes(kustomization({"kind": "ConfigMap", "name": "nested"}), "prod/apps.yaml", ())

    assert [isinstance(value, Unknown) for _, value in found.values] == [True]


def test_kustomizations_share_the_values_of_a_secret(sources: VariableSources) -> None:
    one, other = (sources.substitutes(kustomization(KEYS), f"prod/{name}.yaml", ()) for name in ("apps", "infra"))

    assert one.secrets
    assert all(mine is theirs for mine, theirs in zip(one.secrets, other.secrets, strict=True))
