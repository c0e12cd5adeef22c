"""Whether any unit of the cluster has an object after the change."""

from kubectl_applylint.core.state import Absent, ObjectRef
from kubectl_applylint.lint.model import Subject


def is_in_no_unit(subject: Subject, ref: ObjectRef) -> bool:
    """Return whether no unit has an object: false if one of them was not rendered completely.

    Objects that others of the run or the cluster declare count as well.
    """
    return not any(subject.peers.at(ref)) and isinstance(subject.cluster_diff.units().state(ref), Absent)
