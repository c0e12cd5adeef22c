"""Objects with a new name or namespace whose old object stays."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef, Present
from kubectl_applylint.core.values import dig
from kubectl_applylint.lint.checks._names import name_without_hash
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the object had another name in the earlier revision and the old object stays.

    With ``params["volumes"]`` only for objects with their own volumes. Kinds ``params["except"]`` are skipped, and so
    are
    units of tools that delete removed objects. Facts: ``old`` (with its namespace if that is another one), ``there``
    (with its namespace, for kubectl).
    """
    old = subject.cluster_diff.renamed.get(subject.ref.identity)
    if (
        old is None
        or subject.flags.unit_prunes
        or name_without_hash(subject.ref.name)
        or old.kind in params.get("except", ())
    ):
        return
    stays = isinstance(subject.cluster_diff.after(old), Present)
    if stays and (_has_volumes(subject) or not params.get("volumes", False)):
        called = str(old) if old.namespace == subject.ref.namespace else _argument(old)
        yield Hit(fields("metadata", "name"), {"old": called, "there": _argument(old)})


def _has_volumes(subject: Subject) -> bool:
    """Return whether an object is a claim or creates claims."""
    templates = dig(subject.manifest, "spec", "volumeClaimTemplates")
    return subject.ref.kind == "PersistentVolumeClaim" or (isinstance(templates, list) and bool(templates))


def _argument(ref: ObjectRef) -> str:
    """Return an object as arguments for kubectl."""
    return f"{ref} -n {ref.namespace}" if ref.namespace else str(ref)
