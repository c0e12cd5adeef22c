"""Effects of holes on the report of a unit."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole, HoleChange
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.live_source import no_live_source, source_of_base
from kubectl_applylint.run.load.holes import (
    hole_notes,
    hole_problems,
    holes_between,
    is_about_holes,
    rendering_problems,
    with_doubtful_removals,
)
from kubectl_applylint.sources.text.manifests import Input, read_text

REMOTE = Hole("k/kustomization.yaml:2:3", "resources[0]: https://x: a URL", "1", "a")
MISSING = Hole("k/kustomization.yaml:3:3", "resources[1]: x: not found", "2", "a", is_missing=True)
(DOCUMENT,) = read_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "a.yaml").documents


def test_holes_are_compared_with_those_of_the_earlier_manifests() -> None:
    source = source_of_base(Base("main", Input(holes=(REMOTE,))))

    assert [one.change for one in holes_between(source, Input(holes=(REMOTE, MISSING)))] == ["", HoleChange.NEW]
    assert [one.change for one in holes_between(source, Input())] == [HoleChange.GONE]


def test_without_earlier_files_no_hole_is_a_change() -> None:
    last_applied = replace(source_of_base(Base("live", Input())), uses_last_applied=True)

    for source in (no_live_source(), last_applied):
        (found,) = holes_between(source, Input(holes=(REMOTE,)))
        assert (found.is_changed, found.digest) == (False, "")


@pytest.mark.parametrize(
    ("hole", "is_compared", "messages"),
    [
        (REMOTE, True, []),
        (REMOTE, False, []),
        (MISSING, True, []),
        (MISSING, False, ["not rendered: resources[1]: x: not found"]),
        (
            replace(MISSING, change=HoleChange.NEW),
            True,
            ["not compared, as it is new: resources[1]: x: not found"],
        ),
    ],
)
def test_a_changed_hole_and_a_missing_file_are_problems(hole: Hole, is_compared: bool, messages: list[str]) -> None:
    found = [*hole_problems([hole], is_compared=is_compared)]

    assert [(one.where, one.message) for one in found] == [(hole.path, message) for message in messages]


@pytest.mark.parametrize(
    ("hole", "change", "advice"),
    [
        (MISSING, HoleChange.NEW, "correct it, or create the file"),
        (MISSING, HoleChange.DIFFERENT, "correct it, or create the file"),
        (MISSING, HoleChange.GONE, "render both revisions elsewhere"),
        (REMOTE, HoleChange.NEW, "render both revisions elsewhere"),
    ],
)
def test_a_missing_file_of_a_change_has_to_be_corrected(hole: Hole, change: HoleChange, advice: str) -> None:
    (found,) = hole_problems([replace(hole, change=change)], is_compared=True)

    assert found.advice.startswith(advice)


def test_missing_files_of_one_kustomization_are_one_problem() -> None:
    others = [replace(MISSING, path=path) for path in ("k/kustomization.yaml:4:3", "base/kustomization.yaml:3:3")]
    found = [*hole_problems([MISSING, *others], is_compared=False)]

    assert [(one.where, one.message) for one in found] == [
        (MISSING.path, f"not rendered: {MISSING.what} (and 1 more)"),
        (others[1].path, f"not rendered: {MISSING.what}"),
    ]


def test_the_other_holes_are_one_note() -> None:
    changed = replace(REMOTE, change=HoleChange.DIFFERENT)

    assert [*hole_notes([changed], 4, is_compared=True)] == []
    assert [*hole_notes([changed, MISSING, *[REMOTE] * 3], 14, is_compared=True)] == [
        "k/kustomization.yaml:3:3: 4 of 14 resources were not rendered: resources[1]: x: not found; "
        "resources[0]: https://x: a URL; resources[0]: https://x: a URL; and 1 more"
    ]
    values = [*hole_notes([REMOTE], 0, is_compared=True)]
    assert values == [f"{REMOTE.path}: rendered without values that are not known: resources[0]: https://x: a URL"]
    assert all(map(is_about_holes, (*hole_notes([MISSING], 4, is_compared=True), *values)))
    assert not is_about_holes("compared with main")
    assert [*hole_notes([MISSING], 4, is_compared=False)] == []


@pytest.mark.parametrize(
    ("verdict", "given", "shown"),
    [
        (Verdict.KEPT, [], Verdict.MAY_BE_REMOVED),
        (Verdict.PRUNED, [], Verdict.MAY_BE_REMOVED),
        (Verdict.PRUNED, [DOCUMENT], Verdict.PRUNED),
        (Verdict.CREATED, [], Verdict.CREATED),
    ],
    ids=["orphaned", "pruned", "not selected", "applied"],
)
def test_an_object_missing_in_the_files_may_be_removed(verdict: Verdict, given: list[Document], shown: Verdict) -> None:
    outcome = Outcome(ObjectRef("v1", "ConfigMap", "n", "a"), verdict)

    found = with_doubtful_removals(Report(outcomes=((DOCUMENT, outcome),)), (REMOTE,), given)

    assert found.holes == (REMOTE,)
    assert [one.verdict for _, one in found.outcomes] == [shown]


@pytest.mark.parametrize(
    ("name", "shown"), [("b", Verdict.PRUNED), ("${NAME}", Verdict.MAY_BE_REMOVED)], ids=["name", "unknown name"]
)
def test_unknown_values_contain_no_removed_object(name: str, shown: Verdict) -> None:
    outcome = Outcome(ObjectRef("v1", "ConfigMap", "n", "a"), Verdict.PRUNED)
    given = read_text(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: '{name}'}}\n", "b.yaml").documents
    values = Hole(
        "ks.yaml", "variables of Secret flux-system/settings", "3", "a", values_of="Secret flux-system/settings"
    )

    found = with_doubtful_removals(Report(outcomes=((DOCUMENT, outcome),)), (values,), given)

    assert [one.verdict for _, one in found.outcomes] == [shown]


def test_each_hole_that_is_no_change_is_a_problem_of_a_rendering() -> None:
    found = [*rendering_problems([REMOTE, MISSING, replace(REMOTE, change=HoleChange.NEW)])]

    assert [one.where for one in found] == [REMOTE.path, MISSING.path]
    assert found[1:] == [*hole_problems([MISSING], is_compared=False)]
