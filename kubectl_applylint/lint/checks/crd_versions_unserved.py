"""Versions that a CustomResourceDefinition no longer serves."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import JsonObject, dig, mapping, objects_at
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.versions`` once for each version that is no longer served: removed or disabled.

    The objects of the run in that version are related places. Facts: version (with its group), served (those that
    stay).
    """
    if subject.predict(Scenario.APPLY).refused:
        return
    before, after = _served_versions(mapping(live_object(subject.state.live))), _served_versions(after_apply(subject))
    group, kind = dig(subject.manifest, "spec", "group"), dig(subject.manifest, "spec", "names", "kind")
    for version in (f"{group}/{name}" for name in before if name not in after):
        users = [peer for peer in subject.peers if (peer.ref.api_version, peer.ref.kind) == (version, kind)]
        related = tuple((peer, fields("apiVersion"), "written in it") for peer in users)
        yield Hit(fields("spec", "versions"), {"version": version, "served": ", ".join(after) or "-"}, related)


def _served_versions(definition: JsonObject) -> list[str]:
    versions = objects_at(definition, "spec", "versions")
    return [str(version.get("name")) for version in versions if version.get("served") is True]
