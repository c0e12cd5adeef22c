"""The history of a Helm release as a cluster or snapshot has stored it."""

from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.lint.subjects import place
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.sources.cluster.helm_releases import StoredRelease, stored_releases
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision

_UNSEEN: Final = "has no Secrets, so what its Helm release has stored is not known"


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """The revisions of a release, oldest first, or why they are not known."""

    revisions: tuple[ReleaseRevision, ...] = ()
    unknown: str = ""
    problems: tuple[Problem, ...] = ()


def read_history(release: Release, storage_namespace: str, source: LiveSource, schema: Schema) -> StoredHistory:
    """Return the history of a release, whose Secrets are in ``storage_namespace``."""
    secrets = source.of_kinds(["secrets"], [storage_namespace])
    found, damaged = stored_releases(secrets.objects, release.name, storage_namespace)
    problems = (*secrets.problems, *damaged, *(problem for each in found for problem in each.given.problems))
    if problems:
        return StoredHistory(unknown="what its Helm release has stored could not be read", problems=problems)
    if source.age_seconds is not None and not any(item.get("kind") == "Secret" for item in secrets.objects):
        return StoredHistory(unknown=f"the {source.origin} {_UNSEEN}")
    return StoredHistory(tuple(_revision(each, release, schema) for each in found))


def _revision(stored_release: StoredRelease, release: Release, schema: Schema) -> ReleaseRevision:
    """Return a stored revision, with namespaces filled in."""
    placed = (place(document, schema, release.namespace) for document in stored_release.given.documents)
    manifests = tuple(document.object for document in placed)
    return ReleaseRevision(stored_release.version, stored_release.status, manifests, stored_release.apply_method)
