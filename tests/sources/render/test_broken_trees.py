"""Kustomizations with a broken part, against the real kubectl."""

from pathlib import Path

import pytest

from tests.sources.render.broken_trees import PARTS, BrokenTree, difference, trees

pytestmark = pytest.mark.slow  # kubectl runs several times in every test


@pytest.mark.parametrize("one", [*trees("sample", 2 * len(PARTS))], ids=lambda one: one.name)
def test_the_rest_is_what_the_whole_gives_without_the_part(
    one: BrokenTree, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")

    assert difference(one, str(kubectl)) == ""
