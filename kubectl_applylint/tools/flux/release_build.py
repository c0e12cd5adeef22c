"""What the controller renders of a HelmRelease: its objects before they are applied.

Mirrors ``internal/action`` and ``internal/postrender`` of helm-controller 1.6: merge the values, render the chart with
Helm 4, let all objects pass the post-renderers, leave out the hooks.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.paths import Path, leaves, render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Unknown, annotations_of, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.sources.render.kustomize import render_files
from kubectl_applylint.sources.render.packed_chart import PackedChart, is_definition, render_packed
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.sources.text.quoting import MASK
from kubectl_applylint.tools.flux.helm_release import (
    DefinitionsPolicy,
    HelmReleaseSettings,
    PostRenderer,
    PostRenderStrategy,
    ReleaseAction,
    release_settings,
)
from kubectl_applylint.tools.flux.release_values import (
    ReleaseValues,
    SourceLookup,
    ValuesError,
    chart_with_values_files,
    places_of_tokens,
    release_values,
    values_of_text,
)
from kubectl_applylint.tools.flux.rendered_positions import at_declaration
from kubectl_applylint.tools.flux.set_syntax import WholeNumber, escape_key
from kubectl_applylint.units.model import ValuesFiles

_HOOK: Final = "helm.sh/hook"
_TEMPLATE: Final = "postrenderer.helm.sh/postrender-filename"
"""The annotation in which Helm keeps the template of an object while post-renderers run."""
_NOTHING: Final[Mapping[str, Unknown]] = {}
_NO_FILES: Final = ValuesFiles()
_RENDERED: Final = "all.yaml"
_FEWEST_MASKED: Final = 4
"""The length from which a text of a Secret is masked in messages."""


@dataclass(frozen=True, slots=True)
class RenderedRelease:
    """The objects of a HelmRelease. The sequences have an entry for each document, in the same order.

    The documents are in the file of the HelmRelease, at its position. ``input.holes`` has the values that are not
    known: then any object may differ from what the controller applies.
    """

    settings: HelmReleaseSettings
    input: Input
    templates: tuple[str, ...] = ()
    """The paths of the templates in the chart, empty for an unknown one."""
    unknown: tuple[Mapping[Path, Unknown], ...] = ()
    """The paths of values that contain a value that is not known."""
    definitions: frozenset[int] = frozenset()
    """The indexes of the documents from ``crds`` of the chart, to which ``DefinitionsPolicy`` applies."""
    hooks: tuple[str, ...] = ()
    """The hooks, which are left out: ``job/migrate (pre-upgrade)``."""


@dataclass(frozen=True, slots=True)
class _HelmRelease:
    """A HelmRelease with all that its rendering depends on."""

    document: Document
    settings: HelmReleaseSettings
    values: ReleaseValues
    unknown: Mapping[str, Unknown]
    is_upgrade: bool

    @property
    def action(self) -> ReleaseAction:
        """The settings of what the controller does."""
        return self.settings.upgrade if self.is_upgrade else self.settings.install

    @property
    def is_certain(self) -> bool:
        """Whether all values are known, so that the controller fails as the rendering does."""
        return not self.values.holes and not self.unknown

    def problem(self, path: Path, message: str, advice: str = "") -> Problem:
        """Return why the controller renders nothing."""
        where = str(self.document.locate(path))
        return Problem(where, f"Flux cannot render it: {message}", advice, is_refused=self.is_certain)


@dataclass(frozen=True, slots=True)
class _ChartObject:
    """An object of the chart with the path of its template."""

    document: Document
    template: str

    @property
    def is_hook(self) -> bool:
        """Whether Helm treats it as a hook, or skips it as a hook of an unknown kind."""
        return _HOOK in annotations_of(self.document.object)


def render_release(
    release: Document,
    chart: Mapping[str, bytes],
    values_of: SourceLookup,
    *,
    kube_version: str,
    api_versions: Sequence[str] = (),
    files: Mapping[str, bytes] | None = None,
    values_files: ValuesFiles = _NO_FILES,
    unknown: Mapping[str, Unknown] = _NOTHING,
    is_upgrade: bool = False,
) -> RenderedRelease:
    """Return what a HelmRelease, the object of ``release``, renders of the files of a chart. Never raises.

    ``chart`` has the files of its archive with those of its dependencies in ``charts/``. ``values_of`` returns the
    decoded data of a ConfigMap or Secret. ``files`` are those of the source if the chart is a folder in it, for
    ``values_files``; ``None`` for an archive. ``unknown`` has texts of the HelmRelease that stand for unknown
    values: ``${DOMAIN}``.
    """
    settings = release_settings(release.ref, release.object)
    try:
        values = release_values(release.object, values_of)
        whole = chart_with_values_files(values_files, chart, files)
    except ValuesError as error:
        given = _HelmRelease(release, settings, ReleaseValues(), unknown, is_upgrade)
        return RenderedRelease(settings, Input(problems=(given.problem(error.path, str(error)),)))
    given = _HelmRelease(release, settings, values, unknown, is_upgrade)
    packed = replace(
        _packed_chart(given, whole),
        kubernetes=kube_version,
        api_versions=tuple(api_versions),
        is_folder=files is not None,
    )
    # The cache never holds what Secrets hold.
    with use_folder("") if values.secrets else nullcontext():
        return _render(given, packed)


def _packed_chart(given: _HelmRelease, chart: Mapping[str, bytes]) -> PackedChart:
    """Return a chart with the values and options of a HelmRelease."""
    settings, values = given.settings, given.values.values
    return PackedChart(
        chart,
        format_yaml(values),
        settings.name,
        settings.namespace,
        settings=tuple(_whole_numbers(values)),
        is_upgrade=given.is_upgrade,
        validates_values=given.action.validates_values,
    )


def _render(given: _HelmRelease, packed: PackedChart) -> RenderedRelease:
    found = render_packed(packed, given.document.file)
    if found.input.problems:
        return _failure(given, found.input.problems)
    release = _finish(given, [*map(_ChartObject, found.input.documents, found.templates)])
    return replace(release, input=replace(release.input, is_random=found.input.is_random))


def _failure(given: _HelmRelease, problems: Sequence[Problem]) -> RenderedRelease:
    """Return a release that is not rendered."""
    where = str(given.document.locate(()))
    secrets = _secret_texts(given.values.secrets)
    shown = (
        replace(
            one,
            where=where,
            message=_mask(one.message, secrets),
            is_refused=one.is_refused and given.is_certain,
        )
        for one in problems
    )
    return RenderedRelease(given.settings, Input(problems=tuple(shown), holes=tuple(_holes(given))))


def _secret_texts(secrets: Sequence[str]) -> list[str]:
    """Return the texts in Secrets that messages must not quote, longest first."""
    values = (str(value) for text in secrets for _, value in leaves(values_of_text(text) or {}))
    return sorted({one for one in (*secrets, *values) if len(one) >= _FEWEST_MASKED}, key=len, reverse=True)


def _mask(message: str, secrets: Sequence[str]) -> str:
    for text in secrets:
        message = message.replace(text, MASK)
    return message


def _holes(given: _HelmRelease) -> Iterator[Hole]:
    for one in given.values.holes:
        reference = one.reference
        what = f"{render(reference.path)} ({reference}): {one.unknown.reason}"
        identity = _digest(reference.kind, reference.name, reference.key, reference.target_path)
        # The text of an encrypted value differs if the value does.
        yield Hole(str(given.document.locate(reference.path)), what, identity, _digest(one.unknown.written))


def _digest(*texts: str) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def _whole_numbers(value: Json, path: str = "") -> Iterator[str]:
    """Yield what sets the integers of the values: Helm reads all numbers of a file as floats."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _whole_numbers(item, f"{path}.{escape_key(key)}" if path else escape_key(key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _whole_numbers(item, f"{path}[{number}]")
    elif isinstance(value, WholeNumber):
        yield f"{path}={int(value)}"


