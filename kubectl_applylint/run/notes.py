"""What a run says of its input beside problems and findings, in words for people."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.schema.served import standing_in
from kubectl_applylint.schema.types import Gvk, Schema
from kubectl_applylint.sources.manifests import Input


def left_out(given: Input, unselected: int) -> Iterator[str]:
    """Yield what is not examined, what is no manifest and what the selector does not choose, and other remarks."""
    yield from (f"{file}: {words}" for file, words in given.remarks)
    numbers = Counter(skipped.why for skipped in given.skipped)
    if numbers:
        words = ", ".join(f"{number} × {why}" for why, number in sorted(numbers.items()))
        yield f"skipped non-manifests: {words}"
    if unselected:
        yield f"skipped, not matching the selector: {unselected} object{'s' * (unselected > 1)}"


def unfamiliar(schema: Schema, placed: Sequence[Document]) -> Iterator[str]:
    """Yield what the schema does not know, and what is taken for it."""
    if schema.version != schema.asked:
        yield f"no schema for Kubernetes {schema.asked}, using {schema.version}"
    kinds = {(document.ref.api_version, document.ref.kind) for document in placed}
    strange = ((version, kind) for version, kind in kinds if schema.kind(version, kind) is None)
    unknown = sorted(f"{gvk[1]} in {gvk[0]}" for gvk in strange if not standing_in(schema, gvk).is_refused)
    if unknown:
        yield f"no schema for {', '.join(unknown)}; treated as custom resources (lists replaced, not merged)"


def unserved_kinds(placed: Sequence[Document], unserved: Mapping[Gvk, str]) -> Iterator[Problem]:
    """Yield for each kind that the cluster does not serve where it stands first; ``unserved`` has what may help."""
    for gvk, advice in unserved.items():
        found = [document for document in placed if (document.ref.api_version, document.ref.kind) == gvk]
        if found:
            more = f" ({len(found)} objects)" if len(found) > 1 else ""
            message = f"the cluster has no kind {gvk[1]} in {gvk[0]}, so kubectl apply rejects it{more}"
            yield Problem(str(found[0].locate((Field("kind"),))), message, advice)
