import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.units.object_names import have_duplicate_objects, is_template, names

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web").identity
PLAIN = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  name: other\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PLAIN, id="written plainly"),
        pytest.param(f"# a comment\n---\n{PLAIN}---\n", id="between separators"),
        pytest.param(PLAIN.replace("web", '"web" # it'), id="quotes and a comment"),
        pytest.param(PLAIN.replace("\n", "\r\n"), id="line ends of Windows"),
        pytest.param(
            "kind: Deployment\nmetadata: {name: web, namespace: shop}\napiVersion: apps/v1\n", id="a flow mapping"
        ),
        pytest.param(
            PLAIN.replace("metadata:\n", "metadata:\n  labels:\n    name: x\n"),
            id="labels have names, too",
        ),
        pytest.param(
            f"apiVersion: v1\nkind: List\nitems:\n- {PLAIN.strip().replace(chr(10), chr(10) + '  ')}\n", id="a list"
        ),
    ],
)
def test_the_name_of_an_object_is_found(text: str) -> None:
    assert names(text) == {WEB}


@pytest.mark.parametrize("text", ["", "a: 1\n", "[", "kind: X\nmetadata:\n  name: b\n"])
def test_a_text_without_an_object_has_no_names(text: str) -> None:
    assert names(text) == frozenset()


@pytest.mark.parametrize("more", [1, 5])
def test_the_last_of_duplicate_keys_counts(more: int) -> None:
    """As for kubectl; however often it stands there."""
    text = PLAIN + "kind: Service\n" * more

    assert names(text) == {ObjectRef("apps/v1", "Service", "shop", "web").identity}


def test_documents_are_distinguished() -> None:
    other = PLAIN.replace("Deployment", "Service").replace("web", "db")

    found = names(f"{PLAIN}--- # the next\n{other}---\nname: x\n")

    assert found == {WEB, ObjectRef("apps/v1", "Service", "shop", "db").identity}


def test_another_version_is_the_same_object() -> None:
    assert have_duplicate_objects([PLAIN, PLAIN.replace("apps/v1", "extensions/v1beta1")])


def test_other_namespaces_are_other_objects() -> None:
    assert not have_duplicate_objects([PLAIN, PLAIN.replace("shop", "bar")])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{- if .Values.web }}\nkind: Pod\n{{- end }}\n", True),
        ("items:\n  - {{ item }}\n", True),
        ("{% for one in all %}\n", True),
        ("spec:\n  template:\n    name: '{{cluster}}-web'\n", False),
        ("image: web:{{ version }}\n", False),
        ("args: [{a: b}]\n", False),
    ],
    ids=repr,
)
def test_templates_are_recognized_by_lines_that_begin_with_an_action(text: str, expected: bool) -> None:
    assert is_template(text) is expected
