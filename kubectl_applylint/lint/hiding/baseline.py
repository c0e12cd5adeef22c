"""The findings that are known already, so that only new ones are shown; told apart by fingerprints, not by lines.

A baseline holds names of rules, objects and fields, and no values.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.nesting import refuse_deep
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
    """Yield the findings with their fingerprints, those that others have already with a number at the end."""
    seen: Counter[str] = Counter()
    for finding in findings:
        own = fingerprint(finding)
        seen[own] += 1
        yield replace(finding, fingerprint=own if seen[own] == 1 else f"{own}-{seen[own]}")


@dataclass(frozen=True, slots=True, order=True)
class KnownFinding:
    """A finding that is known. Beside the fingerprint all is for people, and to tell whether it can occur again."""

    file: str
    """Empty for an object that no file holds. Written it is relative to the folder of the baseline, here absolute."""
    namespace: str
    object: str
    rule: str
    path: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The findings that are known, and the name of the file that lists them."""

    file: str
    entries: tuple[KnownFinding, ...] = ()
    renamed: str = ""
    """The rules that it names by their former ids, in words."""


class BaselineError(ValueError):
    """A text that is no baseline; says where and why."""


def entry(finding: Finding, file: str) -> KnownFinding:
    """Return what a baseline keeps of a finding in ``file``."""
    ref = finding.ref
    return KnownFinding(file, ref.namespace, str(ref), finding.rule, render(finding.path), finding.fingerprint)


def baseline_text(entries: Iterable[KnownFinding]) -> str:
    """Return the text of a baseline, sorted and one line an entry, so that two branches merge without conflicts."""
    lines = [json.dumps({word: getattr(item, word) for word in _WORDS}, ensure_ascii=False) for item in sorted(entries)]
    listed = ",".join(f"\n    {line}" for line in lines)
    return f'{{\n  "version": "{VERSION}",\n  "findings": [{listed}\n  ]\n}}\n' if lines else _EMPTY


_EMPTY: Final = f'{{\n  "version": "{VERSION}",\n  "findings": []\n}}\n'


def read_baseline(text: str, file: str) -> Baseline:
    """Return the baseline that a text holds; raise ``BaselineError`` for any other text."""
    try:
        refuse_deep(text)
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
    return isinstance(item, dict) and all(isinstance(item.get(word), str) for word in _WORDS)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a run looked at, to tell what does not occur any more from what nobody looked for."""

    rules: frozenset[str]
    """The rules that ran."""
    files: frozenset[str]
    """The absolute names of the files that hold the objects examined."""
    objects: frozenset[tuple[str, str]]
    """Namespace and name of each object that no file holds."""
    skipped: frozenset[tuple[str, str, str]]
    """Rule, namespace and name where a rule could not run."""

    def has_checked(self, known: KnownFinding) -> bool:
        """Tell whether the finding would have been found, had it occurred."""
        place = (known.namespace, known.object)
        is_examined = known.file in self.files if known.file else place in self.objects
        return known.rule in self.rules and is_examined and (known.rule, *place) not in self.skipped


def obsolete_entries(baseline: Baseline, findings: Sequence[Finding], seen: Coverage) -> tuple[KnownFinding, ...]:
    """Return the entries that were looked for and do not occur any more; ``findings`` are all, hidden ones too."""
    occurring = {finding.fingerprint for finding in findings}
    return tuple(known for known in baseline.entries if known.fingerprint not in occurring and seen.has_checked(known))
