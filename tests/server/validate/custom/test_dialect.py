"""Functions of texts, lists, sets and optional values: examples of cel-go's ``ext``, as Kubernetes 1.36 has them."""

import pytest

from kubectl_applylint.core.values import Json
from tests.server.validate.custom.values import outcome


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("'hello'.charAt(4)", "o"),
        ("'hello'.charAt(5)", ""),
        ("'hello'.charAt(6)", "open"),
        ("'hello'.charAt(-1)", "open"),
        ("'hello mellow'.indexOf('ello', 2)", 7),
        ("'hello mellow'.indexOf('jello')", -1),
        ("'hello mellow'.indexOf('')", 0),
        ("'hello'.indexOf('l', -2)", "open"),
        ("'hello'.indexOf('l', 9)", -1),
        ("'abc'.indexOf('', 5)", 5),
        ("'hello mellow'.lastIndexOf('ello')", 7),
        ("'tacocat'.substring(4)", "cat"),
        ("'tacocat'.substring(0, 4)", "taco"),
        ("'tacocat'.substring(7)", ""),
        ("'tacocat'.substring(8)", "open"),
        ("'tacocat'.substring(2, 1)", "open"),
        ("'hello hello'.replace('he', 'we', 1)", "wello hello"),
        ("'hello hello'.replace('he', 'we', 0)", "hello hello"),
        ("'hello hello'.replace('he', 'we', -1)", "wello wello"),
        ("'ab'.replace('', '_')", "_a_b_"),
        ("'a b c'.split(' ')", ["a", "b", "c"]),
        ("'a b c'.split(' ', 0)", []),
        ("'a b c'.split(' ', 1)", ["a b c"]),
        ("'a b c'.split(' ', 2)", ["a", "b c"]),
        ("'a b c'.split(' ', -1)", ["a", "b", "c"]),
        ("'abc'.split('')", ["a", "b", "c"]),
        ("'abc'.split('', 1)", ["abc"]),
        ("'abc'.split('', 2)", ["a", "bc"]),
        ("'abc'.split('', 7)", ["a", "b", "c"]),
        ("''.split('', 2)", []),
        ("'TacoCÆt'.lowerAscii()", "tacocÆt"),
        ("'TacoCÆt xii'.upperAscii()", "TACOCÆT XII"),
        ("'  \\ttrim\\n '.trim()", "trim"),
        ("'\\u001cx\\u3000'.trim().size()", 2),
        ("['hello', 'mellow'].join()", "hellomellow"),
        ("['hello', 'mellow'].join(' ')", "hello mellow"),
        ("[].join('/')", ""),
        ("'abc 123'.find('[0-9]+')", "123"),
        ("'abc'.find('[0-9]+')", ""),
        ("'123 abc 456'.findAll('[0-9]+')", ["123", "456"]),
        ("'123 abc 456'.findAll('[0-9]+', 1)", ["123"]),
        ("'123 abc 456'.findAll('[0-9]+', 0)", []),
        ("'123 abc 456'.findAll('[a-z]{4}')", []),
        ("'foobar'.matches('o.b')", True),
        ("'foobar'.matches('^o')", False),
        ("'%s is %d of %s, 100%%'.format(['a', 3, true])", "a is 3 of true, 100%"),
        ("'%x'.format([1])", "open"),
        ("'%s'.format([])", "open"),
        ("'%s %s'.format(['a'])", "open"),
        ("'abc'.contains('bc')", True),
    ],
)
def test_texts(expression: str, result: Json) -> None:
    assert outcome(expression) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("[1, 2, 2, 3].isSorted()", True),
        ("['b', 'a'].isSorted()", False),
        ("[].isSorted()", True),
        ("[1, 3].sum()", 4),
        ("[1.5, 2.0].sum()", 3.5),
        ("[1, 3].max()", 3),
        ("[1, 3].min()", 1),
        ("[].min()", "open"),
        ("[1, 2, 2, 3].indexOf(2)", 1),
        ("[1, 2, 2, 3].lastIndexOf(2)", 2),
        ("['a'].indexOf('b')", -1),
        ("['a'].lastIndexOf('b')", -1),
        ("sets.contains([], [1])", False),
        ("sets.contains([1], [])", True),
        ("sets.contains([1, 2, 3], [3, 1, 1])", True),
        ("sets.equivalent([1, 1], [1])", True),
        ("sets.equivalent([1, 2], [1])", False),
        ("sets.equivalent([1], [1, 2])", False),
        ("sets.intersects([1], [])", False),
        ("sets.intersects([1, 2], [2, 3])", True),
    ],
)
def test_lists_and_sets(expression: str, result: Json) -> None:
    assert outcome(expression) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("optional.of(1).value()", 1),
        ("optional.none().value()", "open"),
        ("optional.none().hasValue()", False),
        ("optional.of('').hasValue()", True),
        ("optional.ofNonZeroValue('').hasValue()", False),
        ("optional.ofNonZeroValue('a').value()", "a"),
        ("optional.none().or(optional.of(2)).value()", 2),
        ("optional.of(1).or(optional.of(2)).value()", 1),
        ("optional.of(0).orValue(7)", 0),
        ("{'a': 1}.?a.orValue(7)", 1),
        ("{'a': 1}.?b.orValue(7)", 7),
        ("{'a': {'b': 1}}.?a.?b.value()", 1),
        ("{'a': 1}.?x.?b.hasValue()", False),
        ("['a'][?0].value()", "a"),
        ("['a'][?1].hasValue()", False),
        ("['a'][?-1].hasValue()", False),
    ],
)
def test_optional_values(expression: str, result: Json) -> None:
    assert outcome(expression) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("1 < 1.5", True),
        ("2u >= 2", True),
        ("dyn(1) == dyn(1.0)", True),
        ("dyn(1) != dyn(1u)", False),
        ("dyn(true) == dyn(1)", False),
        ("dyn(0.0) != dyn(false)", True),
        ("1 in [dyn(true)]", False),
        ("true in [dyn(1), dyn(true)]", True),
        ("1 in {true: 'a'}", False),
        ("2.0 <= 1", False),
        ("3 > 2.5", True),
        ("'a' < 'b'", True),
    ],
)
def test_numbers_of_different_types_are_compared_by_value(expression: str, result: bool) -> None:
    assert outcome(expression) is result
