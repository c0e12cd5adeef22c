"""One apply or one for each unit, and what is said of all of them together."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.problem import Unreadable
from kubectl_applylint.lint.hiding.suppress import Extent
from kubectl_applylint.run.against import NOTHING, Against, AgainstKind
from kubectl_applylint.run.assemble import RunRequest
from kubectl_applylint.run.live_source import no_live_source
from kubectl_applylint.run.unit_reports import plan
from kubectl_applylint.run.unit_run import Runs
from kubectl_applylint.run.unit_runs import UnknownRoot, is_by_units, listed, runs_of
from kubectl_applylint.tools.metacontroller.children import IN_PLACE
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Applied
from kubectl_applylint.units.shards import Shard

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1.27"}]}
"""
GIT, DIR = (Against(kind, "before") for kind in (AgainstKind.GIT, AgainstKind.DIR))


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, outside of git, with two environments below ``all``."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "before/dev/web.yaml": WEB})
    return tmp_path


def runs(*files: str, **words: object) -> Runs:
    request = replace(RunRequest(files=files or ("all",)), **words)  # type: ignore[arg-type]  # fields of the request
    return runs_of(request, no_live_source())


def roots(found: Runs) -> list[str]:
    return [run.unit.root for run in found.each if run.unit]


@pytest.mark.parametrize(
    ("request_", "by_units"),
    [
        pytest.param(RunRequest(files=("all",)), True, id="a folder"),
        pytest.param(RunRequest(files=("all/dev/web.yaml", "all")), True, id="a file and a folder"),
        pytest.param(RunRequest(files=("all", "nowhere")), False, id="what is not there"),
        pytest.param(RunRequest(files=("all", "-")), False, id="standard input"),
        pytest.param(RunRequest(files=("https://x/y.yaml",)), False, id="an address"),
        pytest.param(RunRequest(files=("helm:chart",)), False, id="a chart"),
        pytest.param(RunRequest(), False, id="nothing"),
        pytest.param(RunRequest(files=("all",), named=("all",)), False, id="-f"),
        pytest.param(RunRequest(files=("all",), is_one_apply=True), False, id="one apply"),
        pytest.param(RunRequest(files=("all",), flags=Flags(selector="a=b")), False, id="a selector"),
        pytest.param(RunRequest(files=("all",), flags=Flags(prune=True, all=True)), False, id="prune"),
        pytest.param(RunRequest(files=("all",), flags=Flags(sync=IN_PLACE)), False, id="Metacontroller"),
        pytest.param(RunRequest(against=GIT), True, id="a revision"),
        pytest.param(RunRequest(files=("nowhere",), against=GIT), True, id="what a revision may have"),
        pytest.param(RunRequest(files=("-",), against=GIT), False, id="standard input and a revision"),
        pytest.param(RunRequest(against=Against(AgainstKind.GIT, "main:a")), False, id="a path of a revision"),
        pytest.param(RunRequest(files=("all",), against=DIR), True, id="two folders"),
        pytest.param(RunRequest(files=("all", "before"), against=DIR), False, id="three folders"),
        pytest.param(RunRequest(files=("all",), against=Against(AgainstKind.FILE, "x")), False, id="a file"),
        pytest.param(RunRequest(files=("all",), against=Against(AgainstKind.LIVE)), True, id="a cluster"),
    ],
)
def test_what_a_request_is_about(request_: RunRequest, by_units: bool) -> None:
    assert is_by_units(request_) == by_units


def test_each_unit_is_an_apply_of_its_own() -> None:
    found = runs()

    assert roots(found) == ["dev", "prod"]
    assert [len(run.found.subjects) for run in found.each] == [1, 1]
    assert len(found.subjects) == len(found.documents) == 2


def test_one_apply_has_no_unit() -> None:
    (run,) = runs("all/dev", is_one_apply=True).each

    assert run.unit is None
    assert len(run.found.subjects) == 1


@pytest.mark.parametrize("against", [NOTHING, DIR], ids=["none", "dir"])
def test_roots_are_chosen_by_patterns(against: Against) -> None:
    assert roots(runs(roots=("pr*",), against=against)) == ["prod"]
    with pytest.raises(UnknownRoot, match="--unit x y: no unit has this root"):
        runs(roots=("x", "y"), against=against)


def test_a_folder_is_compared_by_units() -> None:
    found = runs(against=DIR)

    assert roots(found) == ["prod"]
    assert found.notes[0] == f"compared with {found.origin}"


