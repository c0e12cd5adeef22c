"""Explains printed errors by the rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shlex import quote
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.engine.errors import error_text, first_facts, text_without_values
from kubectl_applylint.lint.errors.error_log import LoggedError
from kubectl_applylint.lint.fixes.text import fix_text
from kubectl_applylint.lint.model import Rule

_SOME_FILE: Final = "its-manifest.yaml"
_KUBECTL: Final = "kubectl"
_NO_FILES: Final = ("", "STDIN", "-")


@dataclass(frozen=True, slots=True)
class Explanation:
    """A rule that explains an error, its texts filled with facts of the error; ``<name>`` for unknown ones."""

    rule: Rule
    fix: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Errors of one object with the same explanations: one, several possible ones, or none."""

    failure: LoggedError
    said: tuple[str, ...]
    """kubectl's messages, one line each, without values of Secrets."""
    fields: tuple[str, ...]
    explanations: tuple[Explanation, ...]

    @property
    def known(self) -> bool:
        """Whether a rule explains it."""
        return bool(self.explanations)


def diagnose(failures: Sequence[LoggedError], rules: Iterable[Rule]) -> tuple[Diagnosis, ...]:
    """Return the diagnoses of errors, in their order.

    Unexplained warnings are left out, and so is text without the form of an error, unless there is nothing else.
    """
    knowing = sorted((rule for rule in rules if rule.errors), key=lambda rule: (rule.order, rule.id))
    found = [diagnosis for failure in failures for diagnosis in _diagnoses(failure, knowing)]
    shown = [d for d in found if d.known or not (d.failure.warning or d.failure.loose)]
    return tuple(shown or [d for d in found if not d.failure.warning])


def _diagnoses(failure: LoggedError, rules: Sequence[Rule]) -> Iterator[Diagnosis]:
    by_rules: dict[tuple[str, ...], list[FieldError]] = {}
    own = {cause: _explaining_rules(failure.kind, cause, rules) for cause in failure.causes}
    others = {rule.id: rule for found in own.values() for rule in found}
    for cause, found in own.items():
        chosen = _root_cause_rule(failure.kind, cause, others.values()) or found
        by_rules.setdefault(tuple(rule.id for rule in chosen), []).append(cause)
    for ids, causes in by_rules.items():
        yield Diagnosis(
            failure=failure,
            said=tuple(_error_text(failure, cause) for cause in causes),
            fields=tuple(cause.field for cause in causes),
            explanations=tuple(_explanation(failure, causes[0], others[name]) for name in ids),
        )


def _explaining_rules(kind: str, cause: FieldError, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules that explain an error: specific ones, or else general ones.

    The error does not say which program printed it, so a rule about another program does not refine one about kubectl.
    """
    every = [rule for rule in rules if _facts(rule, kind, cause) is not None]
    ids = {rule.id for rule in every}
    found = [rule for rule in every if _is_about_kubectl(rule) or ids.isdisjoint(rule.refines)]
    return tuple(rule for rule in found if rule.order == found[0].order)


def _is_about_kubectl(rule: Rule) -> bool:
    return any(applier.startswith(_KUBECTL) for applier in rule.appliers)


def _root_cause_rule(kind: str, cause: FieldError, others: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return the rule that explains another error of the object from which this one follows."""
    following = ((rule, [error for error in rule.errors if error.follows]) for rule in others)
    return tuple(rule for rule, errors in following if first_facts(errors, kind, cause) is not None)[:1]


def _facts(rule: Rule, kind: str, cause: FieldError) -> Mapping[str, str] | None:
    """Return the facts that the patterns of a rule extract from an error, ``None`` if none matches."""
    return first_facts([error for error in rule.errors if not error.follows], kind, cause)


def _explanation(failure: LoggedError, cause: FieldError, rule: Rule) -> Explanation:
    facts = _facts(rule, failure.kind, cause) or {}
    words = _Words({"apply": rule.apply, **_words(failure, cause), **facts})
    return Explanation(rule, fix=fix_text(rule.fix, words), remedy=rule.remedy.format_map(words))


class _Words(dict[str, str]):
    """Placeholder values; a missing one is ``<name>``."""

    def __missing__(self, name: str) -> str:
        return f"<{name}>"


def _words(failure: LoggedError, cause: FieldError) -> Mapping[str, str]:
    """Return the values of the common placeholders for an error."""
    namespace = f" -n {failure.namespace}" if failure.namespace not in ("", "default") else ""
    target = f"{failure.kind.lower() or '<kind>'}/{failure.name or '<name>'}"
    file = _SOME_FILE if failure.file in _NO_FILES else quote(failure.file)
    known = {"kind": failure.kind, "name": failure.name, "namespace": failure.namespace, "path": cause.field}
    return {
        **{name: value for name, value in known.items() if value},
        "object": target,
        "ns": namespace,
        "resource": target + namespace,
        "existing": target + namespace,
        "new": "",
        "recreated": target + namespace,
        "pointer": "",
        "remembered": "",
        "prune": "",
        "suggestion": "",
        "file": file,
        "from": f"-f {file}{namespace}",
        "all": f"-f {file}{namespace}",
        "changed": cause.field or "<changed>",
        "field": cause.field,
        "message": cause.message,
    }


def _error_text(failure: LoggedError, cause: FieldError) -> str:
    """Return the text of an error without values of Secrets."""
    secret = failure.kind.lower() in ("secret", "secrets") or cause.field == "patch"
    return error_text(text_without_values(cause) if secret else cause)
