"""The commands: what each looks at, how it is judged, and which code it ends with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.hiding import Chosen, all_rules, chosen, policy_of, with_extent
from kubectl_applylint.cli.output import read_stdin, say
from kubectl_applylint.cli.progress import watched
from kubectl_applylint.cli.round_trip import of_every_commit, refuse_revert, repeated, reverted, tell
from kubectl_applylint.cli.show import RENDERERS, refuse_forms, show
from kubectl_applylint.cli.state import flags_of, known
from kubectl_applylint.cli.stopwatch import phase
from kubectl_applylint.config.configuration import Config, Kind
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Report, Scenario, Subject
from kubectl_applylint.lint.run import lint, unforetold, way_out
from kubectl_applylint.lint.subjects import Unforetold
from kubectl_applylint.run.files import Survey, survey
from kubectl_applylint.run.known import Known
from kubectl_applylint.run.live import survey_applied
from kubectl_applylint.sources.discovery import is_segment
from kubectl_applylint.sources.processes import spread

CLEAN, FAILING, INCOMPLETE = 0, 1, 3


def check(program: str, arguments: Arguments, config: Config) -> int:
    """Report the hazards of an apply; 1 if one is heavy enough."""
    refuse_forms("check", config, RENDERERS["check"])
    judged = judge(program, arguments, config)
    report = judged.report
    show(report, judged.found, config, program=program, command="check", rules=judged.rules.rules)
    failing = any(finding.severity.rank <= config.fail_on.rank for finding in report.findings)
    return _code(report, failing and not config.exit_zero)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules found, and what they ran on."""

    report: Report
    found: Survey
    rules: Chosen
    policy: Policy


def judge(program: str, arguments: Arguments, config: Config) -> Judged:
    """Run the rules on what the arguments name."""
    rules = chosen(config)
    policy = policy_of(config, rules)
    found = gather(program, arguments, config, unknown="the rules that need it did not run")
    policy = with_extent(policy, arguments, config, found)
    subjects = watched((*found.subjects, *found.departed()), "checking object")
    shared = partial(spread, applies=sum(1 + len(subject.otherwise) for subject in found.subjects))
    report = lint(subjects, rules.rules, silent=rules.silent, texts=found.texts, policy=policy, spread=shared)
    return Judged(found.complete(report), found, rules, policy)


def plan(program: str, arguments: Arguments, config: Config) -> int:
    """Foretell what the apply does to each object; 1 if one would be refused."""
    refuse_forms("plan", config, RENDERERS["plan"])
    found = gather(program, arguments, config, unknown="plan shows a fresh install")
    known = [subject for subject in found.subjects if subject.document.has_manifest]
    foretold = [foretell(subject) for subject in watched(known, "foretelling object")]
    told = [
        (subject, item[0], _as_known(subject, item[1], found, config))
        for subject, item in zip(known, foretold, strict=True)
        if not isinstance(item, Problem)
    ]
    problems = tuple(item for item in foretold if isinstance(item, Problem))
    left = () if problems else found.left
    report = found.complete(
        Report(outcomes=(*found.named(_with_ways_out(told, config)), *left), problems=problems, checked=len(known)),
    )
    show(report, found, config, program=program, command="plan")
    return _code(report, any(outcome.refused for _, outcome in report.outcomes) and not config.exit_zero)


def revert(program: str, arguments: Arguments, config: Config) -> int:
    """Tell what a revert of the change does not undo; 1 if there is something."""
    refuse_revert(config)
    found = gather(program, arguments, config, unknown="there is nothing to lead back to")
    report = tell(program, arguments, config, found, reverted(found))
    return _code(report, bool(report.outcomes) and not config.exit_zero)


def again(program: str, arguments: Arguments, config: Config) -> int:
    """Tell what a second apply, or a way over every commit, still changes; 1 if there is something."""
    found = gather(program, arguments, config, unknown="the first apply is taken for a fresh install")
    told = of_every_commit(found) if arguments.every_commit else repeated(found)
    report = tell(program, arguments, config, found, told)
    return _code(report, bool(report.outcomes) and not config.exit_zero)


