"""Checks of one document for the language server: like a file, with masked Secrets."""

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.config.hiding import RuleSelection
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.report.formats.lsp import actions, diagnostic, problem_diagnostic
from kubectl_applylint.run.buffers import check_text
from kubectl_applylint.secrets.masking import mask_report


@dataclass(frozen=True, slots=True)
class TextFindings:
    """The diagnostics of a document, and the quick fixes for them."""

    diagnostics: tuple[JsonObject, ...] = ()
    actions: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class TextChecker:
    """Checks texts of an editor with the rules and flags of a session."""

    rules: RuleSelection
    policy: Policy
    flags: Flags
    version: str
    shows_secrets: bool = False

    def check(self, text: str, file: str, uri: str) -> TextFindings:
        """Return the findings of a text, with masked Secrets; edits that contain Secret values are left out."""
        rules = self.rules
        found, report = check_text(
            text, file, rules.rules, silent=rules.silent, flags=self.flags, version=self.version, policy=self.policy
        )
        safe = report if self.shows_secrets else mask_report(report, found.objects)
        lines, by_id = text.split("\n"), {rule.id: rule for rule in rules.rules}
        here = [one for one in safe.findings if one.location.is_text and one.location.file == file]
        diagnostics = [diagnostic(one, lines, by_id.get(one.rule)) for one in here]
        fixes = [fix for one, said in zip(here, diagnostics, strict=True) for fix in actions(one, uri, lines, said)]
        unread = [problem_diagnostic(problem, lines) for problem in safe.problems]
        return TextFindings((*diagnostics, *unread), tuple(fixes))
