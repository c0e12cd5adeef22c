"""Proves for patterns that a backtracking matcher takes linear time.

The pattern becomes Glushkov's automaton, in which each character of the pattern is a state. Backtracking is linear if
no text leads two ways round the same state, and none both stays in one state and gets from it to another that it stays
in as well (Weideman and others, "Analyzing matching time behavior of backtracking regular expression matchers"). The
proof errs on the safe side: counted repetitions count as unbounded, zero-width assertions as always true.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations, product
from typing import Final, TypeAlias

from kubectl_applylint.core.patterns.go_chars import Ranges
from kubectl_applylint.core.patterns.go_regexp import Alternation, Assertion, Chars, Repeat, Series, Tree
from kubectl_applylint.core.records import dataclass, field

MOST_STATES: Final = 96
_MOST_CHOICES: Final = 12
_DEEPEST: Final = 40
_COPIES: Final = 40
_MOST_EDGES: Final = 200_000
_Pair: TypeAlias = tuple[int, int]
_Graph: TypeAlias = Mapping[_Pair, Sequence[_Pair]]


class _UnprovenError(Exception):
    """The pattern is too large, or has a form for which no proof is attempted."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the automaton: its possible first and last states, and whether it may be empty."""

    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    empty: bool = True


@dataclass(slots=True)
class _Automaton:
    """Glushkov's automaton under construction."""

    sets: list[Ranges] = field(default_factory=list)
    after: dict[int, set[int]] = field(default_factory=dict)
    choices: int = 0

    def state(self, ranges: Ranges) -> _Part:
        """Add a state for a set of characters; return the part that consists of it."""
        if len(self.sets) >= MOST_STATES:
            raise _UnprovenError
        self.sets.append(ranges)
        self.after[len(self.sets) - 1] = set()
        only = frozenset((len(self.sets) - 1,))
        return _Part(only, only, empty=False)

    def link(self, left: _Part, right: _Part) -> None:
        """Let every last state of one part lead to every first state of another."""
        for state in left.last:
            if self.after[state] & right.first:  # Two reasons for the same step: a loop within a loop.
                raise _UnprovenError
            self.after[state] |= right.first


def is_linear(tree: Tree) -> bool:
    """Return whether matching a pattern at one position is proven to take time linear in the length of the text."""
    automaton = _Automaton()
    try:
        whole = _automaton_part(tree, automaton)
        ambiguous = _is_ambiguous(_pairs(automaton, whole))
    except _UnprovenError:
        return False
    return not ambiguous and automaton.choices + _forks(automaton, whole) <= _MOST_CHOICES


def has_loop(tree: Tree) -> bool:
    """Return whether a pattern matches texts of unbounded length."""
    match tree:
        case Repeat(part, _, most):
            return most is None or has_loop(part)
        case Series(parts) | Alternation(parts):
            return any(map(has_loop, parts))
        case _:
            return False


def is_exact(tree: Tree) -> bool:
    """Return whether all sets of characters in a pattern are known."""
    match tree:
        case Chars(_, exact):
            return exact
        case Repeat(part):
            return is_exact(part)
        case Series(parts) | Alternation(parts):
            return all(map(is_exact, parts))
        case _:
            return True


