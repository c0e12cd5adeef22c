"""Whether any unit of the cluster has an object after the change."""

from kubectl_applylint.core.state import Absent, ObjectRef
from kubectl_applylint.engine.placeholders import is_unfinished
from kubectl_applylint.lint.model import Subject


def is_in_no_unit(subject: Subject, ref: ObjectRef) -> bool:
    """Return whether no unit has an object: false if one of them was not rendered completely, or its name is not known.

    Objects that others of the run or the cluster declare count as well.
    """
    is_known = is_unfinished([ref.name, ref.namespace]) or any(subject.peers.at(ref))
    return not is_known and isinstance(subject.cluster_diff.units().state(ref), Absent)
