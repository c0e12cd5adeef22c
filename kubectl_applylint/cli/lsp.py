"""The command ``lsp``: a language server for editors, over standard input and output.

It needs pygls, which no other command imports. It reads the text of the editor, never a cluster.
"""

from importlib.util import find_spec
from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.state import flags_of
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.hiding import Chosen, chosen, policy_of
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.report.lsp import actions, diagnostic, problem_diagnostic
from kubectl_applylint.run.buffers import check_text
from kubectl_applylint.secrets.masking import mask_report

_MISSING: Final = "lsp: pygls is not installed; install it with pip install 'kubectl-applylint[lsp]'"


@dataclass(frozen=True, slots=True)
class Told:
    """What was found in a document: diagnostics, and the quick fixes for them."""

    diagnostics: tuple[JsonObject, ...] = ()
    actions: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """What texts are judged by."""

    rules: Chosen
    policy: Policy
    flags: Flags
    version: str
    shows_secrets: bool = False

    def told(self, text: str, file: str, uri: str) -> Told:
        """Return what is found in a text; values of Secrets are masked, and an edit that has one is left out."""
        rules = self.rules
        found, report = check_text(
            text,
            file,
            rules.rules,
            silent=rules.silent,
            flags=self.flags,
            version=self.version,
            policy=self.policy,
        )
        safe = report if self.shows_secrets else mask_report(report, found.objects)
        lines, by_id = text.split("\n"), {rule.id: rule for rule in rules.rules}
        here = [one for one in safe.findings if one.location.is_text and one.location.file == file]
        diagnostics = [diagnostic(one, lines, by_id.get(one.rule)) for one in here]
        fixes = [fix for one, said in zip(here, diagnostics, strict=True) for fix in actions(one, uri, lines, said)]
        unread = [problem_diagnostic(problem, lines) for problem in safe.problems]
        return Told((*diagnostics, *unread), tuple(fixes))


def lsp(program: str, arguments: Arguments, config: Config) -> int:
    """Serve an editor until it ends the session; raise ``ConfigError`` where pygls is not installed."""
    if find_spec("pygls") is None:
        raise ConfigError([_MISSING])
    from kubectl_applylint.cli.lsp_server import server  # noqa: PLC0415  it imports pygls

    rules = chosen(config)
    policy = policy_of(config, rules)
    judge = Judge(rules, policy, flags_of(arguments, config), config.kubernetes_version, config.show_secrets)
    server(judge).start_io()
    return 0
