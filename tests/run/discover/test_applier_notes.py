"""Notes of a plan on the requested program."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.live_source import no_live_source
from kubectl_applylint.run.discover.applier_notes import (
    assumed_helm_notes,
    assumption_notes,
    changed_set_notes,
    elsewhere_notes,
    gap_notes,
    ineffective_chart_notes,
    installation_notes,
    jsonnet_notes,
    kubectl_fallback_notes,
    missing_path_notes,
    source_notes,
    undeclared_chart_notes,
    undeclared_notes,
    unlisted_notes,
    unpredicted_notes,
)
from kubectl_applylint.run.sides.sides import of_folder, of_revision
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Applied, Form, Installation, Reason, Unit
from tests.run.load.test_unit_tools import BY_FLUX, CHART, FOLDER
from tests.sources.repositories import create

HELM, FLUX, ARGOCD, KAPP = (
    *(Flags(asked=AskedApplier(applier)) for applier in (Applier.HELM4, Applier.FLUX, Applier.ARGOCD, Applier.KAPP)),
)


@pytest.mark.parametrize(
    ("flags", "unit", "begins"),
    [
        (HELM, CHART, "predicted as applied by Helm 4; "),
        (FLUX, BY_FLUX, "predicted as applied by Flux; "),
        (KAPP, FOLDER, "predicted as applied by kapp; "),
    ],
)
def test_a_plan_names_its_assumptions(flags: Flags, unit: Unit, begins: str) -> None:
    (line,) = assumption_notes(flags, [FOLDER, unit])

    assert line.startswith(begins)
    assert list(kubectl_fallback_notes(flags, [FOLDER, unit])) == []


@pytest.mark.parametrize(
    ("flags", "begins"),
    [
        (HELM, "--applier helm4: no unit is a chart that Helm installs"),
        (FLUX, "--applier flux: no Kustomization of Flux names a unit"),
        (ARGOCD, "--applier argocd: no Application of Argo CD names a unit"),
    ],
)
def test_a_program_that_applies_nothing_is_no_silence(flags: Flags, begins: str) -> None:
    (line,) = kubectl_fallback_notes(flags, [FOLDER])

    assert line == f"{begins}; all are predicted as with kubectl"
    assert list(assumption_notes(flags, [FOLDER])) == []


@pytest.mark.parametrize(
    ("flags", "unit", "begins"),
    [
        (HELM, CHART, "--applier helm4: none of these units is a chart that Helm installs"),
        (FLUX, BY_FLUX, "--applier flux: no Kustomization of Flux names one of these units"),
    ],
)
def test_a_note_does_not_deny_that_a_program_applies_other_units(flags: Flags, unit: Unit, begins: str) -> None:
    line = f"{begins}; all are predicted as with kubectl"

    assert list(kubectl_fallback_notes(flags, [FOLDER], [FOLDER, unit])) == [line]
    assert list(kubectl_fallback_notes(flags, [FOLDER], None)) == [line]


def test_several_programs_are_named_in_one_line() -> None:
    auto = Flags(asked=AskedApplier(None))

    assert [line.partition(";")[0] for line in assumption_notes(auto, [FOLDER, BY_FLUX, CHART])] == [
        "predicted as applied by Flux and Helm 4"
    ]
    assert list(kubectl_fallback_notes(auto, [FOLDER])) == []


@pytest.mark.parametrize(
    ("asked", "notes"),
    [
        (None, []),
        (AskedApplier(Applier.KAPP), []),
        (AskedApplier(Applier.ARGOCD), ["Application lost: the files have nothing in its path (nowhere)"]),
        (AskedApplier(Applier.FLUX), ["Kustomization gone: the files have nothing in its path (gone)"]),
        (
            AskedApplier(None),
            [
                "Application lost: the files have nothing in its path (nowhere)",
                "Kustomization gone: the files have nothing in its path (gone)",
            ],
        ),
    ],
)
def test_missing_paths_are_reported(tmp_path: Path, asked: AskedApplier | None, notes: list[str]) -> None:
    application = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: %s}\nspec: {source: {path: %s}}\n"
    )
    source = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: gone}\n"
    (tmp_path / "a.yaml").write_text(f"{application % ('lost', 'nowhere')}---\n{application % ('here', 'apps')}")
    (tmp_path / "f.yaml").write_text(f"{source}spec: {{path: ./gone}}\n")
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps/one.yaml").write_text("a: b\n")

    assert list(missing_path_notes(Flags(asked=asked), units_of(of_folder(str(tmp_path))))) == notes


def test_kubectl_and_no_units_have_no_notes() -> None:
    assert list(kubectl_fallback_notes(NO_FLAGS, [FOLDER])) == []
    assert list(kubectl_fallback_notes(FLUX, [])) == []
    assert list(kubectl_fallback_notes(Flags(asked=AskedApplier(Applier.FLUX, is_supposed=True)), [FOLDER])) == []


def test_limits_of_the_chosen_applier_are_reported_for_its_units() -> None:
    policy: JsonObject = {"syncOptions": ["NewOption=true"], "automated": {"prune": True}}
    web: JsonObject = {"metadata": {"name": "web"}, "spec": {"syncPolicy": policy}}
    each = [(replace(FOLDER, applied=Applied("argocd", tool_object=web)), ()), (FOLDER, ())]
    live = replace(no_live_source(), origin="the cluster")

    assert [line.partition(":")[0] for line in unpredicted_notes(ARGOCD, each, live)] == [
        "Application web",
        "Applications",
    ]
    assert [line.partition(":")[0] for line in unpredicted_notes(ARGOCD, each)] == ["Application web"]
    assert list(unpredicted_notes(FLUX, each, live)) == list(unpredicted_notes(NO_FLAGS, each, live)) == []


def test_declarations_of_other_files_are_named_with_the_reason() -> None:
    named = [(Reason(f"Kustomization {number}", "a.yaml", number), "it applies tag v1") for number in range(1, 8)]

    (line,) = elsewhere_notes(FoundUnits(elsewhere=tuple(named)))
    assert line.startswith("not examined, as other files are applied: Kustomization 1 (a.yaml:1): it applies tag v1; K")
    assert line.endswith("; and 2 more; --target-revision REF compares those that apply REF")
    assert not list(elsewhere_notes(FoundUnits()))


def test_applies_that_are_not_known_are_named_once() -> None:
    def unit(name: str, gap: str = "its generator is not known", **words: Any) -> Unit:
        applied = Applied("argocd", reason=Reason(f"ApplicationSet {name}", f"{name}.yaml", 3), gap=gap, **words)
        return Unit(name, Form.RELEASE, frozenset(), applied)

    units = [unit("a"), unit("a"), unit("b", "its templatePatch is not evaluated"), unit("known", "")]
    others = [unit("paused", is_suspended=True), unit("elsewhere")]
    found = FoundUnits(elsewhere=((others[1].applied.reason, "it applies tag v1"),))

    (line,) = gap_notes(found, [*units, *others])
    assert line == (
        "not examined: ApplicationSet a (a.yaml:3): its generator is not known; "
        "ApplicationSet b (b.yaml:3): its templatePatch is not evaluated"
    )
    assert not list(gap_notes(found, [*others, unit("known", "")]))


def test_declarations_that_no_kustomization_lists_are_named() -> None:
    (line,) = unlisted_notes(FoundUnits(unlisted=(Reason("Kustomization a", "a.yaml", 1),)))

    assert line == "not applied, because no kustomization lists the file: Kustomization a (a.yaml:1)"
    assert not list(unlisted_notes(FoundUnits()))


def test_a_packed_source_has_advice() -> None:
    named = (Reason("Kustomization a", "a.yaml", 1), "its source is OCIRepository a (oci://host/a)")

    (line,) = elsewhere_notes(FoundUnits(elsewhere=(named,)))
    assert line.endswith("; own-sources in the configuration names sources with files of this repository")


def test_a_source_that_is_taken_to_be_the_repository_has_a_note() -> None:
    found = FoundUnits(assumed=(("Bucket/flux-system/flux-system", "as it has the path clusters/prod"),))

    assert list(source_notes(found)) == [
        "Bucket/flux-system/flux-system is taken to be this repository, as it has the path clusters/prod"
    ]


def test_a_target_revision_that_nothing_applies_has_a_note() -> None:
    assert list(source_notes(FoundUnits(unused_revisions=("v9",)))) == [
        "--target-revision v9: no Kustomization, Application or source applies this revision"
    ]


def test_declarations_without_a_unit_have_a_line() -> None:
    reasons = [Reason(name, "a.yaml", 1) for name in ("Application a", "Kustomization b", "Application c")]
    elsewhere = tuple((reason, "it applies tag v1") for reason in reasons[:2])
    missing = Declared("apps", Applied("argocd", reason=reasons[2]))
    named = Unit(
        "Kustomization//b", FOLDER.form, frozenset(), Applied("flux", reason=reasons[1], gap="it applies tag v1")
    )
    found = FoundUnits((named,), elsewhere, (missing,))

    assert list(undeclared_notes(found)) == [
        "Application a (a.yaml:1): it applies tag v1",
        "Application c (a.yaml:1): the files have nothing in its path apps",
    ]


def test_releases_that_are_found_later_are_not_missed() -> None:
    flags = Flags(asked=AskedApplier(Applier.HELM_CONTROLLER))

    assert list(kubectl_fallback_notes(flags, [FOLDER])) == []


def test_settings_of_argo_cd_that_are_not_followed_are_named_once() -> None:
    settings = '{"kustomize.buildOptions": "--enable-exec", "kustomize.path.v5": "/tmp/x"}'
    installed = Applied(installation=Installation(settings=settings, differing=("resource.exclusions",)))
    units = [replace(FOLDER, root=root, applied=installed) for root in ("a", "b")]

    assert list(installation_notes(units)) == [
        "settings of Argo CD that are not followed, and nothing that they name is run: kustomize.buildOptions"
        " --enable-exec, kustomize.path.v5",
        "settings of Argo CD with several values in the files are not followed: resource.exclusions",
    ]
    assert list(installation_notes([FOLDER])) == []


def test_the_missing_paths_of_one_object_are_in_one_line() -> None:
    lost = [Declared(str(number), Applied("argocd", reason=Reason("ApplicationSet argocd/a"))) for number in range(7)]

    assert list(missing_path_notes(ARGOCD, FoundUnits(missing=tuple(lost)))) == [
        "ApplicationSet argocd/a: the files have nothing in its paths (0, 1, 2, 3, 4, and 2 more)"
    ]


SET = ObjectRef("argoproj.io/v1alpha1", "ApplicationSet", "argocd", "apps")


def units_of_set(**revisions: str) -> FoundUnits:
    """Return the Applications that a set generates, by their names."""
    applications = ({"metadata": {"name": name}, "spec": {"revision": text}} for name, text in revisions.items())
    return FoundUnits(generated=tuple((SET, one) for one in applications))


def test_a_changed_application_set_names_its_applications() -> None:
    was, now = units_of_set(a="1", b="1", c="1"), units_of_set(b="1", c="2", d="1", e="1")
    many = units_of_set(**{f"n{number}": "1" for number in range(8)})

    assert list(changed_set_notes(was, now)) == [
        "ApplicationSet argocd/apps: it generates d, e; no longer generates a; changes c"
    ]
    assert list(changed_set_notes(units_of_set(), many)) == [
        "ApplicationSet argocd/apps: it generates n0, n1, n2, n3, n4 and 3 more"
    ]
    assert list(changed_set_notes(was, was)) == []


@pytest.mark.parametrize(
    ("values", "how"),
    [
        ([""], "with its own values"),
        (
            ["", "values-b.yaml", "values-c.yaml"],
            "as one cluster each for its own values, values-b.yaml, values-c.yaml",
        ),
    ],
)
@pytest.mark.parametrize(("tool", "kinds"), [("argocd", "Applications"), ("flux", "Kustomizations")])
def test_a_chart_that_nothing_declares_is_named(values: list[str], how: str, tool: str, kinds: str) -> None:
    charts = [Unit("apps", Form.CHART, frozenset(), values=(f"apps/{name}",) if name else ()) for name in values]
    children = [Unit("web", Form.FOLDER, frozenset(), Applied(tool, cluster=one.declaring_cluster)) for one in charts]

    assert [*undeclared_chart_notes(charts, [*charts, *children])] == []
    assert [*undeclared_chart_notes(children, [*charts, *children])] == [
        f"apps: no object in the files applies this chart of {kinds}; it is examined {how}"
    ]


def test_charts_with_the_same_reason_share_a_note() -> None:
    charts = [Unit(f"apps/{name}", Form.CHART, frozenset()) for name in "abcdefg"]
    children = [
        Unit("web", Form.FOLDER, frozenset(), Applied("argocd", cluster=one.declaring_cluster)) for one in charts
    ]

    assert [*undeclared_chart_notes(children, [*charts, *children])] == [
        "apps/a, apps/b, apps/c, apps/d, apps/e and 2 more: no object in the files applies these charts of "
        "Applications; they are examined with their own values"
    ]


def test_values_with_which_such_a_chart_is_not_examined_are_named() -> None:
    chart = Unit("apps", Form.CHART, frozenset({"apps/Chart.yaml", "apps/prod/values.yaml"}))
    child = Unit("web", Form.FOLDER, frozenset(), Applied(cluster=chart.declaring_cluster))
    (note,) = undeclared_chart_notes([child], [chart, child])

    assert note.endswith("it is examined with its own values, not with prod/values.yaml")


@pytest.mark.parametrize(
    ("unit", "differ", "is_named"),
    [
        (Unit("web", Form.CHART, frozenset()), "web/templates/a.yaml", True),
        (Unit("", Form.CHART, frozenset()), "values.yaml", True),
        (Unit("web", Form.CHART, frozenset()), "web/README.md", False),
        (Unit("web", Form.CHART, frozenset()), "other/templates/a.yaml", False),
        (Unit("web", Form.CHART, frozenset(), values=("web/values-prod.yaml",)), "web/templates/a.yaml", False),
        (Unit("web", Form.FOLDER, frozenset()), "web/templates/a.yaml", False),
    ],
    ids=["template", "values", "text", "another chart", "known values", "folder"],
)
def test_a_chart_that_changes_without_effect_on_its_own_values(unit: Unit, differ: str, is_named: bool) -> None:
    notes = [*ineffective_chart_notes([unit, unit], {differ})]

    line = f"charts whose change has no effect with their own values, and no file names others: {unit.shown}"
    assert notes == ([line] if is_named else [])


@pytest.mark.parametrize(
    ("changed", "names", "path", "files"),
    [
        (("web.jsonnet", "lib/a.libsonnet", "a.yaml"), ("",), "", "lib/a.libsonnet, web.jsonnet"),
        (("web.jsonnet", "lib/a.libsonnet"), ("lib",), "", "lib/a.libsonnet"),
        (("web.jsonnet",), ("lib",), "", ""),
        (("a.yaml",), ("",), "", ""),
        (("web.jsonnet",), ("",), "apps", ""),
        (("web.jsonnet",), ("",), "other", "web.jsonnet"),
    ],
)
def test_jsonnet_that_no_application_evaluates(
    changed: tuple[str, ...], names: tuple[str, ...], path: str, files: str
) -> None:
    application: JsonObject = {"spec": {"source": {"repoURL": "https://example.com/a.git", "path": path}}}
    unit = Unit("", Form.RELEASE, frozenset(), Applied("argocd", tool_object=application))

    notes = [*jsonnet_notes(changed, names, FoundUnits((unit,) if path else ()), ["web.jsonnet", "apps/a.jsonnet"])]

    start = "not examined, because no Application of Argo CD evaluates files in Jsonnet: "
    assert notes == ([start + files] if files else [])


def test_kustomizations_that_a_change_removes_are_not_read_afterwards(tmp_path: Path) -> None:
    repo = create(tmp_path / "repo")
    repo.commit({"web/kustomization.yaml": "helmCharts: [{name: web}]\n"})
    repository = Repository(str(repo.folder), is_shallow=False)
    found = git.resolve(repository, "HEAD")
    assert found
    side = of_revision(repository, found, str)

    def unit(path: str) -> Unit:
        return Unit("web", Form.KUSTOMIZATION, frozenset({path}), Applied("argocd"))

    assert [*assumed_helm_notes(side, [unit("old/kustomization.yaml")])] == []
    assert len([*assumed_helm_notes(side, [unit("web/kustomization.yaml")])]) == 1
