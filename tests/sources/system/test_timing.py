from kubectl_applylint.sources.system.timing import timed


def test_work_is_done_and_takes_its_time() -> None:
    made, seconds = timed(lambda: sum(range(10_000)))

    assert (made, 0 < seconds < 10) == (49_995_000, True)
