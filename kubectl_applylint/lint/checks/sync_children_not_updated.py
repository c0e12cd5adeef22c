"""Children that Metacontroller does not update although they differ from the desired ones."""

from kubectl_applylint.core.state import Present
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.tools.metacontroller.children import UpdateMethod
from kubectl_applylint.tools.metacontroller.write import differences, field_summary, merge_child


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the child once if its update method is OnDelete and any other method would change it. Facts: fields."""
    sync, live = subject.flags.sync, subject.state.live
    if sync is None or not isinstance(live, Present) or subject.predict(Scenario.APPLY).refused:
        return
    new = merge_child(live.object, sync.with_controller_marks(subject.manifest, live.object))
    changed = differences(live.object, new)
    is_left = sync.method(subject.ref, subject.kind) is UpdateMethod.ON_DELETE and not sync.disowns(live.object)
    if is_left and changed:
        yield Hit((), {"fields": field_summary(changed)})
