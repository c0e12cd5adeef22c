"""What a Flux Kustomization builds: its manifests before they are normalized and applied, in the controller's steps.

Mirrors ``generate`` and ``build`` of kustomize-controller 1.9: generate a kustomization, build it, substitute
variables, read the objects, add the common metadata. Encrypted values are not known (``encryption.py``).
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.paths import Path, fields, leaves
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.render.build_options import BuildOptions
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.kustomize import render_folder
from kubectl_applylint.sources.text.manifests import Input, first_document
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.sources.text.yaml_text import load
from kubectl_applylint.tools.flux.encryption import decrypt
from kubectl_applylint.tools.flux.envsubst import SubstitutionError, ValueHole, WorkMeter
from kubectl_applylint.tools.flux.generate import Generated, GenerateError, folder_of, generate, kustomization_file
from kubectl_applylint.tools.flux.kustomization import FluxKustomization, common_metadata
from kubectl_applylint.tools.flux.substitution import (
    ValueHoles,
    Variables,
    has_expressions,
    is_excluded,
    is_substituted,
    substitute_text,
    with_holes,
    with_quotation_marks,
)

_NAME: Final = regex(r"\w+")
_NO_HOLES: Final[ValueHoles] = {}
_ADVICE: Final = (
    "set the variable in spec.postBuild, give it a default as in ${NAME:=value}, or write $${NAME} for the text"
)


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The files of a source of Flux, and how to name them."""

    files: frozenset[str]
    """The paths of its files, without symlinks and those that it ignores (``packed_files``)."""
    contents_of: Callable[[Collection[str]], Mapping[str, bytes]] = field(repr=False)
    """Returns the contents of files, without those that cannot be read."""
    label: Callable[[str], str] = str
    """Returns the displayed name of a path."""
    fault_of: Callable[[str], Problem] = field(default=lambda path: Problem(path, "it cannot be read"), repr=False)
    """Returns why ``contents_of`` leaves out a file."""

    def read(self, path: str) -> bytes:
        """Return the content of a file, empty if it cannot be read."""
        return self.contents_of([path]).get(path, b"")


@dataclass(frozen=True, slots=True)
class _Substitution:
    """The variables of a Kustomization, and how much is left to evaluate."""

    variables: Variables
    is_strict: bool
    meter: WorkMeter = field(default_factory=WorkMeter)

    def text(self, template: str) -> tuple[str, tuple[ValueHole, ...]]:
        """Return a text after substitution, and its holes."""
        return substitute_text(template, self.variables, is_strict=self.is_strict, meter=self.meter)


@dataclass(frozen=True, slots=True)
class Built:
    """The objects that Flux applies, or problems; ``holes`` has those of each document, in the same order."""

    input: Input
    holes: tuple[ValueHoles, ...] = ()

    @property
    def unknown_variables(self) -> frozenset[str]:
        """The names in the expressions of the holes: of variables on whose values the objects may depend."""
        expressions = (one.expression for places in self.holes for holes in places.values() for one in holes)
        return frozenset(name for text in expressions for name in _NAME.findall(text))


def build(
    declared: Document, tree: SourceTree, variables: Variables, *, is_strict: bool = True, is_rendered: bool = True
) -> Built:
    """Return what a Kustomization, the object of ``declared``, builds from its source. Never raises.

    ``is_strict``: an unset variable without a default is an error, as it is by default since Flux 2.9, and not empty.
    As in Flux, one object with an error fails all of them. ``is_rendered``: the Kustomization is as the one that
    applies it renders it.
    """
    kustomization = declared.object
    file = kustomization_file(folder_of(kustomization), tree.files)
    try:
        made = generate(kustomization, tree.files, first_document(tree.read(file)) if file else None)
    except GenerateError as error:
        where = declared.locate(fields("spec", "path"))
        return Built(Input(problems=(Problem(str(where), f"Flux cannot build it: {error}", is_refused=True),)))
    found = decrypt(_render(declared, tree, made), declared, is_rendered=is_rendered)
    if found.problems:
        return Built(replace(found, documents=()))
    is_changed = is_substituted(kustomization, variables)
    if is_changed and variables.fault and not all(is_excluded(document.object) for document in found.documents):
        where = declared.locate(fields("spec", "postBuild"))
        return Built(
            Input(problems=(Problem(str(where), f"Flux cannot build it: {variables.fault}", is_refused=True),))
        )
    return _finish(found, kustomization, _Substitution(variables, is_strict) if is_changed else None)


