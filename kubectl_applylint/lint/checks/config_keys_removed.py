"""Entries that are removed from a ConfigMap or Secret while pods require them."""

from kubectl_applylint.core.paths import fields, render
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.checks._entries import entries
from kubectl_applylint.lint.checks._graph import names, referrers_of
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the data once for each removed entry that an object of the run refers to by name.

    Facts: ``key``, ``users``, ``where`` (the first reference).
    """
    gone = entries(mapping(live_object(subject.state.live))).keys() - entries(after_apply(subject)).keys()
    named = referrers_of(subject) if gone else ()
    found = [(peer, one) for peer, one in named if one.key in gone and not one.is_optional]
    for key in sorted({one.key for _, one in found}):
        here = [(peer, one) for peer, one in found if one.key == key]
        facts = {"key": key, "users": names([peer for peer, _ in here]), "where": render(here[0][1].path)}
        yield Hit(fields("data", key), facts, tuple((peer, one.path, "needed here") for peer, one in here))
