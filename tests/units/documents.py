"""Documents of tools for tests: from text, and from any JSON."""

from textwrap import dedent

from hypothesis import strategies as st

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.units.finder import NO_CLUSTER, DeclaringObjects


def documents(text: str, file: str = "apps.yaml") -> tuple[Document, ...]:
    """Return the objects of a text."""
    found = read_text(dedent(text), file)
    assert not found.problems
    return found.documents


def cluster_documents(text: str) -> DeclaringObjects:
    """Return the objects of a text as those of files that no declared unit renders."""
    return {NO_CLUSTER: documents(text)}


def document(value: Json) -> Document:
    """Return a document that holds any JSON object."""
    return Document("x.yaml", 0, value, ref_of(value), InCluster())


def jsons(*keys: str) -> st.SearchStrategy[Json]:
    """Return any JSON values whose objects mostly have these keys."""
    texts = st.sampled_from(
        ["", ".", "..", "./a", "/a", "a/b", "{{path}}", "{{ .path.path }}", "a\0", "[", "**", *keys]
    )
    scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts, st.text(max_size=5))
    names = st.sampled_from(keys) | st.text(max_size=3)
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=6), max_leaves=25
    )
