from kubectl_applylint.run.notes import Gaps, join_gaps
from kubectl_applylint.sources.text.classify import SkipReason


def test_the_gaps_of_several_runs_are_reported_together() -> None:
    one = Gaps((SkipReason.OTHER,), ((("a.example.com/v1", "A"), 1),))
    two = Gaps((SkipReason.OTHER, SkipReason.HELM), ((("a.example.com/v1", "A"), 1), (("b.example.com/v1", "B"), 3)))

    assert list(join_gaps([one, two]).lines) == [
        "skipped non-manifests: 1 × Helm template, 2 × YAML file that is not a manifest",
        "not validated, because no definition of the kind was found: 3 B (b.example.com/v1), 2 A (a.example.com/v1)",
    ]


def test_bundled_definitions_are_named_with_their_objects() -> None:
    gaps = join_gaps([Gaps(bundled=(("a v1", 1),)), Gaps(bundled=(("a v1", 1), ("b v2", 3)))])

    assert list(gaps.lines) == [
        "compared with bundled definitions, of which the cluster may have other versions: 3 of b v2, 2 of a v1"
    ]


def test_many_kinds_are_counted() -> None:
    (line,) = Gaps((), tuple(((f"{letter}.example.com/v1", letter), 1) for letter in "abcdefg")).lines

    assert ": 1 a (a.example.com/v1), 1 b (b.example.com/v1)," in line
    assert line.endswith("1 e (e.example.com/v1) and 2 more kinds")


def test_complete_input_has_no_notes() -> None:
    assert list(join_gaps([]).lines) == []
