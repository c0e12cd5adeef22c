from kubectl_applylint.sources.system.timing import measure


def test_measure_returns_the_result_and_the_duration() -> None:
    made, seconds = measure(lambda: sum(range(10_000)))

    assert (made, 0 < seconds < 10) == (49_995_000, True)
