"""The alternatives of a fix."""

import pytest

from kubectl_applylint.lint.fixes.alternatives import FixAlternative, fix_alternatives, parts


@pytest.mark.parametrize(
    ("fix", "found"),
    [
        ("", [("", ())]),
        ("kubectl apply -f a", [("", ("kubectl apply -f a",))]),
        (
            "# keep it\nkubectl apply -f a\n# or, to remove it\nkubectl delete -f a",
            [("keep it", ("kubectl apply -f a",)), ("to remove it", ("kubectl delete -f a",))],
        ),
        ("# or replace it\nkubectl delete -f a", [("replace it", ("kubectl delete -f a",))]),
        (
            "# 元に戻す\nkubectl apply -f a\n# または、置き換える\nkubectl delete -f a",
            [("元に戻す", ("kubectl apply -f a",)), ("置き換える", ("kubectl delete -f a",))],
        ),
        ("# write:\n#   a: b\n# then\nkubectl apply -f a", [("write: a: b", ("# then", "kubectl apply -f a"))]),
        ("# order it\nprintf x |\n  kubectl apply -f -", [("order it", ("printf x |", "  kubectl apply -f -"))]),
    ],
    ids=["none", "a command", "two", "the other alone", "Japanese", "long comments", "long commands"],
)
def test_alternatives_have_titles_and_lines(fix: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(one.title, one.lines) for one in fix_alternatives(fix)] == found


def test_the_parts_of_all_alternatives_are_those_of_the_fix() -> None:
    fix = "# keep it\nkubectl apply -f a\n# or, to remove it\nkubectl delete -f a"

    assert [part for one in fix_alternatives(fix) for part in one.parts] == [*parts(fix)]
    assert fix_alternatives("")[0] == FixAlternative(())
