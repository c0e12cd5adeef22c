"""Objects that two units of one program claim, each for a release, a Kustomization or an app."""

from collections.abc import Mapping

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if another unit of the same program also claims the object.

    With ``params["exclusive"]``, the apply of one of them fails, else each takes the object over from the other.
    Facts: unit (its root), other (the place of the other manifest), other_file, holder (its owner there: name and
    namespace), holder_name, holder_ns (the namespace as a flag, or nothing).
    """
    name = fields("metadata", "name")
    for one in subject.other_units:
        if one.holder is not None and one.holder.is_exclusive is params.get("exclusive", False):
            place, space = str(one.document.locate(())), one.holder.namespace
            facts: Mapping[str, Json] = {
                "unit": one.root,
                "other": place,
                "other_file": one.document.file,
                "holder": str(one.holder),
                "holder_name": one.holder.name,
                "holder_ns": f" -n {space}" if space else "",
            }
            yield Hit(name, facts, ((one.document, name, "also here"),))
            return
