"""Values of ``--against``."""

from pathlib import Path

import pytest

from kubectl_applylint.run.compare.against import Against, AgainstKind, read_against


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("none", Against(AgainstKind.NONE)),
        ("live", Against(AgainstKind.LIVE)),
        ("last-applied", Against(AgainstKind.LAST_APPLIED)),
        ("last-applied:prod.json", Against(AgainstKind.LAST_APPLIED, "there/prod.json")),
        ("snapshot:a:b.yaml", Against(AgainstKind.SNAPSHOT, "there/a:b.yaml")),
        ("dir:/before", Against(AgainstKind.DIR, "/before")),
        ("file:before.yaml", Against(AgainstKind.FILE, "there/before.yaml")),
        ("main...", Against(AgainstKind.GIT, "main...")),
        ("git:none", Against(AgainstKind.GIT, "none")),
    ],
)
def test_a_text_names_what_is_compared_with(text: str, wanted: Against) -> None:
    assert read_against(text, Path("there")) == wanted


@pytest.mark.parametrize("text", ["", "dir", "dir:", "none:x", "-x", "a b"])
def test_invalid_texts_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="or a git revision"):
        read_against(text)


@pytest.mark.parametrize("text", ["...", "..", "..main", "git:...main"])
def test_a_range_has_a_revision_before_its_dots(text: str) -> None:
    with pytest.raises(ValueError, match="has no revision before the dots"):
        read_against(text)


@pytest.mark.parametrize("text", ["snapshot:prod.json", "live", "last-applied"])
def test_an_earlier_state_is_printed_as_it_is_read(text: str) -> None:
    assert str(read_against(text)) == text


def test_only_live_objects_are_asked_of_a_cluster() -> None:
    asking = ("live", "last-applied", "last-applied:prod.json", "snapshot:prod.json", "none", "main")

    assert [text for text in asking if read_against(text).asks_cluster] == ["live", "last-applied"]
