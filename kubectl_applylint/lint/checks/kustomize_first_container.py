"""Containers that a kustomization inserts before the first one of the file."""

from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.checks._rendered import containers
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import POD_SPECS, kind_of


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``params["list"]`` of the pods once if the first entry is no longer that of the file.

    Skipped if an annotation names the default container. Facts: ``first``, ``was``.
    """
    for path, before, after in containers(subject):
        names = [container["name"] for container in after]
        if path[-1:] != fields(params["list"]) or not before or before[0]["name"] not in names[1:]:
            continue
        template = fields(*POD_SPECS[kind_of(subject.document)][:-1])
        chosen = get(subject.manifest, (*template, *fields("metadata", "annotations", *params["unless"])))
        if chosen is MISSING or not params["unless"]:
            yield Hit(path, {"first": names[0], "was": before[0]["name"]})
