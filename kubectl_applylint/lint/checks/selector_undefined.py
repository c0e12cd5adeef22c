"""Absent or empty selectors."""

from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.checks._selectors import NOTHING, after_apply, is_empty, labels_text, template_labels
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the selector at ``params["path"]`` once if it is ``absent`` or ``empty`` in the manifest.

    ``params["states"]`` names which of the two count. Skipped if all fields ``params["unless_empty"]`` are empty, or if
    the
    apply keeps a live selector, unless ``params["defaulted"]`` is set: the server then defaults it. Facts: labels (of
    the
    pod template).
    """
    path = parse(params["path"])
    selector = get(subject.manifest, path)
    state = "absent" if selector is MISSING or selector is None else "empty"
    kept = not params.get("defaulted", False) and not is_empty(get(after_apply(subject), path))
    idle = [get(subject.manifest, parse(text)) in NOTHING for text in params.get("unless_empty", [])]
    if is_empty(selector) and state in params["states"] and not kept and not (idle and all(idle)):
        yield Hit(path, {"labels": labels_text(template_labels(subject.manifest)) or "none"})
