"""The settings of an editor: options as in a configuration file, which the user of the editor is trusted with."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kubectl_applylint.cli.editor.checks import Checker
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.config.configuration import Config, ConfigError, load
from kubectl_applylint.config.hiding import choose_rules, policy_of
from kubectl_applylint.config.language import language_of
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.run.compare.against import NOTHING

SECTION: Final = "applylint"
OPTIONS: Final = ("against", "applier", "ignore", "kubernetes-version", "namespace", "select")
"""The options of the configuration that an editor can set."""
CONTEXT: Final = "context"
"""The context of the kubeconfig, for ``against: live``."""
_OF_CLIENTS: Final = ("path", "trace")
"""Settings of the client in the same section."""


def checker_of(arguments: Arguments, settings: Json) -> Checker:
    """Return the checker for the command line and the settings of an editor; raise ``ConfigError`` for invalid ones.

    A cluster is asked only if the settings say so, whatever a configuration file says.
    """
    found = mapping(mapping(settings).get(SECTION, settings))
    faults = list(_faults(found))
    if faults:
        raise ConfigError(faults)
    given = {name: _texts(found[name]) for name in OPTIONS if found.get(name)}
    config = load({**arguments.flags, **given}, os.environ, Path.cwd(), _defaults(), file=arguments.config)
    if config.against.asks_cluster and "against" not in given:
        config = replace(config, against=NOTHING)
    connection = replace(arguments.connection, context=found.get(CONTEXT) or arguments.connection.context)
    # With this flag, units are not compared with states of their own, either.
    flags = {**arguments.flags, **given, "against": (str(config.against),)}
    rules = choose_rules(config)
    of_check = replace(arguments, command="check", flags=flags, connection=connection)
    return Checker(of_check, config, rules, policy_of(config, rules))


def _defaults() -> Config:
    return Config(lang=language_of(os.environ))


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _faults(settings: Mapping[str, Json]) -> Iterator[str]:
    """Yield the errors of settings: unknown names, and values that are not texts."""
    known = (*OPTIONS, CONTEXT)
    listed = f"the settings are {', '.join(known)}"
    for name, value in settings.items():
        if name in _OF_CLIENTS or value is None:
            continue
        if name not in known:
            yield f"{SECTION}.{name}: unknown setting; {meant(name, known, otherwise=listed)}"
        elif not all(isinstance(one, str) for one in _texts(value)) or (name == CONTEXT and isinstance(value, list)):
            yield f"{SECTION}.{name}: expected a string{'' if name == CONTEXT else ', or a list of strings'}"
