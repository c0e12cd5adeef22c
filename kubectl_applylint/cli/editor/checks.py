"""Checks of a document: its findings as diagnostics and proven edits, with masked Secrets."""

from collections.abc import Iterator, Sequence
from functools import partial

from kubectl_applylint.cli.editor.texts import OpenText
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.state import flags_of
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import RuleSelection
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Finding, Report
from kubectl_applylint.report.formats.lsp import actions, diagnostic, problem_diagnostic
from kubectl_applylint.run.buffers import check_text
from kubectl_applylint.run.edits.file_fixes import FileFix, file_fixes
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.secrets.masking import mask_report
from kubectl_applylint.sources.text.text_edits import hunks


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A document with its diagnostics."""

    document: OpenText
    file: str
    """The name of the document in messages."""
    runs: LoadedUnits = field(default=LoadedUnits(()), repr=False)
    """The units that apply the document."""
    findings: tuple[tuple[Finding, JsonObject], ...] = ()
    """The findings, not masked, each with its diagnostic."""
    problems: tuple[JsonObject, ...] = ()
    """The diagnostics of problems."""

    @property
    def diagnostics(self) -> list[JsonObject]:
        """The diagnostics of the document."""
        return [*(one for _, one in self.findings), *self.problems]


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks documents with the options of a session."""

    arguments: Arguments
    """The command line of ``check``, with the settings of the editor as flags."""
    config: Config
    rules: RuleSelection
    policy: Policy

    def check_alone(self, document: OpenText, file: str) -> CheckedText:
        """Return a document that is checked as the only file."""
        rules = self.rules
        found, report = check_text(
            document.text,
            file,
            rules.rules,
            silent=rules.silent,
            flags=flags_of(self.arguments, self.config),
            version=self.config.kubernetes_version,
            policy=self.policy,
            lightest=None,
        )
        return self.with_diagnostics(document, file, LoadedUnits((LoadedUnit(None, found),)), report)

    def with_diagnostics(self, document: OpenText, file: str, runs: LoadedUnits, report: Report) -> CheckedText:
        """Return a document with the diagnostics of a report; the findings in other files are left out."""
        lines, by_id = document.lines, {rule.id: rule for rule in self.rules.rules}
        here = tuple(one for one in report.findings if one.location.is_text and one.location.file == file)
        safe = self._mask(replace(report, findings=here), runs)
        shown = [diagnostic(one, lines, by_id.get(one.rule)) for one in safe.findings]
        problems = [problem_diagnostic(problem, lines, file) for problem in safe.problems]
        return CheckedText(document, file, runs, tuple(zip(here, shown, strict=True)), tuple(problems))

    def _mask(self, report: Report, runs: LoadedUnits) -> Report:
        """Return a report without values of Secrets; edits that contain such values are left out."""
        return report if self.config.show_secrets else mask_report(report, runs.objects)

    def fixes(self, checked: CheckedText, first: int, last: int) -> list[JsonObject]:
        """Return the proven edits of the findings whose diagnostics start on some lines, as code actions."""
        document = checked.document
        wanting = [
            (one, shown)
            for one, shown in checked.findings
            if one.wanted and first <= shown["range"]["start"]["line"] <= last
        ]
        action = partial(actions, uri=document.uri, lines=document.lines)
        return [
            made for one, shown in wanting for fix in self._proven(checked, [one]) for made in action(fix, of=shown)
        ]

    def _proven(self, checked: CheckedText, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Yield a finding with its edits if they are proven in every unit that applies the document."""
        rules = self.rules
        for one in file_fixes(checked.runs, findings, rules.rules, rules.silent, is_unsafe=True):
            if isinstance(one, FileFix) and one.file == checked.file:
                (finding,) = one.findings
                fixed = replace(finding, edits=hunks(one.file, one.before, one.after))
                yield from self._mask(Report(findings=(fixed,)), checked.runs).findings
