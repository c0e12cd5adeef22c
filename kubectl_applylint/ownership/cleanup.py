"""The later deletion of an object: by the recommended command and by ``kubectl apply --prune``."""

from collections.abc import Mapping, Sequence
from shlex import quote

from kubectl_applylint.appliers.last_applied import annotation_of
from kubectl_applylint.appliers.prune import ByLabels
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.selector import parse as parse_selector
from kubectl_applylint.core.state import labels_of
from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.deletion import consequences
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, mode_of
from kubectl_applylint.ownership.commands import (
    apply_command,
    is_rendered_with,
    manifest_command,
    object_words,
    of_whole,
)
from kubectl_applylint.ownership.step import Cleanup


def cleanup(subject: Subject, live: JsonObject | None, cluster: ClusterModel) -> Cleanup:
    """Return the deletion of a subject's object; ``cluster`` has the objects that a prune may delete as well."""
    document = subject.document
    beside = [f"{peer.ref}, which is in the same file" for peer in subject.peers if _is_in_file_of(document, peer)]
    also = (*(consequences(live, cluster) if live is not None else ()), *beside)
    delete = f"kubectl delete {object_words(subject.ref)}"
    if document.rendering is None:
        delete = manifest_command("kubectl delete", [subject])
    others = [peer for peer in subject.peers if _is_pruned_with(document, peer)]
    labels = ",".join(f"{name}={value}" for name, value in _common_labels([document, *others]).items())
    no_prune = _no_prune(live, others, labels)
    if no_prune:
        return Cleanup(delete, also, "", (), no_prune)
    ref = subject.ref
    prune = ByLabels(parse_selector(labels), frozenset({(ref.group, ref.kind)}), ref.namespace)
    pruned = prune.targets(cluster.objects, [ref, *(other.ref for other in others)])
    version = ref.api_version if ref.group else f"core/{ref.api_version}"
    flags = f" --prune -l {quote(labels)} --prune-allowlist={version}/{ref.kind}"
    folder = replace(subject, document=replace(document, file=_folder(document)))
    return Cleanup(delete, also, apply_command(CLIENT_SIDE, [of_whole(folder)], more=flags), tuple(pruned), "")


def _is_in_file_of(document: Document, peer: Document) -> bool:
    """Return whether a peer is in the same file as a document."""
    return document.rendering is None and peer.file == document.file


def _is_pruned_with(document: Document, peer: Document) -> bool:
    """Return whether an apply with ``--prune`` includes both documents: rendered together, or in one folder."""
    if document.rendering or peer.rendering:
        return is_rendered_with(document, peer)
    return peer.file != document.file and _folder(peer) == _folder(document)


def _folder(document: Document) -> str:
    """Return the folder of a document's file."""
    return document.file.rpartition("/")[0] or "."


def _common_labels(documents: Sequence[Document]) -> Mapping[str, str]:
    """Return the labels that all these manifests have: ``-l`` also selects the applied objects."""
    first, *rest = ({**labels_of(each.object)} for each in documents)
    common = {name: value for name, value in first.items() if all(equal(other.get(name), value) for other in rest)}
    return {name: value for name, value in common.items() if _is_selectable(name, value)}


def _is_selectable(name: str, value: Json) -> bool:
    """Return whether a selector can contain a label."""
    try:
        return isinstance(value, str) and bool(parse_selector(f"{name}={value}"))
    except ValueError:
        return False


def _no_prune(live: JsonObject | None, others: Sequence[Document], labels: str) -> str:
    """Return why no apply prunes the object; empty if one does."""
    if live is not None and mode_of(live).is_server_side and annotation_of(live) is None:
        return "apply --prune deletes only objects that were applied client-side"
    if not others:
        return "apply --prune needs other manifests in the folder: name the folder with -f to see what it would delete"
    return "" if labels else "the manifests of the folder have no common label for apply --prune -l"
