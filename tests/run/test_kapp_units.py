"""Units that kapp deploys: what the earlier revision has deployed stands for its memory."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.kapp.app import UNDRAWN, KappApp
from kubectl_applylint.appliers.kapp.deploy import KappDeploy
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.run.against import Against, AgainstKind
from kubectl_applylint.run.assemble import RunRequest
from kubectl_applylint.run.kapp_units import NOTHING, as_app, deployed
from kubectl_applylint.run.live_source import no_live_source
from kubectl_applylint.run.reading import Reading
from kubectl_applylint.run.unit_reports import plan
from kubectl_applylint.run.unit_runs import Runs, runs_of
from kubectl_applylint.schema.load import load
from tests.engine.test_set_apply import config
from tests.rules.stories import document
from tests.run.test_helm_units import managers
from tests.run.test_history import settings
from tests.sources.repositories import Repo, create

APP = KappApp("shop", "shop", UNDRAWN)
BEFORE = {"shop/one.yaml": settings("one"), "shop/two.yaml": settings("two"), "shop/same.yaml": settings("same")}


def read() -> Reading:
    return Reading(load("1.36"), (document(config("a")),), (), (), (), None, (), ())


def test_what_was_read_is_labelled_where_kapp_deploys_it() -> None:
    found = deployed(as_app(read(), Flags(kapp=APP)), NOTHING)
    (written,) = found.here

    assert isinstance(found.policy, KappDeploy)
    assert APP.owns(written.object)
    assert as_app(read(), NO_FLAGS) == deployed(read(), NOTHING) == read()


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    monkeypatch.chdir(repo.folder)
    return repo


def planned(flags: Flags) -> tuple[Runs, dict[str, Outcome]]:
    """Return the runs of a plan against the last commit, and what becomes of each object by its name."""
    runs = runs_of(RunRequest(files=(".",), flags=flags, against=Against(AgainstKind.GIT, "HEAD")), no_live_source())
    return runs, {outcome.ref.name: outcome for _, outcome in plan(runs).outcomes}


@pytest.mark.slow
def test_kapp_deletes_what_leaves_the_set_and_updates_what_changes(repo: Repo) -> None:
    repo.write({"shop/one.yaml": settings("one", "c"), "shop/two.yaml": None, "shop/new.yaml": settings("new")})
    runs, found = planned(Flags(by_kapp=True))

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {
        "new": "created",
        "one": "configured",
        "two": "pruned",
    }
    assert managers(found["one"]) == {"kapp"}
    assert [write.method for write in found["one"].requests] == ["PUT", "PUT"]
    assert any(note.startswith("apps: predicted as deployed by kapp") for note in runs.notes)


@pytest.mark.slow
def test_a_versioned_object_gets_another_name_and_the_old_one_stays(repo: Repo) -> None:
    repo.commit({"shop/v.yaml": settings("v").replace("name: v", "name: v, annotations: {kapp.k14s.io/versioned: ''}")})
    repo.write(
        {"shop/v.yaml": settings("v", "c").replace("name: v", "name: v, annotations: {kapp.k14s.io/versioned: ''}")}
    )
    _, found = planned(Flags(by_kapp=True))

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {"v-ver-1": "kept", "v-ver-2": "created"}
