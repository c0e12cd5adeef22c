from kubectl_applylint.sources.system.timing import measure


def test_work_is_done_and_takes_its_time() -> None:
    made, seconds = measure(lambda: sum(range(10_000)))

    assert (made, 0 < seconds < 10) == (49_995_000, True)
