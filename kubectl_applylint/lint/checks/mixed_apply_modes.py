"""Objects that are applied client-side and server-side in turn."""

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.kubectl_server import is_migrated
from kubectl_applylint.core.state import Present
from kubectl_applylint.lint.checks._owners import live_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if one applier left traces of both apply modes.

    That applier is kubectl under its own name, or the manager of a server-side apply. Facts: manager.
    """
    live = subject.state.live
    if not isinstance(live, Present):
        return
    managers = live_managers(subject)
    hands = {Flags(server_side=True).manager, *([subject.flags.manager] if subject.flags.server_side else [])}
    applied = sorted(each.name for each in managers if each.operation == "Apply" and each.name in hands)
    if applied and any(is_migrated(each, owned) for each, owned in managers.items()):
        yield Hit((), {"manager": applied[0]})
