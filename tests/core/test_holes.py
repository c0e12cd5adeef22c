"""Identity of holes in two revisions."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.holes import Hole, HoleChange, compare_holes

BASE = Hole("k/kustomization.yaml:2:3", "resources[0]: https://x: a URL", "1", "a")
MOVED = Hole("k/kustomization.yaml:3:3", "resources[1]: https://x: a URL", "1", "a")
NEWER = Hole("k/kustomization.yaml:2:3", "resources[0]: https://y: a URL", "2", "a")
PATCHED = Hole("k/kustomization.yaml:2:3", "resources[0]: https://x: a URL", "1", "b")
PLUGIN = Hole("k/kustomization.yaml:5:3", "generators[0]: x.yaml: a plugin", "3", "a")


@pytest.mark.parametrize(
    ("was", "now", "changes"),
    [
        ([], [], []),
        ([BASE], [MOVED], [HoleChange.NONE]),
        ([BASE], [NEWER], [HoleChange.DIFFERENT]),
        ([BASE], [PATCHED], [HoleChange.DIFFERENT]),
        ([], [BASE], [HoleChange.NEW]),
        ([BASE], [], [HoleChange.GONE]),
        ([BASE], [PLUGIN], [HoleChange.NEW, HoleChange.GONE]),
        ([BASE, BASE], [BASE], [HoleChange.NONE, HoleChange.GONE]),
        ([BASE], [BASE, MOVED], [HoleChange.NONE, HoleChange.NEW]),
        ([replace(BASE, is_refused=True)], [], []),
    ],
)
def test_a_hole_is_compared_by_its_identity(was: list[Hole], now: list[Hole], changes: list[HoleChange]) -> None:
    found = compare_holes(was, now)

    assert [one.change for one in found] == changes
    assert [one.is_changed for one in found] == [bool(change) for change in changes]
    assert not any(one.digest for one in found)
