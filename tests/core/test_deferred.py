import pickle
from collections.abc import Sequence

from kubectl_applylint.core.deferred import Deferred


def record_call(asked: list[str], items: Sequence[int]) -> Sequence[int]:
    asked.append("made")
    return items


def test_a_deferred_value_is_created_once_on_first_use() -> None:
    asked: list[str] = []
    found = Deferred(lambda: record_call(asked, [1, 2]))

    assert asked == []
    assert (list(found), len(found), found[0], found[1:]) == ([1, 2], 2, 1, (2,))
    assert asked == ["made"]


def test_a_deferred_value_is_equal_to_its_tuple() -> None:
    found = Deferred(lambda: [1, 2])

    assert found == (1, 2)
    assert found == (1, 2)
    assert found == Deferred(lambda: (1, 2))
    assert found != (1,)
    assert hash(found) == hash((1, 2))
    assert repr(found) == "(1, 2)"


def test_nothing_is_false() -> None:
    assert not Deferred[int](lambda: ())


def test_a_deferred_value_pickles_as_its_tuple() -> None:
    assert pickle.loads(pickle.dumps(Deferred(lambda: [1, 2]))) == (1, 2)
