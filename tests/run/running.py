"""Runs in tests: the steps of ``run.pipeline.run`` one by one."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.collect import RunResult, collect
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.compare.live_source import LiveSource, LiveSources, no_live_source
from kubectl_applylint.run.discover.discover import discover
from kubectl_applylint.run.evaluate import Evaluation, PlanEvaluation, RuleEvaluation
from kubectl_applylint.run.execute import SERIAL, Executor
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request

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
NO_RULES = RuleEvaluation(Dispatch(()))


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def load_units(
    request: Request,
    source: LiveSource | None = None,
    executor: Executor = SERIAL,
    evaluation: Evaluation = NO_RULES,
) -> LoadedUnits:
    """Return the loaded units of a request."""
    discovery = discover(request, LiveSources(source or no_live_source()), executor)
    return discovery.join(executor.load(discovery, evaluation))


def runs(*files: str, executor: Executor = SERIAL, **words: object) -> LoadedUnits:
    """Return the loaded units of a request with these files and fields."""
    request = replace(Request(files=files or ("all",)), **words)  # type: ignore[arg-type]  # fields of the request
    return load_units(request, executor=executor)


def evaluate_units(found: LoadedUnits, evaluation: Evaluation, executor: Executor = SERIAL) -> RunResult:
    """Return the result of loaded units."""
    return collect(found, executor.evaluate(found, evaluation), evaluation)


def plan(found: LoadedUnits) -> Report:
    """Return the plan of loaded units."""
    return evaluate_units(found, PlanEvaluation()).report
