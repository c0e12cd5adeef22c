"""Checks the text of an editor buffer, without reading any other file."""

from collections.abc import Sequence
from shlex import quote

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import NO_POLICY, Policy
from kubectl_applylint.lint.model import Report, Rule, Severity
from kubectl_applylint.run.edits.proofs import prove_fixes
from kubectl_applylint.run.evaluate import check
from kubectl_applylint.run.load.excuses import without_extra_files, without_nameless
from kubectl_applylint.run.load.run_input import RunInput, input_of_manifests
from kubectl_applylint.sources.text.manifests import read_text


def check_text(
    text: str,
    file: str,
    rules: Sequence[Rule],
    *,
    silent: Sequence[Rule] = (),
    flags: Flags = NO_FLAGS,
    version: str = "",
    policy: Policy = NO_POLICY,
    lightest: Severity | None = Severity.INFO,
) -> tuple[RunInput, Report]:
    """Return the input of a check of one text and the report with its proven edits (``prove_fixes``).

    The text is checked as one file of a unit. Definitions and objects of other files are unknown, so findings that need
    them are not reported. ``version`` is that of Kubernetes, empty for the newest.
    """
    part = replace(flags, is_unit=True, unit_arguments=f"-f {quote(file)}")
    given = without_nameless(without_extra_files(read_text(text, file), ()))
    found = replace(input_of_manifests(given, flags=part, kubernetes_version=version), is_unit=True)
    report = check(found, Dispatch(rules, silent), policy=policy)
    return found, prove_fixes(found, report, rules, silent, lightest=lightest)
