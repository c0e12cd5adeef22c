"""Input of the apply of one unit."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.lint.model import LiveAssumption, Scenario
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.live_source import no_live_source, source_of_base
from kubectl_applylint.run.discover.unit_tasks import UnitTask
from kubectl_applylint.run.load.load_unit import earlier_unit_input, unit_input
from kubectl_applylint.run.request import Request
from kubectl_applylint.sources.files import files
from kubectl_applylint.sources.text.manifests import Input, read_text
from kubectl_applylint.tools.argocd.application import ArgoSync
from kubectl_applylint.units.model import Applied, Form, Unit

UNIT = Unit("dev", Form.FOLDER, frozenset({"dev/web.yaml"}))
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\n"
TASK = UnitTask(UNIT, no_live_source(), Input())


@pytest.mark.parametrize(
    ("unit", "arguments", "command"),
    [
        pytest.param(UNIT, "-f dev", "", id="folder"),
        pytest.param(replace(UNIT, form=Form.KUSTOMIZATION, root="a b"), "-k 'a b'", "", id="kustomization"),
        pytest.param(
            replace(UNIT, form=Form.CHART, applied=Applied("helm"), values=("dev/v.yaml",)),
            "",
            "helm upgrade RELEASE dev -f dev/v.yaml",
            id="chart",
        ),
        pytest.param(
            replace(UNIT, form=Form.CHART, applied=Applied("helm3")),
            "",
            "helm upgrade RELEASE dev",
            id="Helm 3",
        ),
        pytest.param(replace(UNIT, applied=Applied("kapp")), "", "kapp deploy -a dev -f dev", id="app"),
        pytest.param(replace(UNIT, applied=Applied("skaffold")), "", "skaffold run", id="skaffold"),
        pytest.param(replace(UNIT, applied=Applied("flux")), "", "# commit and push it, Flux applies it", id="flux"),
    ],
)
def test_a_fix_names_what_applies_the_unit(tmp_path: Path, unit: Unit, arguments: str, command: str) -> None:
    (tmp_path / "web.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n")
    given = files.read([str(tmp_path)], recursive=False, stdin=bytes)

    (subject,) = unit_input(Request(), replace(TASK, unit=unit, given=given)).subjects
    assert (subject.flags.unit_arguments, subject.flags.unit_command) == (arguments, command)


@pytest.mark.parametrize(("tool", "count"), [("argocd", 1), ("flux", 0), ("kubectl", 0)])
def test_argo_cd_applies_objects_with_generate_name_alone(tool: str, count: int) -> None:
    given = read_text(MAP.replace("name: web", "generateName: web-"), "dev/web.yaml")
    application = {"kind": "Application", "metadata": {"name": "a"}, "spec": {}} if tool == "argocd" else None
    unit = replace(UNIT, applied=Applied(tool, tool_object=application))

    request = Request(flags=Flags(asked=AskedApplier(None)))

    assert len(unit_input(request, replace(TASK, unit=unit, given=given)).subjects) == count


def test_objects_with_generate_name_alone_are_rendered() -> None:
    given = read_text(MAP.replace("name: web", "generateName: web-"), "dev/web.yaml")

    assert len(unit_input(Request(renders=True), replace(TASK, given=given)).documents) == 1


@pytest.mark.parametrize(
    ("form", "command"),
    [
        (Form.FOLDER, "kapp deploy -a dev -n shop -f dev"),
        (Form.KUSTOMIZATION, "kubectl kustomize dev | kapp deploy -a dev -n shop -f -"),
    ],
    ids=str,
)
def test_a_fix_names_the_app_that_kapp_deploys(tmp_path: Path, form: Form, command: str) -> None:
    (tmp_path / "web.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n")
    given = files.read([str(tmp_path)], recursive=False, stdin=bytes)
    request = Request(flags=Flags(asked=AskedApplier(Applier.KAPP)))
    unit = replace(UNIT, form=form, applied=Applied(namespace="shop"))

    (subject,) = unit_input(request, replace(TASK, unit=unit, given=given)).subjects
    assert subject.flags.unit_command == command


@pytest.mark.parametrize(
    ("tool", "advice"),
    [("kubectl", "kubectl skips this object and applies the others; quote the value"), ("argocd", "quote the value")],
)
def test_advice_says_how_kubectl_continues_only_if_it_applies_the_unit(tmp_path: Path, tool: str, advice: str) -> None:
    (tmp_path / "web.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, labels: {a: 1}}\n")
    given = files.read([str(tmp_path)], recursive=False, stdin=bytes)

    found = unit_input(Request(), replace(TASK, unit=replace(UNIT, applied=Applied(tool)), given=given))
    assert [one.advice for one in found.problems] == [advice]


def test_without_a_comparison_nothing_is_earlier() -> None:
    assert earlier_unit_input(Request(), TASK) is None


def change(earlier: str, later: str) -> UnitTask:
    base = Base("main", read_text(earlier, "dev/web.yaml"), later=lambda *_: read_text(later, "dev/web.yaml"))
    return replace(TASK, source=source_of_base(base), given=None)


def test_the_result_of_the_earlier_manifests_is_predicted_once_for_both_inputs() -> None:
    """Outcomes are cached, so that no object of the earlier manifests is predicted for an empty cluster again."""
    task = change(MAP, f"{MAP}data: {{a: b}}\n")
    found = unit_input(Request(), task)

    again = earlier_unit_input(Request(), task, found.earlier_apply)

    assert again is not None
    assert again.whole is not None
    assert found.earlier_apply is not None
    assert again.earlier_apply is not None
    assert again.earlier_apply.start is found.earlier_apply.start
    assert again.whole.predict is found.earlier_apply.start.predict
    (fresh,) = (case.subject for case in again.subjects[0].alternatives if case.case is LiveAssumption.FRESH)
    first = found.earlier_apply.start.predict(fresh.manifest, fresh.state)
    assert fresh.predict(Scenario.APPLY) is first


def test_the_earlier_manifests_have_the_settings_of_their_program() -> None:
    item, was = ({"metadata": {"name": "web"}, "spec": {"syncPolicy": {"syncOptions": one}}} for one in ([], ["a"]))
    unit, earlier = (replace(UNIT, applied=Applied("argocd", tool_object=one)) for one in (item, was))
    task = replace(change(MAP, MAP), unit=unit, earlier=earlier)
    again = earlier_unit_input(Request(flags=Flags(asked=AskedApplier(None))), task)

    assert again is not None
    assert again.whole is not None
    assert isinstance(again.whole.policy, ArgoSync)
    assert again.whole.policy.application.options == {"a"}


def test_the_result_of_other_earlier_manifests_is_not_shared() -> None:
    known = unit_input(Request(), change(f"{MAP}data: {{a: b}}\n", MAP)).earlier_apply

    again = earlier_unit_input(Request(), change(MAP, MAP), known)

    assert known is not None
    assert again is not None
    assert again.whole is not None
    assert again.earlier_apply is not None
    assert again.earlier_apply.start is not known.start
    assert known.predictor(again.earlier_apply.past, replace(known.flags, force=True)) is None


def test_an_object_is_found_where_it_is_now() -> None:
    """Equal objects of both revisions may be in other lines."""
    (subject,) = unit_input(Request(), change(MAP, f"# now\n{MAP}")).subjects

    assert subject.document.locate(()).span.line == 2


@pytest.mark.parametrize("renders", [False, True])
def test_a_hole_is_a_problem_if_units_are_rendered(renders: bool) -> None:
    hole = Hole("app/kustomization.yaml:2:3", "resources[0]: https://x: a URL", "1")
    unit = Unit("app", Form.KUSTOMIZATION, frozenset())

    found = unit_input(Request(renders=renders), UnitTask(unit, no_live_source(), Input(holes=(hole,))))
    assert [one.where for one in found.problems] == [hole.path] * renders
