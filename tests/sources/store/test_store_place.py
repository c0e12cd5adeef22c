"""The place of the store is that of the innermost block."""

from kubectl_applylint.sources.store.store_place import NO_STORE, Store, current_store, is_usable, use_store


def test_a_store_is_used_until_its_block_ends() -> None:
    with use_store(Store("folder")):
        with use_store(Store(file="file")):
            assert (current_store().file, is_usable()) == ("file", True)
        assert current_store() == Store("folder")

    assert (current_store(), is_usable()) == (NO_STORE, False)
