from kubectl_applylint.server.validate.custom.cost_estimate import (
    LOST,
    MOST,
    ROOT,
    Estimate,
    Size,
    add,
    place_of_elements,
    place_of_field,
    times,
)
from kubectl_applylint.server.validate.custom.decls import Decl


def test_a_product_ends_at_the_most() -> None:
    assert times(3, 4) == 12
    assert times(MOST, 2) == times(2, MOST) == MOST
    assert times(MOST, 0) == 0


def test_a_sum_ends_at_the_most() -> None:
    assert add(3, 4) == 7
    assert add(MOST, 1) == Size(0, MOST).times(2) == MOST


def test_the_size_of_a_value_is_its_own_or_the_declared_one() -> None:
    text = Decl("string", most=5)

    assert Estimate(0, text, text, own=Size(2, 3)).size == Size(2, 3)
    assert Estimate(0, text, text).size == Size(0, 5)
    assert Estimate(0, text, LOST).size == Size()
    assert Estimate(0, Decl("optional", element=Decl("int"))).size == Size(1, 1)


def test_sizes_of_parts_are_looked_up_in_the_whole_value_without_a_path() -> None:
    inner = Decl("string", most=5)
    whole = Decl("object", element=inner, fields={"a": inner})
    scope = {ROOT: Estimate(1, whole, whole)}

    assert place_of_field(scope[ROOT], "a", scope) is place_of_elements(scope[ROOT], scope) is inner
    assert place_of_field(scope[ROOT], "b", scope) is LOST
    assert place_of_field(Estimate(0, whole), "a", scope) is whole
