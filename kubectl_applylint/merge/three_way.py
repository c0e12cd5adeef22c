"""The three-way strategic merge patch: last-applied, manifest and live object in, kubectl's patch out."""

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge import strategic
from kubectl_applylint.merge.conflicts import check_overwrite
from kubectl_applylint.merge.strategic_diff import CHANGES, DELETIONS, diff
from kubectl_applylint.schema.types import Node


def three_way(
    original: JsonObject, modified: JsonObject, current: JsonObject, node: Node, *, overwrite: bool = True
) -> dict[str, Json]:
    """Return the patch that kubectl sends, ``{}`` if nothing; raise ``MergeError`` with kubectl's text.

    Changes come from ``current`` to ``modified``, deletions from ``original`` to ``modified``. With ``overwrite``
    off a change that meets one made in the cluster is an error.
    """
    changes = diff(current, modified, node, CHANGES)
    deletions = diff(original, modified, node, DELETIONS)
    patch = strategic.merge(deletions, changes, node, strategic.Mode.CLIENT)
    if not overwrite:
        check_overwrite(patch, original, current, node)
    return patch
