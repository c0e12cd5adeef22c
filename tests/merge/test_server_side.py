"""The laws of server-side apply, over objects of a type with every kind of field.

KEP-555, the proposal, states aims rather than laws: the clauses quoted are those of
kubernetes.io/docs/reference/using-api/server-side-apply, word for word, each with its heading there.
"""

from collections.abc import Mapping
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.fieldset import EMPTY
from kubectl_applylint.merge.server_side import (
    APPLY,
    ApplyResult,
    Clashed,
    Identity,
    Managers,
    MergeContext,
    apply,
    reconcile,
)
from kubectl_applylint.schema.types import Node, Shape
from tests.merge.samples import SPEC, TEXT

ROOT_FIELDS = {"apiVersion": TEXT, "spec": SPEC}
CONTEXT = MergeContext("v1", lambda version: Node(Shape.OBJECT, load_fields=lambda: ROOT_FIELDS))
NOTHING: JsonObject = {"apiVersion": "v1"}

NAMES = st.sampled_from(["p", "q", "r"])
OTHER_NAMES = st.sampled_from(["s", "t", "u"])
WHOLE = ("size", "on", "whole", "atomic", "sub")
"""Fields that two specs cannot share out by names."""
NUMBERS = st.integers(0, 2)
Names: TypeAlias = st.SearchStrategy[str]


def some(**fields: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    """Return objects with any of the fields."""
    return st.fixed_dictionaries({}, optional=fields)


def maps(least: int, names: Names) -> st.SearchStrategy[dict[str, Json]]:
    return st.dictionaries(names, NAMES, min_size=least, max_size=2)


def specs(least: int, names: Names = NAMES) -> st.SearchStrategy[dict[str, Json]]:
    """Return specs whose lists and maps have at least so many entries, of these names."""
    labels = maps(least, names)
    entries = st.fixed_dictionaries({"a": names}, optional={"b": NAMES, "n": NUMBERS, "labels": labels})
    return some(
        size=NUMBERS,
        on=st.booleans(),
        labels=labels,
        whole=labels,
        free=st.dictionaries(names, NUMBERS | labels, min_size=least, max_size=2),
        atomic=st.lists(names, min_size=least, max_size=2),
        set=st.lists(names, min_size=least, max_size=3, unique=True),
        keyed=st.lists(entries, min_size=least, max_size=3, unique_by=lambda item: (item["a"], item.get("b", "dd"))),
        sub=some(x=NUMBERS, y=NUMBERS).filter(lambda sub: least == 0 or bool(sub)),
    )


def object_with_spec(spec: Mapping[str, Json]) -> JsonObject:
    return {**NOTHING, **({"spec": dict(spec)} if spec else {})}


FULL = specs(1).map(object_with_spec)
"""Configurations that say something wherever they have a field."""
ANY = (specs(0) | st.dictionaries(st.sampled_from(sorted(["labels", "set", "size"])), st.none())).map(object_with_spec)


NEVER_APPLIED = ApplyResult(NOTHING, {})


def apply_config(config: JsonObject, by: str, after: ApplyResult = NEVER_APPLIED, *, force: bool = True) -> ApplyResult:
    outcome = apply(after.object, config, after.managers, by, context=CONTEXT, force=force)
    assert isinstance(outcome, ApplyResult)

    return outcome


def owned_fields(managers: Managers) -> Mapping[str, Json]:
    return {identity.name: owned.fields.to_json() for identity, owned in managers.items()}


def sort_lists(value: Json) -> Json:
    """Sort the lists of a value: the first manager decides the order of elements that no other names."""
    if isinstance(value, dict):
        return {key: sort_lists(value[key]) for key in sorted(value)}
    return sorted(map(sort_lists, value), key=repr) if isinstance(value, list) else value


@given(ANY, ANY)
def test_to_apply_twice_is_to_apply_once(others: JsonObject, config: JsonObject) -> None:
    """Law: applying is idempotent; what is applied already changes neither the object nor its owners."""
    once = apply_config(config, "ci", apply_config(others, "team"))
    twice = apply_config(config, "ci", once, force=False)

    assert twice.object == once.object
    assert owned_fields(twice.managers) == owned_fields(once.managers)


@given(ANY, ANY)
def test_force_never_conflicts(others: JsonObject, config: JsonObject) -> None:
    """Conflicts: "This forces the operation to succeed, changes the value of the field, and removes the field from
    all other managers' entries in `managedFields`."
    """
    before = apply_config(others, "team")
    refused = apply(before.object, config, before.managers, "ci", context=CONTEXT, force=False)
    after = apply_config(config, "ci", before)

    theirs = reconcile(after.managers, after.object, CONTEXT).get(Identity("team", APPLY, ""))
    for clash in refused.clashes if isinstance(refused, Clashed) else ():
        assert not clash.fields & (theirs.fields if theirs else EMPTY)


@given(FULL, FULL)
def test_a_field_dropped_by_its_only_manager_is_deleted(earlier: JsonObject, config: JsonObject) -> None:
    """Field management: "If the field is not owned by any other field managers, it is either deleted from the live
    object or reset to its default value, if it has one."
    """
    after = apply_config(config, "ci", apply_config(earlier, "ci"))

    assert sort_lists(after.object) == sort_lists(config)


@given(FULL)
def test_a_field_shared_with_another_manager_stays(config: JsonObject) -> None:
    """Field management: "Shared field owners may give up ownership of a field by making a Server-Side Apply **patch**
    request that doesn't include that field": the field stays with the other.
    """
    shared = apply_config(config, "team", apply_config(config, "ci"), force=False)
    after = apply_config(NOTHING, "ci", shared)

    assert after.object == config
    assert owned_fields(after.managers) == {
        name: each for name, each in owned_fields(shared.managers).items() if name == "team"
    }


@given(FULL, FULL)
def test_appliers_of_equal_values_share_ownership(config: JsonObject, others: JsonObject) -> None:
    """Field management: "When two or more appliers set a field to the same value, they share ownership of that
    field."
    """
    before = apply_config(others, "team")
    after = apply_config(before.object, "ci", before, force=False)

    assert after.object == before.object
    assert owned_fields(after.managers).get("ci") == owned_fields(after.managers).get("team")


@given(specs(1), specs(1, OTHER_NAMES))
def test_appliers_of_different_fields_may_come_in_any_order(left: JsonObject, right: JsonObject) -> None:
    """The proposal: "allow users and systems to cooperatively determine the desired state of an object".

    Law: appliers whose fields are disjoint neither meet in conflicts nor depend on who came first.
    """
    ours = object_with_spec(left)
    theirs = object_with_spec({name: value for name, value in right.items() if name not in left or name not in WHOLE})
    one = apply_config(theirs, "team", apply_config(ours, "ci", force=False), force=False)
    other = apply_config(ours, "ci", apply_config(theirs, "team", force=False), force=False)

    assert sort_lists(one.object) == sort_lists(other.object)
    assert owned_fields(one.managers) == owned_fields(other.managers)
