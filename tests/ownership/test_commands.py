"""Commands ready to type."""

from dataclasses import dataclass

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode
from kubectl_applylint.ownership.commands import (
    apply_command,
    diff_command,
    has_file,
    here_document,
    namespace_words,
    object_words,
)
from tests.stories import MANIFEST, client_side, subject_of

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")


@dataclass(frozen=True)
class Nowhere:
    """Positions of a manifest that names no namespace."""

    def key(self, path: Path) -> Span | None:
        """Return nothing."""
        return None

    def value(self, path: Path) -> Span | None:
        """Return nothing."""
        return None


def document(file: str, ref: ObjectRef = WEB) -> Document:
    return Document(file, 0, {}, ref, Nowhere())


def test_an_object_is_named_with_its_namespace() -> None:
    assert object_words(WEB) == "deployment.apps/web -n shop"
    assert object_words(ObjectRef("v1", "Namespace", "", "shop")) == "namespace/shop"


@pytest.mark.parametrize("known", [True, False])
def test_only_a_manifest_in_a_file_can_be_named(known: bool) -> None:
    assert has_file(subject_of(MANIFEST, client_side(MANIFEST), known=known)) is known


def test_a_namespace_is_a_flag() -> None:
    assert (namespace_words("shop"), namespace_words("")) == (" -n shop", "")


def test_namespaces_that_no_manifest_names_are_flags() -> None:
    assert apply_command(SERVER_SIDE, [document("a.yaml"), document("a.yaml")]) == (
        "kubectl apply --server-side -f a.yaml -n shop"
    )
    assert diff_command(CLIENT_SIDE, [subject_of(MANIFEST, None).document]) == "kubectl diff -f web.yaml"


def test_what_a_shell_would_take_apart_is_quoted() -> None:
    assert apply_command(CLIENT_SIDE, [document("my file.yaml")]) == "kubectl apply -f 'my file.yaml' -n shop"


def test_who_applies_is_a_flag_where_it_is_not_the_usual() -> None:
    mode = ApplyMode(SERVER_SIDE.applier, "team", force=True)

    assert apply_command(mode, [document("a.yaml")], more=" --validate=false") == (
        "kubectl apply --server-side --field-manager=team --force-conflicts --validate=false -f a.yaml -n shop"
    )


def test_a_manager_may_have_any_name() -> None:
    assert ApplyMode(SERVER_SIDE.applier, "a; b").flags == " --server-side --field-manager='a; b'"


def test_a_text_is_given_to_a_command() -> None:
    assert here_document("kubectl apply -f -", "{}") == "kubectl apply -f - <<'EOF'\n{}\nEOF"
