"""The rules of a run and the findings that it hides: the configuration, combined with the rules and the baseline."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.language import Language
from kubectl_applylint.config.severities import RuleSeverities, rule_severities
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.lint.hiding import baseline
from kubectl_applylint.lint.hiding.baseline import Baseline, BaselineError
from kubectl_applylint.lint.hiding.former_ids import current_id, current_ids, rename_note
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Rule, Severity
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.families import choose
from kubectl_applylint.rulebook.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """The rules of a run."""

    rules: tuple[Rule, ...]
    silent: tuple[Rule, ...]
    """The ignored rules that explain rejections or refine other rules: no other rule replaces them."""
    known: frozenset[str]
    """The ids of all existing rules."""
    protected: frozenset[str]
    """The ids of rules whose findings cannot be hidden."""
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    """The configured severities by rule id, ``None`` for hidden findings."""
    notes: tuple[str, ...] = ()
    """Messages about ignores without effect."""


def all_rules(config: Config) -> tuple[Rule, ...]:
    """Return the rules of ``rules_of_folders``."""
    return rules_of_folders(config).rules


def rules_of_folders(config: Config) -> Rulebook:
    """Return the built-in rules and those of the folders; raise ``ConfigError`` for broken ones."""
    book = rulebook.load([Path(folder) for folder in config.rules])
    if book.problems:
        raise ConfigError(map(str, book.problems))
    return book if config.lang is Language.ENGLISH else book.in_language(config.lang)


def choose_rules(config: Config) -> RuleSelection:
    """Return the rules to run; raise ``ConfigError`` for unknown ones and for ignored ones that are protected."""
    book = rules_of_folders(config)
    rules, severities = book.rules, configured_severities(config, book)
    written, config = config, _with_current_ids(config, book)
    protected = _protected_ids(config, book)
    ignored = () if config.no_ignores else config.ignore
    wrong = [
        *_unknown_rule_errors(config, book),
        *_protected_rule_errors(config.place("ignore"), ignored, protected),
        *severities.faults,
    ]
    if wrong:
        raise ConfigError(wrong)
    choice = choose(rules, config.select, ignored, protected)
    return RuleSelection(
        rules=tuple(rule for rule in rules if rule.id in choice.running),
        silent=tuple(rule for rule in rules if rule.id in choice.ignored and (rule.remedy or rule.refines)),
        known=frozenset(rule.id for rule in rules),
        protected=protected,
        severities=severities.each,
        notes=(
            *severities.notes,
            *_still_running(config.place("ignore"), choice.protected),
            *_rename_notes(written, book),
        ),
    )


def configured_severities(config: Config, book: Rulebook) -> RuleSeverities:
    """Return the severities that the configuration gives to rules."""
    config = _with_current_ids(config, book)
    return rule_severities(() if config.no_ignores else config.severity, book.rules, _protected_ids(config, book))


def _protected_ids(config: Config, book: Rulebook) -> frozenset[str]:
    """Return the ids of the rules that cannot be ignored."""
    return frozenset(rule.id for rule in book.rules if not rule.ignorable) | set(config.non_ignorable)


def _with_current_ids(config: Config, book: Rulebook) -> Config:
    """Return the configuration with the current ids of renamed rules."""
    names = _names(book)
    return replace(
        config,
        select=current_ids(config.select, names),
        ignore=current_ids(config.ignore, names),
        non_ignorable=current_ids(config.non_ignorable, names),
        severity=tuple(replace(one, name=current_id(one.name, names)) for one in config.severity),
        waivers=tuple(replace(waiver, rules=current_ids(waiver.rules, names)) for waiver in config.waivers),
    )


def _rename_notes(config: Config, book: Rulebook) -> Iterator[str]:
    """Yield a note for each option that names rules by their former ids."""
    for name, ids in (("select", config.select), ("ignore", config.ignore), ("non-ignorable", config.non_ignorable)):
        words = rename_note(ids, _names(book))
        if words:
            yield f"{config.place(name)}: renamed rules: {words}"
    for setting in config.severity:
        words = rename_note([setting.name], _names(book))
        if words:
            yield f"{setting.place}: renamed rules: {words}"


def _names(book: Rulebook) -> Collection[str]:
    """Return the ids of all rules and families."""
    return {*(rule.id for rule in book.rules), *(family.id for family in book.families)}


def unknown_rules(where: str, names: Iterable[str], known: Iterable[str], what: str = "rule") -> Iterator[str]:
    """Yield a message for each unknown rule id, with a suggestion."""
    rules = list(known)
    for name in names:
        if name not in rules:
            words = meant(name, rules, otherwise="applylint rules lists all rules")
            yield f"{where}: unknown {what} {name!r}; {words}"


def _unknown_rule_errors(config: Config, book: Rulebook) -> Iterator[str]:
    rules = [rule.id for rule in book.rules]
    names = [*rules, *(family.id for family in book.families)]
    yield from unknown_rules(config.place("select"), config.select, names, "rule or family")
    yield from unknown_rules(config.place("ignore"), config.ignore, names, "rule or family")
    yield from unknown_rules(config.place("non-ignorable"), config.non_ignorable, rules)
    for waiver in config.waivers:
        yield from unknown_rules(str(waiver.place), waiver.rules, rules)
    for setting in config.severity:
        if not (setting.is_pattern and any(map(setting.matches, book.rules))):
            yield from unknown_rules(str(setting.place), [setting.name], names, "rule or family")


def _protected_rule_errors(where: str, ignored: Sequence[str], protected: frozenset[str]) -> Iterator[str]:
    for name in ignored:
        if name in protected:
            yield f"{where}: {name} cannot be ignored (applylint explain {name})"


def _still_running(where: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        verb = "still runs" if len(names) == 1 else "still run"
        yield f"{where}: {', '.join(names)} {verb}: cannot be ignored"


def policy_of(config: Config, rules: RuleSelection) -> Policy:
    """Return what is hidden, before the extent of the run is known; raise ``ConfigError`` for a broken baseline."""
    return Policy(
        waivers=config.waivers,
        baseline=read_baseline(config.baseline, rules.known) if config.baseline else None,
        protected=rules.protected,
        severities=rules.severities,
        known=rules.known,
        wants_reason=config.require_reason,
        is_off=config.no_ignores,
        today=date.today(),
        folder=Path.cwd().as_posix(),
    )


def read_baseline(file: str, known: Collection[str] = ()) -> Baseline:
    """Return the baseline in a file, with absolute names of files and current ids of the ``known`` rules.

    Raises ``ConfigError`` if the file is not a baseline.
    """
    try:
        found = baseline.read_baseline(Path(file).read_text(encoding="utf-8"), file)
    except UnicodeDecodeError:
        raise ConfigError([f"{file}: not UTF-8 text"]) from None
    except OSError as fault:
        advice = "; create it with: applylint baseline create" if isinstance(fault, FileNotFoundError) else ""
        raise ConfigError([f"{file}: the baseline cannot be read: {fault.strerror}{advice}"]) from None
    except BaselineError as fault:
        raise ConfigError([str(fault)]) from None
    folder = _folder(file)
    entries = (replace(item, file=item.file and os.path.normpath(folder / item.file)) for item in found.entries)
    current = tuple(replace(item, rule=current_id(item.rule, known)) for item in entries)
    words = rename_note(sorted({item.rule for item in found.entries}), known)
    return replace(found, file=os.path.relpath(file), entries=current, renamed=words)


def baseline_text(entries: Iterable[baseline.KnownFinding], file: str) -> str:
    """Return the text of a new baseline ``file``."""
    folder = _folder(file)
    return baseline.baseline_text(
        replace(item, file=item.file and Path(os.path.relpath(item.file, folder)).as_posix()) for item in entries
    )


def _folder(file: str) -> Path:
    return Path(file).absolute().parent
