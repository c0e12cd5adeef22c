"""Commands ready to type."""

from dataclasses import dataclass, replace

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.documents import Document, Rendering
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode
from kubectl_applylint.ownership.commands import (
    apply_command,
    as_single,
    by_source,
    diff_command,
    has_file,
    here_document,
    manifest_command,
    namespace_words,
    object_words,
    own_command,
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


def subject(file: str, rendering: Rendering | None = None, namespace: str = "") -> Subject:
    """Return the subject of a manifest that names no namespace."""
    document = Document(file, 0, {"kind": "Deployment"}, WEB, Nowhere(), rendering=rendering)
    return replace(subject_of(MANIFEST, None), document=document, flags=Flags(namespace=namespace))


def test_an_object_is_named_with_its_namespace() -> None:
    assert object_words(WEB) == "deployment.apps/web -n shop"
    assert object_words(ObjectRef("v1", "Namespace", "", "shop")) == "namespace/shop"


@pytest.mark.parametrize("known", [True, False])
def test_only_a_manifest_in_a_file_can_be_named(known: bool) -> None:
    assert has_file(subject_of(MANIFEST, client_side(MANIFEST), known=known)) is known


def test_a_namespace_is_a_flag() -> None:
    assert (namespace_words("shop"), namespace_words("")) == (" -n shop", "")


def test_namespaces_that_no_manifest_names_are_flags() -> None:
    assert apply_command(SERVER_SIDE, [subject("a.yaml"), subject("a.yaml")]) == (
        "kubectl apply --server-side -f a.yaml -n shop"
    )
    assert diff_command(CLIENT_SIDE, [subject_of(MANIFEST, None)]) == "kubectl diff -f web.yaml"


def test_words_with_spaces_are_quoted() -> None:
    assert apply_command(CLIENT_SIDE, [subject("my file.yaml")]) == "kubectl apply -f 'my file.yaml' -n shop"


def test_another_field_manager_is_a_flag() -> None:
    mode = ApplyMode(SERVER_SIDE.applier, "team", force=True)

    assert apply_command(mode, [subject("a.yaml")], more=" --validate=false") == (
        "kubectl apply --server-side --field-manager=team --force-conflicts --validate=false -f a.yaml -n shop"
    )


def test_a_manager_may_have_any_name() -> None:
    assert ApplyMode(SERVER_SIDE.applier, "a; b").flags == " --server-side --field-manager='a; b'"


def test_a_text_is_given_to_a_command() -> None:
    assert here_document("kubectl apply -f -", "{}") == "kubectl apply -f - <<'EOF'\n{}\nEOF"


OVERLAY = Rendering("kubectl kustomize app", "-k app")
CHART = Rendering("helm template shop charts/shop", "-f helm:charts/shop")
PIPE = Rendering("…", "-f -")
SAVE = "kubectl apply set-last-applied"
HANDOVER = "kubectl applylint handover"


@pytest.mark.parametrize(
    ("rendering", "apply", "save", "own"),
    [
        (OVERLAY, "kubectl apply -k app -n run", f"kubectl kustomize app | {SAVE} -n run -f -", "-k app -n run"),
        (
            CHART,
            "helm template shop charts/shop | kubectl apply -n run -f -",
            f"helm template shop charts/shop | {SAVE} -n run -f -",
            "-f helm:charts/shop -n run",
        ),
        (PIPE, "… | kubectl apply -n run -f -", f"… | {SAVE} -n run -f -", "-f - -n run"),
    ],
    ids=["kustomization", "chart", "pipe"],
)
def test_commands_for_rendered_objects_use_their_source(rendering: Rendering, apply: str, save: str, own: str) -> None:
    rendered = subject("base.yaml", rendering, "run")
    piped = "… | " * (rendering == PIPE)

    assert apply_command(CLIENT_SIDE, [rendered]) == apply
    assert manifest_command(SAVE, [rendered], takes_kustomization=False) == save
    assert own_command(HANDOVER, rendered) == f"{piped}{HANDOVER} {own}"


def test_one_object_is_read_from_here() -> None:
    single = as_single(subject("base.yaml", OVERLAY, "run"))

    assert apply_command(CLIENT_SIDE, [single]) == 'kubectl apply -f - <<\'EOF\'\n{"kind":"Deployment"}\nEOF'
    assert diff_command(CLIENT_SIDE, [single]) == "kubectl diff -k app -n run"
    assert as_single(subject("a.yaml")) == subject("a.yaml")


def test_subjects_are_sorted_by_what_holds_or_renders_them() -> None:
    first, second, third = subject("a.yaml", OVERLAY), subject("b.yaml"), subject("c.yaml", OVERLAY)

    assert [[one.document.file for one in group] for group in by_source([first, second, third])] == [
        ["a.yaml", "c.yaml"],
        ["b.yaml"],
    ]
