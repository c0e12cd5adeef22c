"""Descriptions of what is at a position: the rule of a diagnostic, the origin and the default of a field."""

from collections.abc import Iterator
from functools import partial

from kubectl_applylint.cli.editor.checks import CheckedText, Checker
from kubectl_applylint.cli.editor.definitions import field_at
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path, get, render
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Rule, Subject
from kubectl_applylint.merge.typed import DEDUCED
from kubectl_applylint.ownership.address import address
from kubectl_applylint.ownership.field_history import field_history
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.field_history import history_text
from kubectl_applylint.report.ownership.field_notes import default_notes, note_list, rendered_note
from kubectl_applylint.report.words import help_uri
from kubectl_applylint.secrets.masking import masks
from kubectl_applylint.secrets.secret_places import is_secret


def hover_text(checker: Checker, checked: CheckedText, position: tuple[int, int]) -> str:
    """Return a description in Markdown of what is at a position, empty if there is nothing to describe."""
    rules = {rule.id: rule for rule in checker.rules.rules}
    named = (finding.rule for finding, shown in checked.findings if _is_at(shown["range"], position))
    parts = [_rule_text(rules[name]) for name in dict.fromkeys(named) if name in rules]
    found = field_at(checked.document, position)
    if found and found[1] and not is_secret(found[0].ref):
        parts += filter(None, [_field_text(checked, *found)])
    text = "\n\n---\n\n".join(parts)
    hide = masks([*checked.runs.objects], [text]).hide
    return text if checker.config.show_secrets else hide.clean(text)


def _is_at(extent: JsonObject, position: tuple[int, int]) -> bool:
    start, end = ((extent[name]["line"], extent[name]["character"]) for name in ("start", "end"))
    return start <= position <= end


def _rule_text(rule: Rule) -> str:
    page = help_uri(rule)
    more = f"\n\n{page}" if page else ""
    return f"**{rule.id}** ({rule.severity}): {one_line(rule.summary)}\n\n{rule.why.strip()}{more}"


def _field_text(checked: CheckedText, document: Document, path: Path) -> str:
    """Return the notes on a field of every unit that applies its object, empty without any."""
    notes, histories = list[str](), list[str]()
    for unit, subject in _subjects(checked, document):
        root = subject.kind.root if subject.kind else DEDUCED
        place = address(address(path, root, document.object).path, root, subject.manifest)
        notes += filter(None, [rendered_note(subject, unit, path, get(document.object, path))])
        live = subject.state.live
        if isinstance(live, Present):
            histories.append(history_text([field_history(subject, live.object, place.path)], (), Context()))
        else:
            notes += default_notes(subject, place.positions)
    if not (notes or histories):
        return ""
    title = f"`{render(path)}` of {document.ref}"
    pages = [f"```text\n{text.strip()}\n```" for text in dict.fromkeys(histories)]
    return "\n\n".join(filter(None, [title, note_list(notes), *pages]))


def _subjects(checked: CheckedText, document: Document) -> Iterator[tuple[str, Subject]]:
    """Yield the subjects of an object of the document, each with the name of its unit."""
    for run in checked.runs.each:
        same = filter(partial(_is_same, checked.file, document), run.input.subjects)
        yield from ((run.unit.shown if run.unit else checked.file, one) for one in same)


def _is_same(file: str, document: Document, subject: Subject) -> bool:
    """Return whether a subject was made from an object of a file; kustomize may have changed its name."""
    source = subject.document.source or subject.document.object
    names = [(one.get("kind"), (one.get("metadata") or {}).get("name")) for one in (source, document.object)]
    return subject.document.file == file and names[0] == names[1]
