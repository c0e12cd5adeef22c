"""Lists whose observed order a sync by Metacontroller keeps instead of the desired one."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.lint.checks._lists import is_in_scope
from kubectl_applylint.lint.checks._sync import synced_values
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.merge.dynamic import by_key


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each list in a field of ``params["only"]`` that is stored in another order than desired. Facts: list."""
    for meeting in synced_values(subject):
        if not meeting.lists or not meeting.key or not is_in_scope(meeting.path[-1:], params):
            continue
        wanted = [*by_key(meeting.lists[2], meeting.key)]
        stored = [name for name in by_key(meeting.stored, meeting.key) if name in wanted]
        if stored != wanted:
            yield Hit(meeting.path, {"list": render(meeting.path)})
