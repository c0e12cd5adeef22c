"""The command ``lsp``: a language server for editors on standard input and output.

It needs pygls, which no other command imports. It reads the text in the editor and never a cluster.
"""

from importlib.util import find_spec
from typing import Final

from kubectl_applylint.cli.lsp_checks import TextChecker
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.state import flags_of
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.hiding import choose_rules, policy_of

_MISSING: Final = "lsp: pygls is not installed; install applylint with the extra lsp (docs/install.md)"


def lsp(program: str, arguments: Arguments, config: Config) -> int:
    """Serve an editor until it ends the session; raise ``ConfigError`` if pygls is not installed."""
    if find_spec("pygls") is None:
        raise ConfigError([_MISSING])
    from kubectl_applylint.cli.lsp_server import server  # noqa: PLC0415  400 ms, for pygls

    rules = choose_rules(config)
    policy = policy_of(config, rules)
    checker = TextChecker(rules, policy, flags_of(arguments, config), config.kubernetes_version, config.show_secrets)
    server(checker).start_io()
    return 0
