"""The command ``baseline``: writes known findings to a file, and removes obsolete ones."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.run import Checked, check_units
from kubectl_applylint.cli.terminal.output import say, write
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import all_rules, baseline_text, read_baseline
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target, one_line
from kubectl_applylint.lint.hiding.baseline import KnownFinding, entry, obsolete_entries
from kubectl_applylint.lint.hiding.suppress import Examined, Policy, absolute, examined_scope
from kubectl_applylint.lint.model import Finding
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.text import problem_line
from kubectl_applylint.report.words import count
from kubectl_applylint.secrets.masking import mask_report

DEFAULT: Final = ".applylint-baseline.json"
"""The default file."""
_DONE, _INCOMPLETE = 0, 3


def baseline(program: str, arguments: Arguments, config: Config) -> int:
    """Write the baseline; return 3 and write nothing if some input could not be examined."""
    return _ACTIONS[arguments.action](program, arguments, config)


def _create(program: str, arguments: Arguments, config: Config) -> int:
    """Write the known findings to a new baseline."""
    file = config.baseline or DEFAULT
    if os.path.lexists(file):
        read_baseline(file)  # It is the one file that is replaced; another one is not, wherever its name came from.
    checked = check_units(program, arguments, replace(config, baseline=""))
    if _is_broken(program, checked, file):
        return _INCOMPLETE
    known = [finding for finding in checked.result.report.findings if finding.rule not in checked.policy.protected]
    write(baseline_text(_entries(known, checked.policy), file), file, Target.JSON)
    say(program, _result_lines(file, len(known), len(checked.result.report.findings), is_named=bool(config.baseline)))
    return _DONE


def _prune(program: str, arguments: Arguments, config: Config) -> int:
    """Remove obsolete findings from the baseline."""
    file = config.baseline or DEFAULT
    before = read_baseline(file, {rule.id for rule in all_rules(config)})
    checked = check_units(program, arguments, replace(config, baseline=""))
    if _is_broken(program, checked, file):
        return _INCOMPLETE
    report = checked.result.report
    findings = [*report.findings, *(hidden.finding for hidden in report.suppressed)]
    examined = Examined(checked.result.runs.subjects, frozenset(rule.id for rule in checked.rules.rules), report.skips)
    gone = {
        *obsolete_entries(before, findings, examined_scope(examined, checked.policy)),
        *(item for item in before.entries if item.file and not os.path.exists(item.file)),
    }
    if gone:
        write(baseline_text((item for item in before.entries if item not in gone), file), file, Target.JSON)
    write("".join(f"{one_line(_words(item))}\n" for item in sorted(gone)))
    say(program, [f"{file}: {len(gone)} of {count(len(before.entries), 'finding')} removed"])
    return _DONE


def _entries(findings: Iterable[Finding], policy: Policy) -> Iterable[KnownFinding]:
    return (entry(finding, absolute(finding.location, policy)) for finding in findings)


def _words(item: KnownFinding) -> str:
    """Return the text of a baseline entry."""
    where = f" in {item.namespace}" if item.namespace else ""
    return f"{item.rule}: {item.object}{where}{item.path and f' {item.path}'}"


def _result_lines(file: str, known: int, found: int, *, is_named: bool) -> Iterable[str]:
    """Yield the lines about a written baseline."""
    yield f"{file}: {count(known, 'finding')} written"
    if known < found:
        yield f"{count(found - known, 'finding')} of rules that cannot be ignored left out"
    if not is_named:
        yield f"to use it: --baseline {file}, or baseline: {file} in .applylint.yaml"


def _is_broken(program: str, checked: Checked, file: str) -> bool:
    """Report problems of a check, and return whether there are any."""
    safe = mask_report(checked.result.report, checked.result.runs.objects)
    say(program, (problem_line(problem, Context()) for problem in safe.problems))
    if safe.problems:
        say(program, [f"{file}: not changed, because not everything could be checked"])
    return bool(safe.problems)


_ACTIONS: Final[Mapping[str, Callable[[str, Arguments, Config], int]]] = {"create": _create, "prune": _prune}
