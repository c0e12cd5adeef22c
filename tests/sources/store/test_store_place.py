"""The place of the store is that of the innermost block."""

from pathlib import Path

from kubectl_applylint.sources.store.store_place import (
    ABSENCES,
    NO_STORE,
    Store,
    content_digest,
    current_store,
    is_usable,
    may_have_absences,
    use_store,
)


def test_a_store_is_used_until_its_block_ends() -> None:
    with use_store(Store("folder")):
        with use_store(Store(file="file")):
            assert (current_store().file, is_usable()) == ("file", True)
        assert current_store() == Store("folder")

    assert (current_store(), is_usable()) == (NO_STORE, False)


def test_another_file_has_another_digest(tmp_path: Path) -> None:
    file = tmp_path / "charts.store"
    with use_store(Store(file=str(file))):
        missing = content_digest()
        file.write_bytes(b"1")
        assert content_digest() == content_digest() != missing
    with use_store(Store(str(tmp_path))):
        assert content_digest() != missing


def test_an_answer_of_a_source_changes_the_digest(tmp_path: Path) -> None:
    with use_store(Store(str(tmp_path))):
        before = content_digest()
        assert not may_have_absences()
        (tmp_path / ABSENCES).mkdir()
        (tmp_path / ABSENCES / "key").write_bytes(b"1")

        assert may_have_absences()
        assert content_digest() == content_digest() != before
