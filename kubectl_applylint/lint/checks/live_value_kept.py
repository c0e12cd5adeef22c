"""Live values without a manifest that the apply keeps and that counteract it."""

from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``params["path"]`` once if it is ``params["equals"]`` before and after, but not in the manifest."""
    path, value = parse(params["path"]), params["equals"]
    stays = equal(get(live_object(subject.state.live), path), value) and get(subject.manifest, path) is MISSING
    if stays and equal(get(subject.predict(Scenario.APPLY).result, path), value):
        yield Hit(path)
