"""Plans about objects that are rendered together: a command for all of them, or for one."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.documents import Document, Documents, Peers, Rendering
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.exact_plans import exact_plans
from kubectl_applylint.ownership.migration import MergeSite, checks, migration, ordered_commands
from kubectl_applylint.ownership.step import StepPlan
from tests.stories import MANIFEST, Everywhere, client_side, scale, server_side, subject_of

OVERLAY = Rendering("kubectl kustomize app", "-k app")
CHART = Rendering("helm template shop charts/shop", "-f helm:charts/shop", "shop", "charts/shop")
PIPE = Rendering("…", "-f -")
TWIN: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "name": "twin"}}


def together(rendering: Rendering, *given: tuple[JsonObject, JsonObject | None]) -> list[Subject]:
    """Return subjects of manifests that are rendered together, with what is live of each."""
    documents = tuple(
        Document("base/all.yaml", at, manifest, ref_of(manifest), Everywhere(), rendering=rendering)
        for at, (manifest, _) in enumerate(given)
    )
    return [
        replace(
            subject_of(manifest, live), document=documents[at], peers=Peers(Documents(documents), at, documents[at].ref)
        )
        for at, (manifest, live) in enumerate(given)
    ]


def migration_plans(subjects: list[Subject], lives: list[JsonObject | None]) -> list[StepPlan]:
    by_name = {subject.ref: live for subject, live in zip(subjects, lives, strict=True)}
    return exact_plans(subjects, lambda subject: migration(subject, by_name[subject.ref], MergeSite.SERVER))


@pytest.mark.parametrize(
    ("rendering", "command", "check"),
    [
        (OVERLAY, "kubectl apply --server-side -k app", "kubectl diff --server-side -k app"),
        (
            CHART,
            "helm template shop charts/shop | kubectl apply --server-side -f -",
            "helm template shop charts/shop | kubectl diff --server-side -f -",
        ),
        (PIPE, "… | kubectl apply --server-side -f -", "… | kubectl diff --server-side -f -"),
    ],
    ids=["kustomization", "chart", "pipe"],
)
def test_all_that_is_rendered_is_applied_where_all_is_to_be(rendering: Rendering, command: str, check: str) -> None:
    lives: list[JsonObject | None] = [client_side(MANIFEST), client_side(TWIN)]
    plans = migration_plans(together(rendering, (MANIFEST, lives[0]), (TWIN, lives[1])), lives)

    assert [step.command for plan in plans for step in plan.steps] == [command, command]
    assert (ordered_commands(plans), checks(plans)) == ((command,), (check,))


def test_one_object_is_applied_where_the_other_stays_as_it_is() -> None:
    lives: list[JsonObject | None] = [client_side(MANIFEST), server_side(TWIN)]
    first, second = migration_plans(together(OVERLAY, (MANIFEST, lives[0]), (TWIN, lives[1])), lives)

    (step,) = first.steps
    assert step.command.startswith('kubectl apply --server-side -f - <<\'EOF\'\n{"apiVersion":"apps/v1",')
    assert (step.whole, second.steps) == ("kubectl apply --server-side -k app", ())
    assert all("base/all.yaml" not in command for command in (*ordered_commands([first, second]), *first.back))


def test_force_is_for_the_object_that_conflicts() -> None:
    lives: list[JsonObject | None] = [scale(client_side(MANIFEST), 7), client_side(TWIN)]
    first, second = migration_plans(together(OVERLAY, (MANIFEST, lives[0]), (TWIN, lives[1])), lives)

    assert [step.command for step in first.steps] == [step.command for step in second.steps]
    assert first.alternative is not None
    assert first.alternative.command.startswith("kubectl apply --server-side --force-conflicts -f - <<'EOF'\n")


def test_one_object_of_a_pipe_is_given_itself() -> None:
    live = client_side(MANIFEST)
    (plan,) = migration_plans(together(PIPE, (MANIFEST, live)), [live])

    assert plan.steps[0].command.startswith("kubectl apply --server-side -f - <<'EOF'\n")


def test_files_are_named() -> None:
    subject = subject_of(MANIFEST, client_side(MANIFEST))
    (plan,) = exact_plans([subject], lambda one: migration(one, client_side(MANIFEST), MergeSite.SERVER))

    assert [step.command for step in plan.steps] == ["kubectl apply --server-side -f web.yaml"]


def test_an_object_rendered_with_an_unplanned_one_is_passed_inline() -> None:
    live = client_side(MANIFEST)
    subject, _ = together(OVERLAY, (MANIFEST, live), (TWIN, None))
    (plan,) = exact_plans([subject], lambda one: migration(one, live, MergeSite.SERVER))

    assert plan.steps[0].command.startswith("kubectl apply --server-side -f - <<'EOF'\n")
