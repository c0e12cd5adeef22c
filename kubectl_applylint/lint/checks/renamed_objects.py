"""Objects that got another name or namespace, while the old one stays."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef, Present
from kubectl_applylint.core.values import dig
from kubectl_applylint.lint.checks._names import stem
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the earlier revision calls the object otherwise and that one stays.

    With ``params["volumes"]`` the rule is about objects with volumes of their own alone. Kinds ``params["except"]`` are
    left out, and units of tools that delete what leaves them. Facts: ``old`` (with its namespace if that is another
    one), ``there`` (with its namespace, for kubectl).
    """
    old = subject.cluster_diff.renamed.get(subject.ref.identity)
    if old is None or subject.flags.unit_prunes or stem(subject.ref.name) or old.kind in params.get("except", ()):
        return
    stays = isinstance(subject.cluster_diff.after(old), Present)
    if stays and (_has_volumes(subject) or not params.get("volumes", False)):
        called = str(old) if old.namespace == subject.ref.namespace else _argument(old)
        yield Hit(fields("metadata", "name"), {"old": called, "there": _argument(old)})


def _has_volumes(subject: Subject) -> bool:
    templates = dig(subject.manifest, "spec", "volumeClaimTemplates")
    return subject.ref.kind == "PersistentVolumeClaim" or (isinstance(templates, list) and bool(templates))


def _argument(ref: ObjectRef) -> str:
    return f"{ref} -n {ref.namespace}" if ref.namespace else str(ref)
