"""Records in the cache, and as parts of cache keys."""

import pickle
from pathlib import Path

import pytest

from kubectl_applylint.run.cache.pickled_records import canonical, is_declared_with_credentials, unpickle
from kubectl_applylint.units.model import Applied, Form, ReleaseInputs, Unit

UNIT = Unit("web", Form.FOLDER, frozenset({"web/web.yaml"}))


def test_a_canonical_text_is_the_same_for_equal_values_alone() -> None:
    one = {"b": frozenset({"x", "y"}), "a": (1, True, None, Applied(target="prod"))}
    same = {"a": [1, True, None, Applied(target="prod")], "b": {"y", "x"}}
    others = ({**one, "b": ("x", "y")}, {**one, "a": (1, True, None, Applied())}, {**one, "a": (1, "True", None)})

    assert canonical(one) == canonical(same)
    assert len({canonical(one), *map(canonical, others)}) == 4


def test_records_are_read_again() -> None:
    assert unpickle(pickle.dumps((UNIT,))) == (UNIT,)


@pytest.mark.parametrize("harm", [b"", b"\x80\x05.", b"cos\nsystem\n(S'touch harmed'\ntR.", pickle.dumps(print)])
def test_other_code_is_never_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: bytes) -> None:
    monkeypatch.chdir(tmp_path)

    assert unpickle(harm) is None
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("applied", "has_credentials"),
    [
        (Applied(), False),
        (Applied(tool_object={"kind": "Secret", "apiVersion": "v1", "data": {"a": "Yg=="}}), True),
        (Applied(inputs='[{"password": "hunter2-of-the-shop"}]'), True),
        (Applied(release=ReleaseInputs(values=(("Secret", "shop", "a", (("b", "c"),)),))), True),
    ],
    ids=["none", "object", "inputs", "values"],
)
def test_credentials_of_a_unit_are_recognized(applied: Applied, has_credentials: bool) -> None:
    assert is_declared_with_credentials(Unit("web", Form.FOLDER, frozenset(), applied)) is has_credentials
