"""The baseline: a list of known findings, so that only new ones are shown.

Findings match by fingerprints, not by lines. A baseline contains names of rules, objects and fields, and no values.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.nesting import reject_deep
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.hiding.former_ids import former_id
from kubectl_applylint.lint.model import Finding

VERSION: Final = "baseline-v1"
_WORDS: Final = ("fingerprint", "rule", "namespace", "object", "path", "file")


def fingerprint(finding: Finding) -> str:
    """Return a hash of rule, object and field, which several findings may share."""
    import hashlib  # noqa: PLC0415  it takes 5 ms to import, and a clean run does without

    ref = finding.ref
    identity = (former_id(finding.rule), ref.group, ref.kind, ref.namespace, ref.name, render(finding.path))
    return hashlib.sha256("\0".join(identity).encode(errors="surrogatepass")).hexdigest()[:32]


def with_fingerprints(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings with their fingerprints; further findings with one fingerprint get a number at its end.

    The same finding once more, at the same place, has the same fingerprint.
    """
    places: dict[str, dict[object, int]] = {}
    for finding in findings:
        own = fingerprint(finding)
        known = places.setdefault(own, {})
        number = known.setdefault((finding.location, finding.message), len(known) + 1)
        yield replace(finding, fingerprint=own if number == 1 else f"{own}-{number}")


@dataclass(frozen=True, slots=True, order=True)
class KnownFinding:
    """An entry of the baseline. Findings match by fingerprint; the other fields are for readers and for ``prune``."""

    file: str
    """Empty for an object without a file. It is absolute here and relative to the baseline's folder in the file."""
    namespace: str
    object: str
    rule: str
    path: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings and the name of the file that lists them."""

    file: str
    entries: tuple[KnownFinding, ...] = ()
    renamed: str = ""
    """The rules that it names by their former ids, in words."""


class BaselineError(ValueError):
    """A text that is not a valid baseline; the message contains place and reason."""


def entry(finding: Finding, file: str) -> KnownFinding:
    """Return the baseline entry of a finding in ``file``."""
    ref = finding.ref
    return KnownFinding(file, ref.namespace, str(ref), finding.rule, render(finding.path), finding.fingerprint)


def baseline_text(entries: Iterable[KnownFinding]) -> str:
    """Return the text of a baseline, sorted with one line per entry, so that two branches merge without conflicts."""
    lines = [json.dumps({word: getattr(item, word) for word in _WORDS}, ensure_ascii=False) for item in sorted(entries)]
    listed = ",".join(f"\n    {line}" for line in lines)
    return f'{{\n  "version": "{VERSION}",\n  "findings": [{listed}\n  ]\n}}\n' if lines else _EMPTY


_EMPTY: Final = f'{{\n  "version": "{VERSION}",\n  "findings": []\n}}\n'


def read_baseline(text: str, file: str) -> Baseline:
    """Return the baseline in a text; raise ``BaselineError`` for any other text."""
    try:
        reject_deep(text)
        content: Json = json.loads(text)
    except json.JSONDecodeError as fault:
        raise BaselineError(f"{file}:{fault.lineno}:{fault.colno}: not JSON: {fault.msg}") from None
    except ValueError as fault:
        raise BaselineError(f"{file}:1:1: not readable: {str(fault).partition(';')[0]}") from None
    if not isinstance(content, dict) or content.get("version") != VERSION:
        raise BaselineError(f"{file}:1:1: no baseline of this program: its version is not {VERSION}")
    listed = content.get("findings")
    if not isinstance(listed, list) or not all(map(_is_entry, listed)):
        raise BaselineError(f"{file}:1:1: not every entry of findings has the texts {', '.join(_WORDS)}")
    return Baseline(file, tuple(KnownFinding(**{word: item[word] for word in _WORDS}) for item in listed))


def _is_entry(item: Json) -> bool:
    """Return whether a value is an entry of a baseline."""
    return isinstance(item, dict) and all(isinstance(item.get(word), str) for word in _WORDS)


@dataclass(frozen=True, slots=True)
class ExaminedScope:
    """The rules and objects of a run, to distinguish findings that disappeared from those not searched for."""

    rules: frozenset[str]
    """The rules that ran."""
    files: frozenset[str]
    """The absolute names of the files with the examined objects."""
    objects: frozenset[tuple[str, str]]
    """Namespace and name of each object without a file."""
    skipped: frozenset[tuple[str, str, str]]
    """Rule, namespace and name for each rule that could not run on an object."""

    def has_checked(self, known: KnownFinding) -> bool:
        """Return whether the run would have found this if it still occurred."""
        place = (known.namespace, known.object)
        is_examined = known.file in self.files if known.file else place in self.objects
        return known.rule in self.rules and is_examined and (known.rule, *place) not in self.skipped


def obsolete_entries(baseline: Baseline, findings: Sequence[Finding], seen: ExaminedScope) -> tuple[KnownFinding, ...]:
    """Return the checked entries that no longer occur; ``findings`` include hidden ones."""
    occurring = {finding.fingerprint for finding in findings}
    return tuple(known for known in baseline.entries if known.fingerprint not in occurring and seen.has_checked(known))
