"""Entries of ``incomplete``."""

from datetime import date

from kubectl_applylint.units.accepted import AcceptedGap, active_gaps, without_new_entries

TRUSTED = AcceptedGap("a", "later")
ADDED = AcceptedGap("b", "later", file=".applylint.yaml")
KNOWN = AcceptedGap("c", "later", file=".applylint.yaml")


def test_a_change_adds_no_entry_of_an_untrusted_configuration() -> None:
    assert without_new_entries([TRUSTED, ADDED, KNOWN], [KNOWN]) == (TRUSTED, KNOWN)


def test_an_entry_applies_up_to_its_last_day() -> None:
    entry = AcceptedGap("a", "later", until=date(2027, 1, 31))

    assert active_gaps([TRUSTED, entry], date(2027, 1, 31)) == (TRUSTED, entry)
    assert active_gaps([TRUSTED, entry], date(2027, 2, 1)) == (TRUSTED,)
