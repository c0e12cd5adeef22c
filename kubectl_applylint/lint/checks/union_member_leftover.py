"""Fields that belong to another type than the selected one."""

from kubectl_applylint.core.paths import Field, get, parse
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.fixes.field_edits import RemoveField
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``type`` once if the applied object contains the field of another type.

    ``params["unions"]`` defines for each kind at which ``path`` which ``type`` excludes which ``field``;
    ``params["written"]`` is whether the manifest itself has that field, or only the live object. Facts: type, field,
    strategy (the name of the block).
    """
    union = params["unions"].get(subject.ref.kind)
    if union is None:
        return
    path, field = parse(union["path"]), Field(union["field"])
    after = after_apply(subject)
    written = get(subject.manifest, (*path, field))
    chosen = get(after, (*path, Field("type"))) == union["type"]
    left = get(after, (*path, field)) not in (MISSING, None)
    if chosen and left and (written not in (MISSING, None)) is params["written"]:
        facts = {"type": union["type"], "field": union["field"], "strategy": union["path"].rpartition(".")[2]}
        yield Hit((*path, Field("type")), facts, edits=(RemoveField((*path, field)),))
