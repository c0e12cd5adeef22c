"""Charts, versions, tags and branches that their source does not have, by its recorded answer."""

from collections.abc import Mapping

from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field that names something that its source does not have.

    Facts: source (its URL), wanted (what it does not have), asked (the day of the answer), hint (what it has, after a
    semicolon, empty if that is not known).
    """
    for one in subject.cluster_diff.absent_sources(subject.document, subject.peers):
        hint = one.hint and f"; {one.hint}"
        facts: Mapping[str, Json] = {"source": one.source, "wanted": one.wanted, "asked": one.asked, "hint": hint}
        yield Hit(one.path, facts)
