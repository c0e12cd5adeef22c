"""Selectors that are not written, or written empty."""

from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.checks._selectors import NOTHING, after_apply, is_empty, labels_text, template_labels
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the selector at ``params["path"]`` once if the manifest leaves it ``absent`` or ``empty``.

    ``params["states"]`` says which of the two counts. Keeps quiet where all fields ``params["unless_empty"]`` are
    empty, and where the live object has a selector that the apply keeps, unless ``params["defaulted"]`` says that the
    server fills it in. Facts: labels (of the pod template).
    """
    path = parse(params["path"])
    selector = get(subject.manifest, path)
    state = "absent" if selector is MISSING or selector is None else "empty"
    kept = not params.get("defaulted", False) and not is_empty(get(after_apply(subject), path))
    idle = [get(subject.manifest, parse(text)) in NOTHING for text in params.get("unless_empty", [])]
    if is_empty(selector) and state in params["states"] and not kept and not (idle and all(idle)):
        yield Hit(path, {"labels": labels_text(template_labels(subject.manifest)) or "none"})
