import re
from urllib.parse import unquote

import pytest
import yaml

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.rendered_files import rendered_files
from kubectl_applylint.report.rendering import RenderedUnit

SAFE = re.compile(r"[A-Za-z0-9%][A-Za-z0-9%._~-]*(?<!\.)")
DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def manifest(name: str, namespace: str = "", kind: str = "ConfigMap", version: str = "v1") -> JsonObject:
    place = {"namespace": namespace} if namespace else {}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **place}}


def unit(root: str, *objects: JsonObject) -> RenderedUnit:
    return RenderedUnit(UnitReport(root, "folder", "kubectl"), objects)


def paths(*units: RenderedUnit) -> list[str]:
    return [path for path, _ in rendered_files(units)]


def test_each_object_has_a_file_below_the_root_of_its_unit() -> None:
    web = manifest("web", "shop", "Deployment", "apps/v1")

    (first, second) = rendered_files([unit("apps/shop", web), unit(".", manifest("shop", kind="Namespace"))])
    assert (first[0], yaml.safe_load(first[1])) == ("apps/shop/Deployment.apps_shop_web.yaml", web)
    assert second[0] == "%2E/Namespace__shop.yaml"


def test_an_empty_part_of_a_root_is_a_directory_too() -> None:
    roots = ("HelmRelease//web", "HelmRelease/web", "/web")

    assert paths(*(unit(root, manifest("a")) for root in roots)) == [
        "HelmRelease/_/web/ConfigMap__a.yaml",
        "HelmRelease/web/ConfigMap__a.yaml",
        "_/web/ConfigMap__a.yaml",
    ]


def test_an_object_without_a_name_has_the_beginning_of_its_generated_names() -> None:
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"generateName": "once-"}}

    assert paths(unit("a", job, job)) == ["a/Job.batch__once-.yaml", "a/Job.batch__once-~2.yaml"]


HOSTILE = [
    "../../x",
    "..",
    ".",
    "a/b",
    "a\\b",
    "C:",
    "a:b",
    "nul",
    "CON.txt",
    "a\0b",
    "a\nb",
    " ",
    "a.",
    ".git",
    "~root",
    "%2e%2e",
    "_",
    "ü",
    "\ud800",
    "*?<>|\"'",
    "x" * 5000,
    "ü" * 200,
]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_every_file_system_accepts_each_name_and_it_can_be_read_back(text: str) -> None:
    found = paths(
        unit(
            "all",
            manifest(text, "b", "C", "g/v1"),
            manifest("a", text, "C", "g/v1"),
            manifest("a", "b", text, "g/v1"),
            manifest("a", "b", "C", f"{text}/v1"),
        )
    )

    assert all(
        SAFE.fullmatch(name) and not DEVICE.fullmatch(name) and len(name) <= 255 for name in map(file_name, found)
    )
    if len(text) < 100:
        assert [*map(decode, found)] == [
            ("C.g", "b", text),
            ("C.g", text, "a"),
            (f"{text}.g", "b", "a"),
            (f"C.{text}", "b", "a"),
        ]


def file_name(path: str) -> str:
    folder, name = path.split("/")
    assert folder == "all"
    return name


def decode(path: str) -> tuple[str, ...]:
    return tuple(unquote(part, errors="surrogatepass") for part in file_name(path).removesuffix(".yaml").split("_"))


@pytest.mark.parametrize("root", [one for one in HOSTILE if one.strip()], ids=ascii)
def test_every_file_system_accepts_each_directory(root: str) -> None:
    (path,) = paths(unit(root, manifest("a")))
    *folders, _ = path.split("/")

    assert all(SAFE.fullmatch(one) and not DEVICE.fullmatch(one) and len(one) <= 255 for one in folders)
    assert not any("_" in one for one in folders)


def test_names_that_differ_by_case_are_numbered() -> None:
    same = [manifest("A"), manifest("a"), manifest("a"), manifest("a~2")]

    assert paths(unit("Apps", *same), unit("apps", manifest("a"))) == [
        "Apps/ConfigMap__A.yaml",
        "Apps/ConfigMap__a~2.yaml",
        "Apps/ConfigMap__a~3.yaml",
        "Apps/ConfigMap__a%7E2.yaml",
        "apps~2/ConfigMap__a.yaml",
    ]


def test_long_names_stay_distinct() -> None:
    found = paths(unit("a", manifest("x" * 300 + "1"), manifest("x" * 300 + "2")))

    assert len({*found}) == 2


def test_two_revisions_have_a_directory_each() -> None:
    changed = RenderedUnit(UnitReport("a", "folder", "kubectl"), (manifest("new"),), before=(manifest("old"),))
    found = [path for path, _ in rendered_files([changed, unit("b", manifest("c"))], is_compared=True)]

    assert found == ["before/a/ConfigMap__old.yaml", "after/a/ConfigMap__new.yaml", "after/b/ConfigMap__c.yaml"]