def is_shallow(tree: Tree) -> bool:
    """Return whether a pattern nests so little that recursion can process it."""
    waiting: list[tuple[Tree, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > _DEEPEST:
            return False
        match node:
            case Repeat(part):
                waiting.append((part, depth + 1))
            case Series(parts) | Alternation(parts):
                waiting.extend((part, depth + 1) for part in parts)
            case _:
                pass
    return True


def _automaton_part(tree: Tree, automaton: _Automaton) -> _Part:
    """Add a pattern to the automaton; return its part."""
    match tree:
        case Chars(ranges):
            return automaton.state(ranges)
        case Assertion():
            return _Part()
        case Series(parts):
            return reduce(
                lambda left, part: _sequence(left, _automaton_part(part, automaton), automaton), parts, _Part()
            )
        case Alternation(parts):
            return _alternation([_automaton_part(part, automaton) for part in parts], automaton)
        case Repeat():
            return _repetition(tree, automaton)


def _sequence(left: _Part, right: _Part, automaton: _Automaton) -> _Part:
    """Return the part of two parts in sequence, after linking them."""
    automaton.link(left, right)
    first = left.first | right.first if left.empty else left.first
    last = left.last | right.last if right.empty else right.last
    return _Part(first, last, left.empty and right.empty)


def _alternation(parts: Sequence[_Part], automaton: _Automaton) -> _Part:
    """Return the part of alternatives."""
    automaton.choices += max(0, sum(part.empty for part in parts) - 1)
    first = frozenset[int]().union(*(part.first for part in parts))
    last = frozenset[int]().union(*(part.last for part in parts))
    return _Part(first, last, any(part.empty for part in parts))


def _repetition(tree: Repeat, automaton: _Automaton) -> _Part:
    if tree.most == 0:
        return _Part()
    if tree.most == tree.least and tree.least <= _COPIES:
        copies = Series((tree.part,) * tree.least)
        return _automaton_part(copies, automaton)
    inner = _automaton_part(tree.part, automaton)
    if tree.most == 1:
        automaton.choices += inner.empty
        return _Part(inner.first, inner.last)
    if inner.empty and inner.first:
        raise _UnprovenError
    automaton.link(inner, inner)
    return _Part(inner.first, inner.last, tree.least == 0)


def _overlap(left: Ranges, right: Ranges) -> bool:
    """Return whether two sets of characters have one in common."""
    return any(low <= top and bottom <= high for (low, high), (bottom, top) in product(left, right))


def _forks(automaton: _Automaton, whole: _Part) -> int:
    """Return at how many positions one character may lead to several states."""
    return sum(
        any(_overlap(automaton.sets[one], automaton.sets[other]) for one, other in combinations(ahead, 2))
        for ahead in (whole.first, *automaton.after.values())
    )


def _pairs(automaton: _Automaton, whole: _Part) -> _Graph:
    """Return the pairs of states that one text may lead to, each with the pairs after one more character."""
    sets = automaton.sets
    alike = {
        (one, other)
        for one, other in product(range(len(sets)), repeat=2)
        if one == other or _overlap(sets[one], sets[other])
    }
    found: dict[_Pair, list[_Pair]] = {}
    waiting = [pair for pair in product(whole.first, repeat=2) if pair in alike]
    edges = 0
    while waiting:
        pair = waiting.pop()
        if pair in found:
            continue
        found[pair] = [each for each in product(*(automaton.after[state] for state in pair)) if each in alike]
        edges += len(found[pair])
        if edges > _MOST_EDGES:
            raise _UnprovenError
        waiting += found[pair]
    return found


def _is_ambiguous(pairs: _Graph) -> bool:
    """Return whether two ways round one loop, or one from a loop to another, may read the same text."""
    backwards: dict[_Pair, list[_Pair]] = {pair: [] for pair in pairs}
    for pair, ahead in pairs.items():
        for each in ahead:
            backwards[each].append(pair)
    seen: set[_Pair] = set()
    for pair in reversed(_postorder(pairs)):
        component = _component(backwards, [pair], seen)
        split = [each for each in component if each[0] != each[1]]
        is_loop = len(component) > 1 or pair in pairs[pair]
        if is_loop and split and (len(split) < len(component) or _may_leave(pairs, split)):
            return True
    return False


def _may_leave(pairs: _Graph, split: Sequence[_Pair]) -> bool:
    """Return whether a text that leads round both loops of a pair may also lead from one to the other."""
    return any(_leads_across(pairs, one, other) for one, other in split if (one, one) in pairs)


def _leads_across(pairs: _Graph, one: int, other: int) -> bool:
    """Return whether three runs of one text may go round the loop of a pair, across, and round the other loop."""
    waiting, seen = [(one, one, other)], set[tuple[int, int, int]]()
    while waiting:
        left, middle, right = waiting.pop()
        for first, second in pairs[left, middle]:
            ahead = [(first, second, third) for where, third in pairs[left, right] if where == first]
            fresh = [each for each in ahead if (second, each[2]) in pairs and each not in seen]
            seen.update(fresh)
            waiting += fresh
        if len(seen) > _MOST_EDGES:
            raise _UnprovenError
        if (one, other, other) in seen:
            return True
    return False


def _postorder(graph: _Graph) -> list[_Pair]:
    """Return the pairs in postorder of a depth-first search."""
    left: list[_Pair] = []
    seen: set[_Pair] = set()
    for start in graph:
        waiting = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while waiting:
            pair, ahead = waiting[-1]
            following = next((each for each in ahead if each not in seen), None)
            if following is None:
                left.append(pair)
                waiting.pop()
            else:
                seen.add(following)
                waiting.append((following, iter(graph[following])))
    return left


def _component(graph: _Graph, starts: Sequence[_Pair], seen: set[_Pair]) -> list[_Pair]:
    """Return the unseen pairs that can be reached, and add them to ``seen``."""
    waiting, reached = [*starts], []
    while waiting:
        pair = waiting.pop()
        if pair not in seen:
            seen.add(pair)
            reached.append(pair)
            waiting += graph[pair]
    return reached
