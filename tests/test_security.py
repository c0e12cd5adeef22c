import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_tests_of_guarantees_exist() -> None:
    """A name without a folder is a file beside the one before it."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/.]+)`", text)

    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).exists()] == []
