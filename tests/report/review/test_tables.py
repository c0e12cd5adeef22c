from dataclasses import replace

import pytest

from kubectl_applylint.report.facts.charts import ChartChange
from kubectl_applylint.report.facts.definition_changes import DefinitionChange
from kubectl_applylint.report.facts.facts import NO_FACTS, ClusterChange, Facts
from kubectl_applylint.report.facts.images import ImageChange
from kubectl_applylint.report.review.tables import fact_blocks
from tests.report.facts.test_facts_json import FACTS

SHA = "sha256:" + "0123456789abcdef" * 4


def blocks(facts: Facts, room: int = 20_000) -> tuple[str, ...]:
    return fact_blocks(facts, room).blocks


def test_facts_are_tables_and_lines() -> None:
    assert blocks(FACTS) == (
        "- <b>prod</b>: 2 units: 1 restarted, 3 configured\n- <b>other units</b>: 1 unit: ",
        "| image | change | objects |\n|---|---|---|\n| web | 1 → 2 | deployment.apps/web in shop and 1 more |",
        "| chart | version | application | releases |\n|---|---|---|---|\n"
        "| web | 1.0.0 → 1.1.0 | v1 → v2 | HelmRelease/shop/web |",
        "- webs.shop: 1 version removed (v1); 1 version added (v2); 1 field removed (spec.b); 1 field added (spec.a)",
        "- only chart labels, checksums and CA bundles change in 3 objects: 2 × Service, 1 × ConfigMap",
    )
    assert blocks(NO_FACTS) == ()


@pytest.mark.parametrize(
    ("before", "after", "row"),
    [
        ("", "web:2", "| web | added 2 | a |"),
        ("web:1", "", "| web | removed 1 | a |"),
        ("", "web", "| web | added without a tag | a |"),
        ("web:1", "a.io/web:1", "| web → a.io/web | 1 | a |"),
        ("web", "web:2", "| web | without a tag → 2 | a |"),
        (f"web:1@{SHA}", f"web:2@{SHA}", f"| web | 1&#64;&#8203;{SHA[:14]} → 2&#64;&#8203;{SHA[:14]} | a |"),
        (f"web@{SHA}", f"web@{SHA[::-1]}", None),
    ],
)
def test_a_row_has_the_repository_once_and_short_digests(before: str, after: str, row: str | None) -> None:
    (table,) = blocks(Facts(images=(ImageChange(before, after, ("a",)),)))

    assert row is None or table.splitlines()[-1] == row


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (ChartChange("web", "1.0", "1.1", "v1", "v1", ("a", "b")), "1.0 → 1.1 | v1 | a and 1 more"),
        (ChartChange("web", "", "1.1", "", "v1", ("a",)), "added 1.1 | v1 | a"),
        (ChartChange("web", "1.0", "", "", "", ("",)), "removed 1.0 |  | "),
    ],
)
def test_rows_of_charts(change: ChartChange, words: str) -> None:
    (table,) = blocks(Facts(charts=(change,)))

    assert table.endswith(f"| web | {words} |")


def test_many_fields_are_counted() -> None:
    many = DefinitionChange("a", (), (), tuple(f"spec.{name}" for name in "abcdefg"), ())

    assert blocks(Facts(definitions=(many,))) == (
        "- a: 7 fields added (spec.a, spec.b, spec.c, spec.d, spec.e and 2 more)",
    )


def test_a_long_table_is_folded_and_what_does_not_fit_is_counted() -> None:
    images = tuple(ImageChange(f"web-{number}:1", f"web-{number}:2", ("a",)) for number in range(200))
    (whole,) = blocks(Facts(images=images), 40_000)
    (cut,) = blocks(Facts(images=images), 4_000)

    assert whole.startswith("<details>\n<summary><b>200 images</b></summary>\n\n| image |")
    assert whole.count(" → ") == 200
    assert len(cut) <= 1_000
    assert f"\n\n{200 - cut.count(' → ')} more images\n\n</details>" in cut


@pytest.mark.parametrize("room", [0, 100, 400, 1_000, 2_000])
def test_facts_never_need_more_than_their_room(room: int) -> None:
    clusters = tuple(ClusterChange(f"c{number}", 1, (("configured", 1),)) for number in range(20))
    noise = tuple((f"Kind{number}", 1) for number in range(9))
    every = replace(FACTS, clusters=clusters, images=FACTS.images * 5, noise=noise)

    assert sum(len(block) + 2 for block in blocks(every, room)) <= room
