import pytest

from kubectl_applylint.sources.render.render_limits import (
    DEFAULTS,
    RenderLimits,
    mebibytes_of,
    render_limits,
    use_limits,
)


@pytest.mark.parametrize(("text", "mebibytes"), [("512Mi", 512), ("2Gi", 2048)])
def test_memory_is_read(text: str, mebibytes: int) -> None:
    assert mebibytes_of(text) == mebibytes


@pytest.mark.parametrize("text", ["", "2", "2G", "-1Gi", "0Mi", "1.5Gi", "1000000Gi", "٣Gi"])
def test_other_text_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount of memory such as 512Mi or 2Gi"):
        mebibytes_of(text)


def test_limits_hold_until_the_block_ends() -> None:
    limits = RenderLimits(1, 64)

    with use_limits(limits):
        assert render_limits() == limits
    assert render_limits() == DEFAULTS
