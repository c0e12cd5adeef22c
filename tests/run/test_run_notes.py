"""Notes of a run by one machine and by several."""

from itertools import permutations

from kubectl_applylint.run.notes import Gaps
from kubectl_applylint.run.run_notes import RunNotes, UnitNote, join_notes
from kubectl_applylint.sources.text.classify import SkipReason

EMPTY = SkipReason.EMPTY
ALL = RunNotes(
    assumed=(UnitNote((), "Kustomizations: predicted"),),
    compared=(UnitNote((), "compared with main"), UnitNote(("a",), "a: compared with old")),
    own=(UnitNote(("a",), "same"), UnitNote(("b",), "same"), UnitNote(("b",), "b alone")),
    gaps=Gaps((EMPTY, EMPTY)),
    aside=("test data", "patches", "test data"),
    last=(UnitNote((), "orphaned"),),
)
FIRST = RunNotes(assumed=ALL.assumed, compared=ALL.compared, own=ALL.own[:1], gaps=Gaps((EMPTY,)), aside=("test data",))
SECOND = RunNotes(
    assumed=ALL.assumed,
    compared=ALL.compared[:1],
    own=ALL.own[1:],
    aside=("patches", "test data"),
)
THIRD = RunNotes(compared=ALL.compared[:1], gaps=Gaps((EMPTY,)), last=ALL.last)


def test_lines_have_an_order_and_come_once() -> None:
    assert ALL.lines == (
        "Kustomizations: predicted",
        "compared with main",
        "a: compared with old",
        "same",
        "b alone",
        f"skipped non-manifests: 2 × {EMPTY}",
        "skipped units: 1 × patches, 2 × test data; name a directory to check it",
        "orphaned",
    )
    assert RunNotes().lines == ()


def test_several_machines_say_what_one_says() -> None:
    for notes in permutations((FIRST, SECOND, THIRD)):
        assert join_notes(notes).lines == ALL.lines


def test_a_line_about_the_run_goes_before_all() -> None:
    assert ALL.with_first_line("the live state is unknown").lines[0] == "the live state is unknown"


def test_units_with_holes_are_few_lines_or_one() -> None:
    notes = [UnitNote((name,), f"{name}: 1 of 2 resources were not rendered") for name in "abcd"]

    assert RunNotes(holes=tuple(notes[:3])).lines == tuple(note.text for note in notes[:3])
    assert RunNotes(holes=tuple(notes)).lines == (
        "4 units have resources that were not rendered (-o json lists them): "
        "a: 1 of 2 resources were not rendered; and others",
    )
    assert join_notes([RunNotes(holes=(note,)) for note in notes]).lines == RunNotes(holes=tuple(notes)).lines


def test_many_notes_in_the_same_words_are_one_line() -> None:
    words = "patches[{0}] has no effect: its target (kind {0}) matches no object"
    notes = tuple(UnitNote((), f"app-{number}/kustomization.yaml: {words.format(number)}") for number in range(10))
    other = UnitNote((), "app-1/kustomization.yaml: something else")

    assert RunNotes(own=(*notes, other)).lines == (
        "app-0/kustomization.yaml: patches[0] has no effect: its target (kind 0) matches no object; the same in"
        " app-1/kustomization.yaml, app-2/kustomization.yaml, app-3/kustomization.yaml and 6 more",
        other.text,
    )
    assert RunNotes(own=notes[:3]).lines == tuple(note.text for note in notes[:3])


def test_one_setting_of_many_objects_is_one_line() -> None:
    settings = [UnitNote((), f"Application a{number}: sync options: X") for number in range(6)]
    other = UnitNote((), "Kustomization a: sync options: X")

    assert RunNotes(assumed=(*settings, other)).lines == (
        "Application a0: sync options: X; the same for a1, a2, a3 and 2 more",
        "Kustomization a: sync options: X",
    )


def test_a_part_missing_in_several_units_is_one_line() -> None:
    notes = tuple(UnitNote((name,), "base: 1 of 2 resources were not rendered") for name in "abcd")

    assert RunNotes(holes=notes).lines == ("base: 1 of 2 resources were not rendered",)


def test_earlier_units_that_could_not_be_read_are_one_line() -> None:
    texts = [f"main could not be read completely: main:{name}.yaml:2: {name} is not rendered: lost" for name in "abcde"]
    notes = tuple(UnitNote((), text) for text in ("it is suspended", *texts))

    assert RunNotes(own=notes[:4]).lines == ("it is suspended", *texts[:3])
    assert RunNotes(own=notes).lines == (
        "it is suspended",
        f"{texts[0]}; the same for main:b.yaml:2, main:c.yaml:2, main:d.yaml:2 and 1 more",
    )
