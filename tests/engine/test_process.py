"""Knowledge about an object that an applier may not reach."""

from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.process import is_rejected

REF = ObjectRef("v1", "ConfigMap", "shop", "c")


def test_only_a_predicted_rejection_is_a_failure() -> None:
    assert is_rejected(Outcome(REF, Verdict.REJECTED))
    assert not is_rejected(Outcome(REF, Verdict.CREATED))
    assert not is_rejected(PredictionError("not known"))
