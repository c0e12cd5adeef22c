import errno
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.system.contents import inaccessible_problem, read_file, read_stdin


def problem_message(content: bytes | Problem) -> str:
    assert isinstance(content, Problem)
    return content.message


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x\xff")

    assert read_file(str(tmp_path / "a"), 2) == b"x\xff"


def test_an_open_stream_is_read() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as stream:
        stream.write(b"x")

    content = read_file(f"/dev/fd/{reader}", 10)
    os.close(reader)

    assert content == b"x"


def test_a_stream_is_read_to_its_end() -> None:
    """A pipe returns only a part of its content at once."""
    reader, writer = os.pipe()
    text = b"x" * 200_000

    with ThreadPoolExecutor() as threads:
        written = threads.submit(_write_all, writer, text)
        content = read_file(f"/dev/fd/{reader}", 300_000)
        written.result()
    os.close(reader)

    assert content == text


def _write_all(descriptor: int, text: bytes) -> None:
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(text)


def test_a_large_file_is_read_to_its_end(tmp_path: Path) -> None:
    text = b"x" * (9 << 20)
    (tmp_path / "a").write_bytes(text)

    assert read_file(str(tmp_path / "a"), 9 << 20) == text


def test_a_file_is_closed(tmp_path: Path) -> None:
    """The result does not matter."""
    (tmp_path / "a").write_bytes(b"x")
    before = len(os.listdir("/proc/self/fd"))

    for path in (tmp_path / "a", tmp_path, Path("/dev/zero"), tmp_path / "b"):
        read_file(str(path), 1)

    assert len(os.listdir("/proc/self/fd")) == before


def test_too_large(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * (2**20 + 1))

    assert problem_message(read_file(str(tmp_path / "a"), 2**20)) == "larger than the limit of 1 MiB"
    assert problem_message(read_stdin(lambda: b"x" * (2**20 + 1), 2**20)) == "larger than the limit of 1 MiB"


def test_special_files_and_broken_links_are_problems(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    special = "not a regular file (a pipe, socket or device)"

    assert problem_message(read_file(str(tmp_path / "pipe"), 1)) == special
    assert problem_message(read_file("/dev/zero", 1)) == special
    assert problem_message(read_file(str(tmp_path), 1)) == f"read {tmp_path}: is a directory"
    assert problem_message(read_file(str(tmp_path / "a"), 1)) == f'the path "{tmp_path}/a" does not exist'
    assert problem_message(read_file(str(tmp_path / "link"), 1)).endswith("is a dangling symlink")
    assert problem_message(read_file("a\0b", 1)) == 'the path "a\0b" cannot be read: embedded null byte'


def test_a_socket_is_no_file(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))

        assert "cannot be read" in problem_message(read_file(str(tmp_path / "socket"), 1))


def test_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    assert "cannot be read: too many levels of symbolic links" in problem_message(read_file(str(tmp_path / "a"), 1))


def test_a_closed_standard_input() -> None:
    def raise_closed() -> bytes:
        raise ValueError("I/O operation on closed file.")

    assert problem_message(read_stdin(raise_closed, 1)) == 'the path "-" cannot be read: i/o operation on closed file.'


def test_the_system_s_words() -> None:
    assert problem_message(inaccessible_problem("a", OSError(errno.EIO, "Input/output error"))).endswith(
        "cannot be read: input/output error"
    )
    assert problem_message(inaccessible_problem("a", OSError("no number"))).endswith("cannot be read: no number")
