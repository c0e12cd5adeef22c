"""What was made of an object is remembered for that very object."""

from kubectl_applylint.merge.memory import forget, remembering


def test_the_very_same_object_is_read_once() -> None:
    seen: list[list[int]] = []

    @remembering
    def total(numbers: list[int]) -> int:
        seen.append(numbers)
        return sum(numbers)

    one, other = [1, 2], [1, 2]

    assert [total(one), total(other), total(one)] == [3, 3, 3]
    assert [each is wanted for each, wanted in zip(seen, (one, other), strict=True)] == [True, True]


def test_many_objects_are_told_apart() -> None:
    @remembering
    def first(numbers: list[int]) -> int:
        return numbers[0]

    # Lists that nobody keeps leave their ids to those that come after them.
    assert [first([number]) for number in range(1000)] == list(range(1000))


def test_what_was_learned_is_not_made() -> None:
    @remembering
    def first(numbers: list[int]) -> int:
        return numbers[0]

    numbers = [1]
    first.learn(numbers, 2)

    assert (first(numbers), first([1])) == (2, 1)


def test_after_forgetting_a_changed_object_is_read_again() -> None:
    @remembering
    def first(numbers: list[int]) -> int:
        return numbers[0]

    numbers = [1]
    assert first(numbers) == 1

    numbers[0] = 2
    forget()

    assert first(numbers) == 2
