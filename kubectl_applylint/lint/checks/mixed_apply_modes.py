"""Objects that are applied client-side and server-side by turns."""

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.kubectl_server import is_migrated
from kubectl_applylint.core.state import Present
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.merge.managed_fields import read


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if one hand left traces of both ways of applying.

    That hand is kubectl under its own name, and in a server-side apply the manager of that. Facts: manager.
    """
    live = subject.state.live
    if not isinstance(live, Present):
        return
    managers = read(live.object)
    hands = {Flags(server_side=True).manager, *([subject.flags.manager] if subject.flags.server_side else [])}
    applied = sorted(each.name for each in managers if each.operation == "Apply" and each.name in hands)
    if applied and any(is_migrated(each, owned) for each, owned in managers.items()):
        yield Hit((), {"manager": applied[0]})
