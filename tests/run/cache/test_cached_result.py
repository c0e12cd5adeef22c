"""The result of a unit can be cached."""

import pickle

from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.cache.cached_result import CachedResult
from kubectl_applylint.run.notes import NO_GAPS
from kubectl_applylint.units.model import Form, Unit


def test_a_result_is_the_same_after_it_was_pickled() -> None:
    unit = Unit("a", Form.FOLDER, frozenset({"a/web.yaml"}))
    result = CachedResult(unit, Report(notes=("one",)), ("one",), NO_GAPS, (), frozenset({"web"}), (unit,), frozenset())

    assert pickle.loads(pickle.dumps(result)) == result
