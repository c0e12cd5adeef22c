"""Objects that a rule matches."""

import pytest

from kubectl_applylint.tools.kapp.matchers import KappError, is_for

MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "ns", "annotations": {"x": ""}}}
WIDGET = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}
OF_KIND = {"apiVersionKindMatcher": {"apiVersion": "v1", "kind": "ConfigMap"}}
OF_GROUP = {"apiGroupKindMatcher": {"apiGroup": "example.com", "kind": "Widget"}}


@pytest.mark.parametrize(
    ("matcher", "matches"),
    [
        ({"allMatcher": {}}, (True, True)),
        (OF_KIND, (True, False)),
        (OF_GROUP, (False, True)),
        ({"anyMatcher": {"matchers": [OF_KIND, OF_GROUP]}}, (True, True)),
        ({"andMatcher": {"matchers": [OF_KIND, OF_GROUP]}}, (False, False)),
        ({"notMatcher": {"matcher": OF_KIND}}, (False, True)),
        ({"kindNamespaceNameMatcher": {"kind": "ConfigMap", "namespace": "ns", "name": "a"}}, (True, False)),
        ({"hasAnnotationMatcher": {"keys": ["x"]}}, (True, False)),
        ({"hasNamespaceMatcher": {}}, (True, False)),
        ({"hasNamespaceMatcher": {"names": ["other"]}}, (False, False)),
        ({"customResourceMatcher": {}}, (False, True)),
        ({"emptyFieldMatcher": {"path": ["metadata", "namespace"]}}, (False, True)),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_matchers(matcher: object, matches: tuple[bool, bool]) -> None:
    assert (is_for([matcher], MAP), is_for([matcher], WIDGET)) == matches


def test_a_rule_without_matchers_is_for_nothing_and_an_unknown_one_is_a_fault() -> None:
    assert not is_for([], MAP)
    with pytest.raises(KappError, match="Unknown resource matcher specified"):
        is_for([{"someMatcher": {}}], MAP)