def _render(declared: Document, tree: SourceTree, made: Generated) -> Input:
    """Return the objects that kustomize builds, with their positions in the files of the source."""
    written = {} if made.is_written else {made.path: json.dumps(made.kustomization, indent=1).encode()}
    has = (tree.files | written.keys()).__contains__
    where = Folders(has, lambda path: written[path] if path in written else tree.read(path))

    def contents_of(paths: Collection[str]) -> Mapping[str, bytes]:
        return {**tree.contents_of([path for path in paths if path not in written]), **written}

    def label(path: str) -> str:
        return declared.file if path in written and path not in tree.files else tree.label(path)

    found = render_folder(
        made.path.rpartition("/")[0],
        where,
        contents_of,
        label,
        tree.fault_of,
        originals={path: tree.read(path) for path in written if path in tree.files},
        options=BuildOptions(has_load_restrictor=False, has_helm=False, has_typed_metadata=False),
    )
    if made.path in tree.files:
        return found
    # No file has the text of the generated kustomization.
    texts = {name: text for name, text in found.texts.items() if name != declared.file}
    documents = tuple(replace(one, set_at=partial(_set_elsewhere, one, declared.file)) for one in found.documents)
    return replace(found, texts=texts, documents=documents)


def _set_elsewhere(document: Document, generated: str, path: Path) -> Location | None:
    """Return the place in another file that sets a value, if it is not the generated kustomization."""
    found = document.set_at(path)
    return found if found and found.file != generated else None


def _finish(found: Input, kustomization: JsonObject, substitution: _Substitution | None) -> Built:
    """Return the built objects after substitution, if there is any, with the common metadata."""
    labels, annotations = common_metadata(kustomization)
    common = FluxKustomization("", "", common_labels=labels, common_annotations=annotations)
    documents: list[Document] = []
    every: list[ValueHoles] = []
    names = Counter(map(_identity, found.documents))
    for document in found.documents:
        made, holes = document, _NO_HOLES
        if substitution is not None and not is_excluded(document.object):
            changed = _substitute(document, substitution)
            if isinstance(changed, Problem):
                return Built(replace(found, documents=(), problems=(changed,)))
            made, holes = changed
        names.update({_identity(document): -1})
        names.update({_identity(made): 1})
        if made is not document and names[_identity(made)] > 1:
            return Built(replace(found, documents=(), problems=(_twin(document, made),)))
        if made.ref.api_version and made.ref.kind and made.ref.name:
            documents.append(replace(made, object=common.with_common(made.object)))
            every.append(holes)
    return Built(replace(found, documents=tuple(documents)), tuple(every))


def _identity(document: Document) -> tuple[str, str, str, str]:
    ref = document.ref
    return ref.api_version, ref.kind, ref.namespace or "default", ref.name


def _twin(document: Document, made: Document) -> Problem:
    message = f"Flux cannot build it: after substitution, there are two objects {made.ref}"
    return Problem(
        str(document.locate(fields("metadata", "name"))), message, "give them different names", is_refused=True
    )


def _substitute(document: Document, substitution: _Substitution) -> tuple[Document, ValueHoles] | Problem:
    """Return an object after substitution, with its holes, or why Flux rejects it."""
    if not has_expressions(document.object):
        return document, _NO_HOLES
    try:
        text, holes = substitution.text(format_yaml(document.object))
        value = _parse(text, holes)
    except SubstitutionError as error:
        path = _failing_path(document.object, replace(substitution, meter=WorkMeter()))
        return _failure(document, path, str(error))
    except YamlError:
        if holes:
            return _parse_failure(document, holes)
        return _failure(document, (), "the text after substitution is not valid YAML")
    if not isinstance(value, dict):
        return _failure(document, (), "the text after substitution is not an object")
    made, places = with_holes(value, holes)
    return replace(document, object=made, ref=ref_of(made)), places


def _parse(text: str, holes: Sequence[ValueHole]) -> Json:
    """Return the value of a text after substitution; raise ``YamlError`` if it is not valid.

    Quotation marks may be defaults (``${q:='}``), which no other object is expected to set: they are tried.
    """
    try:
        return load(text).value
    except YamlError:
        quoted = with_quotation_marks(text, holes)
        if quoted == text:
            raise
        return load(quoted).value


def _parse_failure(document: Document, holes: Sequence[ValueHole]) -> Problem:
    """Return the problem of an object whose text cannot be parsed without the values that are not known."""
    names = ", ".join(dict.fromkeys(hole.variable for hole in holes))
    message = f"not rendered: {document.ref} can be parsed only with the values of {names}: {holes[0].reason}"
    return Problem(str(document.locate(())), message, _ADVICE)


def _failure(document: Document, path: Path, reason: str) -> Problem:
    message = f"Flux cannot build it: post build failed for {document.ref}: {reason}"
    return Problem(str(document.locate(path)), message, _ADVICE, is_refused=True)


def _failing_path(manifest: JsonObject, substitution: _Substitution) -> Path:
    """Return the path of the first value whose expressions cannot be evaluated; empty if no single one is the cause."""
    for path, value in leaves(manifest):
        try:
            if isinstance(value, str) and "$" in value:
                substitution.text(value)
        except SubstitutionError:
            return path
    return ()
