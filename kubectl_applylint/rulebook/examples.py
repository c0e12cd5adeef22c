"""The examples of rules: what their cases show to the readers of a rule.

A case is a file in ``rules/<family>/<rule>/cases/``; ``tests/cases`` describes the format and validates it.
"""

from pathlib import Path

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping, objects_at, text_at, texts_at
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.sources.text.manifests import decode, first_document
from kubectl_applylint.sources.text.stream import pieces
from kubectl_applylint.sources.text.yaml_events import YamlError

_COMMANDS = {
    "apply": "kubectl apply",
    "apply-server-side": "kubectl apply --server-side",
    "create": "kubectl create",
    "replace": "kubectl replace",
}


@dataclass(frozen=True, slots=True)
class ExampleStep:
    """A write before the examined apply: the command, or the object that is patched."""

    command: str
    body: Json = None
    """What is written; ``None`` for a deletion."""
    patched: str = ""
    manager: str = ""


@dataclass(frozen=True, slots=True)
class ExampleRecord:
    """The result of the real program, its version, and the date."""

    verdict: str
    program: str
    kubernetes: str
    date: str


@dataclass(frozen=True, slots=True)
class Example:
    """The earlier writes, the examined apply, and its findings."""

    summary: str
    steps: tuple[ExampleStep, ...]
    peers: tuple[JsonObject, ...]
    """Other objects of the same run."""
    command: str
    manifest: str
    findings: tuple[tuple[str, str], ...]
    """Rules and paths."""
    record: ExampleRecord | None


def examples_of(rule: Rule) -> tuple[Example, ...]:
    """Return the examples of a rule, bad ones first; raise ``ValueError`` for an unreadable one."""
    return tuple(_example(file, rule.id) for file in sorted(Path(rule.folder, "cases").glob("*.yaml")))


def _example(file: Path, rule: str) -> Example:
    content = _content(file)
    if not isinstance(content.get("summary"), str) or not isinstance(content.get("manifest"), str):
        raise ValueError(f"{file}: not a case: write summary and manifest as text")
    applier = text_at(content, "applier")
    return Example(
        summary=content["summary"],
        steps=tuple(_step(item, content) for item in objects_at(content, "steps")),
        peers=tuple(objects_at(content, "peers")),
        command=" ".join((applier or "kubectl apply", *texts_at(content, "flags"))),
        manifest=content["manifest"],
        findings=tuple((text_at(one, "rule") or rule, text_at(one, "path")) for one in objects_at(content, "findings")),
        record=_record(content),
    )


def _content(file: Path) -> JsonObject:
    try:
        return mapping(next((piece.value for piece in pieces(decode(file.read_bytes())[0])), None))
    except YamlError as error:
        place = f"{file}:{error.mark.line + 1}:{error.mark.column + 1}"
        raise ValueError(f"{place}: not readable as YAML: {error.problem}") from None


def _step(item: JsonObject, content: JsonObject) -> ExampleStep:
    manager = text_at(item, "manager")
    if "run" in item:
        return ExampleStep(" ".join((text_at(content, "applier"), *texts_at(item, "flags"))), item["run"])
    if "delete" in item:
        return ExampleStep(f"kubectl delete {_target(item['delete'])}")
    if "patch" in item:
        own = ref_of(mapping(first_document(content["manifest"].encode())))
        return ExampleStep("", item["patch"], _target(item["target"]) if "target" in item else str(own), manager)
    action = next((action for action in _COMMANDS if action in item), "apply")
    return ExampleStep(_COMMANDS[action], item.get(action), manager=manager)


def _target(names: Json) -> str:
    return str(ref_of({**mapping(names), "metadata": mapping(names)}))


def _record(content: JsonObject) -> ExampleRecord | None:
    verified, fates = mapping(content.get("verified")), mapping(content.get("became"))
    verdict = text_at(content, "verdict") or "; ".join(f"{name} {fate}" for name, fate in fates.items())
    if not verified or not (verdict or "applier" in content):
        return None
    program = text_at(verified, "program") or f"kubectl {text_at(verified, 'kubectl')}"
    return ExampleRecord(verdict, program, text_at(verified, "kubernetes"), text_at(verified, "date"))