@pytest.mark.parametrize(
    ("path", "words"),
    [("./dev", "no Kustomization of Flux names one of these units"), ("./x", "no Kustomization of Flux names a unit")],
)
def test_a_program_that_applies_units_beside_the_change_is_not_denied(folder: Path, path: str, words: str) -> None:
    apps = f"kind: Kustomization\nmetadata: {{name: apps}}\nspec: {{path: {path}}}\n"
    both = f"apiVersion: kustomize.toolkit.fluxcd.io/v1\n{apps}"
    write(folder, {"all/flux/apps.yaml": both, "before/flux/apps.yaml": both})

    found = runs(against=DIR, flags=Flags(asked=AskedApplier(Applier.FLUX)))

    assert roots(found) == ["prod"]
    assert f"--applier flux: {words}; all are predicted as with kubectl" in found.notes


def test_what_cannot_be_compared_with_ends_the_run() -> None:
    with pytest.raises(Unreadable):
        runs(against=Against(AgainstKind.DIR, "nowhere"))


def test_the_configuration_says_how_a_unit_is_applied(folder: Path) -> None:
    entry = Configured(
        "prod", str(folder / "all"), Applied(namespace="shop", options=(("server_side", True), ("field_manager", "ci")))
    )
    dev, prod = plan(runs(units=(entry,))).outcomes

    assert (dev[1].verdict, dev[1].ref.namespace) == ("created", "default")
    assert (prod[1].verdict, prod[1].ref.namespace) == ("serverside-applied", "shop")


def test_the_namespace_of_the_caller_goes_before_that_of_a_unit(folder: Path) -> None:
    entry = Configured("prod", str(folder / "all"), Applied(namespace="shop"))
    found = runs(units=(entry,), flags=Flags(namespace="mine"))

    assert {subject.ref.namespace for subject in found.subjects} == {"mine"}


def test_units_are_listed_if_they_hold_objects(folder: Path) -> None:
    write(folder, {"all/values/values.yaml": "replicas: 1\n"})

    assert [unit.root for unit in listed(RunRequest(files=("all",)))] == ["dev", "prod"]


def test_the_same_object_in_two_units_of_one_target_is_known(folder: Path) -> None:
    prod = Applied(target="prod", is_known_target=True)
    units = tuple(Configured(path, applied=prod) for path in ("dev", "prod"))
    found = runs("all", units=units)
    assert [[one.root for one in subject.other_units] for subject in found.subjects] == [[], ["dev"]]
    assert not any(subject.other_units for subject in runs("all").subjects)


def test_each_pair_of_units_of_one_target_meets_in_one_shard(folder: Path) -> None:
    prod = Applied(target="prod", is_known_target=True)
    units = tuple(Configured(path, applied=prod) for path in ("dev", "prod"))
    shards = [runs("all", units=units, shard=Shard(number, 2)) for number in (1, 2)]
    each = [
        (one.unit.root, subject) for found in shards for one in found.each if one.unit for subject in one.found.subjects
    ]

    assert {root: [one.root for one in subject.other_units] for root, subject in each} == {"dev": [], "prod": ["dev"]}


WALL = "apiVersion: example.com/v1\nkind: Wall\nmetadata: {name: a, namespace: later}\n"
LATER = "apiVersion: v1\nkind: Namespace\nmetadata: {name: later}\n"


def test_an_object_of_an_unknown_kind_is_unknown_even_before_its_namespace(folder: Path) -> None:
    """Its scope is unknown, and an object of the cluster has no namespace."""
    write(folder, {"all/dev/a.yaml": WALL, "all/dev/b.yaml": LATER, "all/dev/web.yaml": ""})
    verdicts = {document.ref.kind: outcome.verdict for document, outcome in plan(runs("all/dev")).outcomes}

    assert verdicts == {"Wall": "unknown", "Namespace": "created"}


@pytest.mark.parametrize("against", [NOTHING, DIR], ids=["none", "dir"])
def test_the_only_unit_of_a_shard_is_not_all_that_was_named(folder: Path, against: Against) -> None:
    """What hides nothing in one unit may hide something in those of other shards."""
    write(folder, {"before/dev/web.yaml": "# other\n", "all/values/values.yaml": "replicas: 1\n"})
    first = [runs(against=against, shard=Shard(1, count)).each[:1] for count in (1, 2)]
    (folder / "all/prod/web.yaml").unlink()
    (alone,) = runs(against=against, shard=Shard(1, 2)).each + runs(against=against, shard=Shard(2, 2)).each

    assert [run.found.extent for each in first for run in each] == [Extent.PART, Extent.PART]
    assert alone.found.extent is Extent.WHOLE


def test_shards_agree_on_what_they_share_out() -> None:
    both = {runs(against=against, shard=Shard(number, 2)).division for against in (NOTHING, DIR) for number in (1, 2)}

    assert len(both) == 2
