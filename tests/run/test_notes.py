from kubectl_applylint.run.notes import Gaps, join_gaps
from kubectl_applylint.sources.text.classify import SkipReason


def test_the_gaps_of_several_runs_are_told_together() -> None:
    one = Gaps((SkipReason.OTHER,), frozenset({("a.example.com/v1", "A")}))
    two = Gaps((SkipReason.OTHER, SkipReason.HELM), frozenset({("a.example.com/v1", "A"), ("b.example.com/v1", "B")}))

    assert list(join_gaps([one, two]).lines) == [
        "skipped non-manifests: 1 × Helm template, 2 × YAML file that is not a manifest",
        "no schema for A in a.example.com/v1, B in b.example.com/v1; treated as custom resources (lists replaced, not"
        " merged)",
    ]


def test_many_kinds_are_counted() -> None:
    (line,) = Gaps((), frozenset((f"{letter}.example.com/v1", letter) for letter in "abcdefg")).lines

    assert line.startswith("no schema for a in a.example.com/v1, b in b.example.com/v1,")
    assert "e in e.example.com/v1 and 2 more kinds; treated" in line


def test_nothing_is_said_where_nothing_is_missing() -> None:
    assert list(join_gaps([]).lines) == []