def _finish(given: _HelmRelease, parts: Sequence[_ChartObject]) -> RenderedRelease:
    """Return the objects of the chart after the post-renderers, without hooks."""
    settings = given.settings
    policy = given.action.definitions
    crds = [one for one in parts if is_definition(one.template) and policy is not DefinitionsPolicy.SKIP]
    crds = [one for one in crds if one.document.ref.kind == "CustomResourceDefinition"]
    rendered = [one for one in parts if not is_definition(one.template)]
    hooks = [one for one in rendered if one.is_hook]
    if settings.post_render_strategy is not PostRenderStrategy.COMBINED:
        rendered = [one for one in rendered if not one.is_hook]
    fault = next(_faults(given, rendered), None)
    changed = (fault,) if fault else _post_render(given, rendered)
    if isinstance(changed, tuple):
        return _failure(given, changed)
    if settings.post_render_strategy is PostRenderStrategy.COMBINED:
        hooks = [one for one in changed if one.is_hook]
    marked = [_with_object(one, settings.with_metadata(one.document.object)) for one in changed if not one.is_hook]
    every = [_with_object(one, settings.with_labels(one.document.object)) for one in crds] + marked
    documents = tuple(
        replace(
            at_declaration(one.document, given.document, number, is_chart_definition=number < len(crds)),
            is_of_chart=True,
        )
        for number, one in enumerate(every)
    )
    holes = {one.token: Unknown(f"{one.reference}: {one.unknown.reason}") for one in given.values.holes if one.token}
    tokens = {**given.unknown, **holes}
    return RenderedRelease(
        settings,
        Input(documents, holes=tuple(_holes(given))),
        tuple(one.template for one in every),
        tuple(dict(places_of_tokens(one.object, tokens)) if tokens else {} for one in documents),
        frozenset(range(len(crds))),
        tuple(f"{one.document.ref} ({annotations_of(one.document.object)[_HOOK]})" for one in hooks),
    )