def gather(program: str, arguments: Arguments, config: Config, *, unknown: str) -> Survey:
    """Return the subjects of the files, or else of the cluster, and say what they were compared with.

    ``unknown`` says what follows where the live state is not known.
    """
    phase("it read what the manifests are compared with")
    with known(arguments, config) as source:
        phase("it read the manifests and the live objects")
        is_cluster = not arguments.files and source.base is None
        found = _of_cluster(arguments, config, source) if is_cluster else _of_files(arguments, config, source)
    if not found.origin:
        lost = "it could not be read" if config.against.kind is not Kind.NONE and found.problems else unknown
        found = replace(found, notes=(f"the live state is unknown: {lost}", *found.notes))
    phase(f"it examined {len(found.subjects)} objects")
    say(program, found.notes)
    return found


def _of_files(arguments: Arguments, config: Config, source: Known) -> Survey:
    found = survey(
        arguments.files,
        recursive=arguments.recursive,
        stdin=read_stdin,
        known=source,
        flags=flags_of(arguments, config),
        kubernetes_version=config.kubernetes_version,
        explicit=arguments.named,
    )
    return replace(found, notes=(f"compared with {found.origin}", *found.notes)) if found.origin else found


def _of_cluster(arguments: Arguments, config: Config, source: Known) -> Survey:
    namespace = "" if arguments.all_namespaces else config.namespace or source.namespace
    found = survey_applied(
        source,
        namespace=namespace,
        selector=arguments.apply.selector,
        kubernetes_version=config.kubernetes_version,
        flags=flags_of(arguments, config),
    )
    where = f"namespace {namespace}" if namespace else "all namespaces"
    notes = [f"examined what kubectl apply has made in {where} of {found.origin}", *found.notes]
    lost = sum(not document.has_manifest for document in found.documents)
    if lost:
        notes.append(f"nobody knows what was last applied to {lost} of these objects; check tells why")
    return replace(found, notes=tuple(notes)) if found.origin else found


def _as_known(subject: Subject, outcome: Outcome, found: Survey, config: Config) -> Outcome:
    """Return the outcome, or that it is unknown where somebody looked for the live object and could not read it.

    What kubectl itself refuses before it asks a server is refused all the same.
    """
    live, origin = subject.state.live, subject.state.origin
    is_sought = bool(origin) if found.origin else config.against.kind is not Kind.NONE
    is_sure = outcome.refused and (outcome.status is None or not is_segment(subject.ref.name))
    if not isinstance(live, Unknown) or subject.state.simulated or not is_sought or is_sure:
        return outcome
    doubt = Confidence(Level.LOW, (f"the live object could not be read: {live.reason}",))
    return Outcome(outcome.ref, Verdict.UNKNOWN, warnings=outcome.warnings, confidence=doubt)


def _with_ways_out(
    told: Sequence[tuple[Subject, Document, Outcome]], config: Config
) -> Iterator[tuple[Document, Outcome]]:
    """Yield the outcomes, those of refusals with what helps; the rules are read only where there are some."""
    rules = all_rules(config) if any(outcome.refused for _, _, outcome in told) else ()
    for subject, document, outcome in told:
        yield (
            document,
            replace(outcome, remedy=outcome.remedy or way_out(subject, rules)) if outcome.refused else outcome,
        )


def foretell(subject: Subject) -> tuple[Document, Outcome] | Problem:
    """Return what the apply does to one object, or the fault of the engine that kept it from telling."""
    try:
        return subject.document, subject.foretell(Scenario.APPLY)
    except Unforetold as fault:
        return unforetold(subject, fault)


def _code(report: Report, failing: bool) -> int:
    if report.problems:
        return INCOMPLETE
    return FAILING if failing else CLEAN
