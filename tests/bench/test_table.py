from bench.figures import Figure
from bench.table import table


def test_columns_and_verdicts() -> None:
    found = [
        Figure("a", "1.00 s"),
        Figure("longer", "0.10 s", "10.0 × a", "≤ 0.5 s"),
        Figure("c", "13", "", "≤ 12", met=False),
    ]

    assert table(found) == (
        "figure  measured  compared  wanted\n"
        "a       1.00 s\n"
        "longer  0.10 s    10.0 × a  ≤ 0.5 s  met\n"
        "c       13                  ≤ 12     MISSED\n"
    )
