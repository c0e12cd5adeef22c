"""A grace period without effect, because nothing is deleted."""

from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first object of a run whose ``--grace-period`` has no effect. Facts: seconds."""
    flags = subject.flags
    if flags.grace_period >= 0 and not (flags.force or flags.prune) and subject.peers.position == 0:
        yield Hit((), {"seconds": flags.grace_period})
