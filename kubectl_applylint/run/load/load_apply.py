"""Loads one apply: the files that a request names, or the live objects that kubectl apply created."""

from shlex import quote

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.applied_objects import input_of_applied_objects
from kubectl_applylint.run.load.run_input import RunInput, input_of_files
from kubectl_applylint.run.request import Request, extent_of


def load_apply(request: Request, source: LiveSource) -> RunInput:
    """Return the input of one apply, with notes on the state that it is compared with.

    Invalid manifests are in ``problems``. Raises ``ValueError`` for an invalid Kubernetes version.
    """
    run_input = (
        _input_of_request(request, source) if request.files or source.base else _input_of_live_objects(request, source)
    )
    return replace(run_input, extent=extent_of(request), is_unreachable=not source.origin and bool(source.problems))


def _input_of_request(request: Request, source: LiveSource) -> RunInput:
    run_input = input_of_files(
        request.files,
        recursive=request.recursive,
        stdin=request.stdin,
        source=source,
        flags=replace(request.flags, given=_kubectl_arguments(request)),
        kubernetes_version=request.kubernetes_version,
        explicit=request.named,
    )
    return (
        replace(run_input, notes=(f"compared with {run_input.origin}", *run_input.notes))
        if run_input.origin
        else run_input
    )


def _kubectl_arguments(request: Request) -> str:
    """Return the arguments of kubectl apply for the named files; empty without any."""
    named = request.files if request.named is None else request.named
    if not named:
        return ""
    words = ["-R"] * request.recursive + [f"-f {quote(name)}" for name in named]
    return " ".join([*words, *([f"-n {quote(request.flags.namespace)}"] if request.flags.namespace else [])])


def _input_of_live_objects(request: Request, source: LiveSource) -> RunInput:
    namespace = "" if request.all_namespaces else request.flags.namespace or source.namespace
    run_input = input_of_applied_objects(
        source,
        namespace=namespace,
        selector=request.flags.selector,
        kubernetes_version=request.kubernetes_version,
        flags=request.flags,
    )
    where = f"namespace {namespace}" if namespace else "all namespaces"
    notes = [f"checked the objects that kubectl apply created in {where} of {run_input.origin}", *run_input.notes]
    lost = sum(not document.has_manifest for document in run_input.documents)
    if lost:
        notes.append(f"the last-applied configuration of {lost} of these objects is unknown; check explains why")
    return replace(run_input, notes=tuple(notes)) if run_input.origin else run_input
