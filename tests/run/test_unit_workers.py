"""Units that worker processes load and evaluate have the same reports as those of this process."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.evaluate import RuleEvaluation
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.secrets.masking import mask_report
from kubectl_applylint.sources.system import processes
from kubectl_applylint.sources.system.cache_folder import use_folder
from tests.run.running import evaluate_units, load_units, write

RULES = ("service-ports-unnamed-rejected", "string-data-never-settles", "value-not-supported-rejected")
EVALUATION = RuleEvaluation(Dispatch([rule for rule in all_rules(Config()) if rule.id in RULES]), shows_known=True)
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}, {port: 80}]}\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {key: supersecret}\n"
SAYS_IT = (
    "apiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: {sessionAffinity: supersecret, ports: [{port: 1}]}\n"
)
FILES = {f"all/{number:02}/web.yaml": SERVICE for number in range(2 * processes.LEAST)}
OTHERS = {
    "all/empty/values.yaml": "a: b\n",
    "all/bad/web.yaml": "a: [\n",
    "all/secret/a.yaml": SECRET + "---\n" + SAYS_IT,
}


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder, outside of git, with enough units for two processes."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    write(tmp_path / "repo", {**FILES, **OTHERS})
    with use_folder(str(tmp_path / "cache")):
        yield tmp_path / "repo"


def pays(applies: int) -> bool:
    # Other tests may have left threads, and a process with threads is not copied: the same is done here then.
    return applies >= 2 * processes.LEAST


def run(*files: str, spread: Callable[..., list[object]] | None = None) -> tuple[LoadedUnits, Report]:
    def divide(work: Callable[..., object], units: list[object], words: str, *, applies: int) -> list[object]:
        assert spread is not None
        return spread(work, units, applies=applies)

    # The results of this run are not cached: only loading is divided here.
    executor = Executor(results_depend_on=(), spread=divide, pays=pays) if spread else Executor(results_depend_on=())  # type: ignore[arg-type]  # of any units
    runs = load_units(Request(files=files or ("all",)), executor=executor, evaluation=EVALUATION)
    report = evaluate_units(replace(runs, each=tuple(replace(one, key="") for one in runs.each)), EVALUATION).report
    return runs, replace(report, findings=tuple(replace(one, wanted=()) for one in report.findings))


def cached_roots(runs: LoadedUnits) -> set[str]:
    return {run.unit.root for run in runs.each if run.unit and run.cached}


def test_results_of_workers_equal_those_without_workers() -> None:
    here, report = run()
    shared, same = run(spread=processes.map_in_processes)

    assert len(cached_roots(shared)) >= len(FILES)
    assert "secret" not in cached_roots(shared), "what says a credential is read here, to be masked"
    assert (same, shared.notes, shared.problems) == (report, here.notes, here.problems)
    assert shared.texts.items() <= here.texts.items()
    assert {finding.location.file for finding in report.findings} <= shared.texts.keys()


def test_secrets_of_other_units_are_sent_and_not_read_again(folder: Path) -> None:
    token, says_it = (text.replace("supersecret", "othersecret") for text in (SECRET, SAYS_IT))
    write(folder, {"all/token/token.yaml": token + "---\n" + SERVICE, "all/other/web.yaml": says_it})

    def then_without(work: Callable[..., object], units: list[object], *, applies: int) -> list[object]:
        made = processes.map_in_processes(work, units, applies=applies)
        (folder / "all/token/token.yaml").unlink()
        return made

    shared, report = run(spread=then_without)

    assert "token" in cached_roots(shared)
    assert [one.ref.kind for one in shared.documents if one.file.endswith("token.yaml")] == ["Secret"]
    assert "othersecret" in str(report.findings), "the report is masked when it is shown"
    assert "othersecret" not in str(mask_report(report, shared.objects).findings)


def test_results_that_workers_do_not_return_are_read_here() -> None:
    shared, report = run(spread=lambda work, units, *, applies: [None for _ in units])

    assert cached_roots(shared) == set()
    assert report == run()[1]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(["all/00", "all/01"], id="little to do"),
        pytest.param(["all", "large"], id="one with more than all others"),
    ],
)
def test_little_work_is_not_divided_among_workers(folder: Path, files: list[str]) -> None:
    write(folder, {"large/web.yaml": SERVICE + "# and so on\n" * 10_000})

    assert cached_roots(run(*files, spread=processes.map_in_processes)[0]) == set()


def test_the_only_unit_with_objects_is_judged_as_a_whole(folder: Path) -> None:
    write(folder, {f"few/{path}": "a: b\n" for path in FILES} | {"few/web.yaml": SERVICE, "few/x.yaml": "a: b\n" * 200})
    shared, report = run("few", spread=processes.map_in_processes)

    assert cached_roots(shared) == set()
    assert report == run("few")[1]


def test_results_of_workers_are_cached_for_later_runs() -> None:
    shared, report = run(spread=processes.map_in_processes)
    evaluate_units(shared, EVALUATION)
    again, same = run()

    assert cached_roots(again) == cached_roots(shared)
    assert same == report
