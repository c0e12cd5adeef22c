"""Amounts as plugins add them up and show them."""

from fractions import Fraction

from kubectl_applylint.server.admission.amounts import Amount, add, amounts


def test_amounts_keep_their_suffixes() -> None:
    total = add(amounts({"memory": "512Mi", "cpu": "1"}), amounts({"memory": "512Mi"}))

    assert {name: str(amount) for name, amount in total.items()} == {"memory": "1Gi", "cpu": "1"}
    assert str(Amount(Fraction(1, 2), "1")) == "500m"
