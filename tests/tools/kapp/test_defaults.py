"""The rules of kapp itself: each can be read, and is for the kinds that it names."""

from kubectl_applylint.core.values import items, objects_at
from kubectl_applylint.tools.kapp.defaults import CHANGE_GROUPS, CHANGE_RULES, DEFAULTS, TEMPLATE_RULES
from kubectl_applylint.tools.kapp.matchers import is_for
from kubectl_applylint.tools.kapp.rules import paths_of

DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "ns"}}


def test_all_paths_and_matchers_can_be_read() -> None:
    placed = [rule for rules in DEFAULTS.values() for rule in rules]
    references = [each for rule in TEMPLATE_RULES for each in objects_at(rule, "affectedResources", "objectReferences")]

    assert all(list(paths_of(rule)) for rule in (*placed, *references))
    for rule in (*placed, *references, *CHANGE_GROUPS, *CHANGE_RULES, *TEMPLATE_RULES):
        assert is_for(rule["resourceMatchers"], DEPLOYMENT) in (True, False)


def test_labels_reach_into_pods_and_selectors_unless_an_annotation_says_no() -> None:
    marked = {**DEPLOYMENT, "metadata": {"annotations": {"kapp.k14s.io/disable-default-label-scoping-rules": ""}}}
    scoping = [rule for rule in items(DEFAULTS["labelScopingRules"]) if is_for(rule["resourceMatchers"], DEPLOYMENT)]

    assert [rule["path"] for rule in scoping] == [["spec", "selector", "matchLabels"]]
    assert not any(is_for(rule["resourceMatchers"], marked) for rule in items(DEFAULTS["labelScopingRules"]))
