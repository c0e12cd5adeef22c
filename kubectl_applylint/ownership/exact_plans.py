"""Plans for objects that are rendered together, with commands that write only to the objects of the plans.

``kubectl apply -k app`` applies the whole kustomization. It is offered if that is the next step of all these objects;
otherwise a step contains the object itself.
"""

from collections.abc import Callable, Sequence

from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.commands import as_single, by_source, is_rendered_with
from kubectl_applylint.ownership.step import Step, StepPlan


def exact_plans(subjects: Sequence[Subject], plan: Callable[[Subject], StepPlan]) -> list[StepPlan]:
    """Return the plan of each subject, in their order."""
    found = {id(subject): one for group in by_source(subjects) for subject, one in _group_plans(group, plan)}
    return [found[id(subject)] for subject in subjects]


def _group_plans(subjects: Sequence[Subject], plan: Callable[[Subject], StepPlan]) -> list[tuple[Subject, StepPlan]]:
    """Return the subjects of one file or rendering with their plans."""
    plans = [plan(subject) for subject in subjects]
    if subjects[0].document.rendering is None:
        return [*zip(subjects, plans, strict=True)]
    singles = [plan(as_single(subject)) for subject in subjects]
    pairs = [*zip(plans, singles, strict=True)]
    is_whole = _is_whole(subjects)
    has_same_steps = is_whole and _are_alike([(whole.steps, single.steps) for whole, single in pairs])
    has_same_alternative = is_whole and _are_alike([(_alternative(whole), _alternative(one)) for whole, one in pairs])
    chosen = (
        replace(
            whole,
            steps=whole.steps if has_same_steps else _single_steps(whole.steps, single.steps),
            alternative=whole.alternative
            if has_same_alternative
            else next(iter(_single_steps(_alternative(whole), _alternative(single))), None),
            back=whole.back if has_same_steps else single.back,
        )
        for whole, single in pairs
    )
    return [*zip(subjects, chosen, strict=True)]


def _is_whole(subjects: Sequence[Subject]) -> bool:
    """Return whether the subjects are the whole rendering, and a command can name its renderer.

    Standard input cannot be named, and one object need not be piped again.
    """
    first = subjects[0]
    others = sum(is_rendered_with(first.document, peer) for peer in first.peers)
    is_piped = first.document.rendering is not None and first.document.rendering.argument == "-f -"
    return others + 1 == len(subjects) and not (is_piped and not others)


def _alternative(plan: StepPlan) -> tuple[Step, ...]:
    """Return the alternative of a plan as a sequence."""
    return (plan.alternative,) if plan.alternative else ()


def _are_alike(pairs: Sequence[tuple[Sequence[Step], Sequence[Step]]]) -> bool:
    """Return whether the commands that write to all rendered objects are the same in all plans."""
    return len({tuple(w.command for w, s in zip(*each, strict=True) if w.command != s.command) for each in pairs}) == 1


def _single_steps(whole: Sequence[Step], single: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps for the object alone, each with the command for the whole rendering."""
    return tuple(replace(s, whole=w.command * (w.command != s.command)) for w, s in zip(whole, single, strict=True))