def _faults(given: _HelmRelease, parts: Sequence[_ChartObject]) -> Iterator[Problem]:
    """Yield why objects do not pass the post-renderers; one of the controller always runs."""
    counts = Counter(map(_identity, parts))
    for one in parts:
        ref, template = one.document.ref, f" (template {one.template})" if one.template else ""
        if not ref.name:
            yield given.problem((), f"an object of the kind {ref.kind} has no metadata.name{template}")
        elif counts[_identity(one)] > 1:
            other = "a hook and an object" if one.is_hook or _has_hook_twin(one, parts) else "two objects"
            yield given.problem((), f"there are {other} {ref}{template}", "give them different names")


def _has_hook_twin(part: _ChartObject, parts: Sequence[_ChartObject]) -> bool:
    return any(one.is_hook for one in parts if _identity(one) == _identity(part))


def _identity(part: _ChartObject) -> tuple[str, str, str, str]:
    ref = part.document.ref
    return ref.api_version, ref.kind, ref.namespace or "default", ref.name


def _post_render(given: _HelmRelease, parts: Sequence[_ChartObject]) -> Sequence[_ChartObject] | tuple[Problem, ...]:
    """Return the objects after the patches and images of the HelmRelease, in one run of kustomize."""
    renderers = given.settings.post_renderers
    if not renderers or not parts:
        return list(parts)
    texts = {f"0/{_RENDERED}": "---\n".join(map(_marked_text, parts)).encode()}
    texts |= {f"{number}/kustomization.yaml": _kustomization(number, one) for number, one in enumerate(renderers)}
    found = render_files(texts, f"{len(renderers) - 1}/kustomization.yaml", lambda _: given.document.file)
    if found.problems:
        return found.problems
    return [_without_mark(one) for one in found.documents]


def _kustomization(number: int, renderer: PostRenderer) -> bytes:
    base = f"../{number - 1}" if number else _RENDERED
    patches = [{key: one[key] for key in ("patch", "target") if one.get(key)} for one in renderer.patches]
    content = {"resources": [base], "patches": patches, "images": [*renderer.images]}
    return format_yaml({key: value for key, value in content.items() if value}).encode()


def _marked_text(part: _ChartObject) -> str:
    """Return the text of an object with its template in an annotation."""
    own = part.document.object
    annotations = {**annotations_of(own), _TEMPLATE: part.template}
    return format_yaml({**own, "metadata": {**mapping(own.get("metadata")), "annotations": annotations}})


def _without_mark(document: Document) -> _ChartObject:
    annotations = annotations_of(document.object)
    rest = {key: value for key, value in annotations.items() if key != _TEMPLATE}
    metadata = {key: value for key, value in mapping(document.object.get("metadata")).items() if key != "annotations"}
    made: JsonObject = {**document.object, "metadata": {**metadata, **({"annotations": rest} if rest else {})}}
    return _with_object(_ChartObject(document, str(annotations.get(_TEMPLATE, ""))), made)


def _with_object(part: _ChartObject, made: JsonObject) -> _ChartObject:
    return replace(part, document=replace(part.document, object=made, ref=ref_of(made)))
