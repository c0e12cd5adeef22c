import pytest

from kubectl_applylint.core.selector import evaluate, fits, parse, read, selects
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject

WEB: JsonObject = {"metadata": {"labels": {"app": "web", "tier": "front", "size": "3", "empty": ""}}}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", True),
        ("app=web", True),
        ("app==web", True),
        ("app = web , tier = front", True),
        ("app=web,tier=back", False),
        ("app!=web", False),
        ("colour!=red", True),
        ("tier in (front, back)", True),
        ("tier in(front)", True),
        ("tier notin (front,back)", False),
        ("colour notin (red)", True),
        ("app", True),
        ("colour", False),
        ("!colour", True),
        ("! app", False),
        ("empty=", True),
        ("colour=", False),
        ("empty in ()", True),
        ("size>2", True),
        ("size > 3", False),
        ("size<4,app in (web,api),!colour", True),
        ("app>1", False),
        ("colour<1", False),
    ],
)
def test_a_selector_chooses_by_labels(text: str, wanted: bool) -> None:
    assert selects(parse(text), WEB) is wanted


@pytest.mark.parametrize("manifest", [{}, {"metadata": None}, {"metadata": {"labels": None}}], ids=str)
def test_an_object_without_labels_matches_negative_selectors(manifest: JsonObject) -> None:
    assert [selects(parse(text), manifest) for text in ("app", "!app", "app!=web")] == [False, True, True]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("app=web=x", "cannot parse: 'app=web=x'"),
        ("app=web,", "cannot parse: ''"),
        ("app in web", "cannot parse: 'app in web'"),
        ("app in (web", "cannot parse: 'app in (web'"),
        ("(app)", "cannot parse: '(app)'"),
        ("a/b/c=x", "'a/b/c' is not a valid label key"),
        ("app=-x", "'-x' is not a valid label value"),
        ("app in (ok,a b)", "'a b' is not a valid label value"),
        ("size>big", "'big' is not an integer"),
    ],
)
def test_an_invalid_selector_is_reported(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match="is not a label selector") as raised:
        parse(text)

    assert fault in str(raised.value)


@pytest.mark.parametrize(
    ("term", "chosen"),
    [
        ({"key": "a", "operator": "In", "values": ["b", "c"]}, True),
        ({"key": "a", "operator": "In", "values": ["c"]}, False),
        ({"key": "a", "operator": "NotIn", "values": ["c"]}, True),
        ({"key": "z", "operator": "NotIn", "values": ["c"]}, True),
        ({"key": "a", "operator": "Exists"}, True),
        ({"key": "z", "operator": "Exists"}, False),
        ({"key": "z", "operator": "DoesNotExist"}, True),
        ({"key": "a", "operator": "DoesNotExist"}, False),
    ],
    ids=lambda value: f"{value['key']} {value['operator']}" if isinstance(value, dict) else None,
)
def test_terms(term: Json, chosen: bool) -> None:
    assert fits(read({"matchExpressions": [term]}), {"a": "b"}) is chosen


UID = Unknown("only the server knows")


@pytest.mark.parametrize(
    ("operator", "values", "labels", "answer"),
    [
        ("In", ["b"], {"a": UID}, UID),
        ("In", [UID], {"a": "b"}, UID),
        ("In", [UID, "b"], {"a": "b"}, True),
        ("In", [UID], {}, False),
        ("NotIn", ["b"], {"a": UID}, UID),
        ("NotIn", [UID], {}, True),
        ("Exists", [], {"a": UID}, True),
        ("DoesNotExist", [], {"a": UID}, False),
    ],
)
def test_unknown_values_leave_the_answer_open(
    operator: str, values: list[Json], labels: JsonObject, answer: bool | Unknown
) -> None:
    selector = read({"matchExpressions": [{"key": "a", "operator": operator, "values": values}]})

    assert evaluate(selector, labels) == answer
    assert fits(selector, labels) is (answer is True)


def test_an_operator_that_kubernetes_does_not_have_leaves_the_answer_open() -> None:
    near: JsonObject = {"key": "a", "operator": "Near"}

    assert isinstance(evaluate(read({"matchExpressions": [near]}), {"a": "b"}), Unknown)
    assert evaluate(read({"matchLabels": {"a": "c"}, "matchExpressions": [near]}), {"a": "b"}) is False
