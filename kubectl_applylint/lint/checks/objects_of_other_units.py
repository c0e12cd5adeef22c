"""Objects that another unit of the repository applies to the same target."""

from collections.abc import Mapping

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if another unit applies a different manifest of the object to the same target.

    Facts: unit (its root), other (the place of the other manifest), other_file.
    """
    name = fields("metadata", "name")
    for one in subject.other_units:
        if not equal(one.document.object, subject.manifest):
            place = str(one.document.locate(()))
            facts: Mapping[str, Json] = {"unit": one.root, "other": place, "other_file": one.document.file}
            yield Hit(name, facts, ((one.document, name, "also here"),))
            return
