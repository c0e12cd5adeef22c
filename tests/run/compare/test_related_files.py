import pytest

from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.run.compare.related_files import folder_distance, related_paths

SERVICE = b"kind: Service\nmetadata:\n  name: web\n"
QUERY: IndexQuery = {"Service": frozenset({"web"}), "Ingress.networking.k8s.io": frozenset({"shop.example.com"})}


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param(SERVICE, True, id="the kind and a word"),
        pytest.param(b'{"kind": "Service", "name": "web"}', True, id="as JSON"),
        pytest.param(b"kind: 'Ingress'\nhost: shop.example.com\n", True, id="a kind of a group"),
        pytest.param(b"kind: Deployment\nname: web\n", False, id="another kind"),
        pytest.param(b"kind: Ingress\nname: web\n", False, id="the word of another kind"),
        pytest.param(b"kind: Service\nname: webs\n", False, id="the begin of a word"),
        pytest.param(b"kind: Service\nname: my-web\n", False, id="the end of a word with a dash"),
        pytest.param(b"kind: Service\nname: web.example\n", False, id="the begin of a word with a dot"),
        pytest.param(b"kind: Service\nmark: kind\n", False, id="no word"),
        pytest.param(b"kinds: Service\nname: web\n", False, id="no kind"),
        pytest.param(b"kind: Pod\n---\nkind: Service\nname: web\n", True, id="one of several"),
        pytest.param(b"", False, id="empty"),
    ],
)
def test_a_related_text_has_the_kind_and_a_word(text: bytes, is_found: bool) -> None:
    assert related_paths({"a.yaml": text}, QUERY) == (["a.yaml"] if is_found else [])


@pytest.mark.parametrize(("count", "is_found"), [(50, True), (51, False)])
def test_a_word_in_very_many_files_is_ignored(count: int, is_found: bool) -> None:
    texts = {f"{number}.yaml": SERVICE for number in range(count)}

    assert related_paths(texts, QUERY) == (list(texts) if is_found else [])


def test_a_query_without_words_finds_nothing() -> None:
    assert related_paths({"a.yaml": SERVICE}, {}) == related_paths({"a.yaml": SERVICE}, {"Service": frozenset()}) == []


@pytest.mark.parametrize(
    ("folders", "path", "steps"),
    [
        pytest.param({"a/b"}, "a/b/x.yaml", 0, id="in it"),
        pytest.param({"a/b"}, "a/x.yaml", 1, id="above"),
        pytest.param({"a/b"}, "a/c/x.yaml", 2, id="beside"),
        pytest.param({"a/b"}, "a/bc/x.yaml", 2, id="beside, alike by name"),
        pytest.param({"a/b", "c"}, "c/d/x.yaml", 1, id="the nearest"),
        pytest.param(set(), "c/x.yaml", 0, id="no folder"),
    ],
)
def test_the_distance_of_a_path_counts_folders_up_and_down(folders: set[str], path: str, steps: int) -> None:
    assert folder_distance(folders, path) == steps
