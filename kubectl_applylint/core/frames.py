"""Tracebacks of defects in the program: places in the code, without messages and values."""

from collections.abc import Iterator

from kubectl_applylint.core.shortage import causes


def frames_of(fault: BaseException) -> tuple[str, ...]:
    """Return a traceback as Python prints it, the innermost call last; causes of ``fault`` come first."""
    return tuple(line for one in reversed(list(causes(fault))) for line in (*_frames(one), type(one).__name__))


def _frames(fault: BaseException) -> Iterator[str]:
    """Yield the calls of one traceback, outermost first."""
    step = fault.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        yield f'  File "{code.co_filename}", line {step.tb_lineno}, in {code.co_name}'
        step = step.tb_next
