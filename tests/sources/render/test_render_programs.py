"""Copies of files for programs that render: what a hostile tree cannot do with them."""

import os
import pathlib
import stat
import sys

import pytest

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.sources.render.render_limits import RenderLimits, use_limits
from kubectl_applylint.sources.render.render_programs import Copy, CopyError, copy_files, output, relabel, reserve_copy
from kubectl_applylint.sources.text.manifests import Input


def test_a_copy_holds_the_files_and_goes(tmp_path: pathlib.Path) -> None:
    with copy_files({"a/b.yaml": b"x", "c.yaml": b"y"}) as copy:
        assert copy.problems == ()
        assert pathlib.Path(copy.folder, "a/b.yaml").read_bytes() == b"x"
        assert stat.S_IMODE(os.stat(copy.folder).st_mode) == 0o700

    assert not pathlib.Path(copy.folder).exists()


def test_a_program_can_write_next_to_the_copy() -> None:
    with copy_files({"a.yaml": b""}) as copy:
        found = os.path.relpath(copy.folder, copy.beside), os.listdir(copy.beside)

    assert found == ("../tree", [])


def test_a_program_that_renders_may_let_garbage_grow_unless_its_user_says_how_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ["/bin/sh", "-c", "echo $GOGC"]
    monkeypatch.delenv("GOGC", raising=False)
    own = output(command, "k", "")
    monkeypatch.setenv("GOGC", "50")

    assert (own, output(command, "k", "")) == (b"400\n", b"50\n")


def test_a_path_that_leads_out_is_a_problem_and_the_rest_is_copied(tmp_path: pathlib.Path) -> None:
    victim = tmp_path / "victim.yaml"
    victim.write_text("mine")
    above = "../" * 20 + str(victim).lstrip("/")
    with copy_files({above: b"theirs", str(victim): b"theirs", "c.yaml": b"y"}) as copy:
        found = [(one.where.removeprefix(copy.folder + "/"), one.message) for one in copy.problems]

        assert sorted(os.listdir(copy.folder)) == ["c.yaml"]
    assert victim.read_text() == "mine"
    assert found == [
        (above, "not a path inside the repository: it contains '..'"),
        (str(victim), "not a path inside the repository: it is absolute"),
    ]


def test_a_file_that_is_a_folder_too_is_a_problem() -> None:
    with copy_files({"a": b"x", "a/b.yaml": b"y"}) as copy:
        assert [one.where for one in copy.problems] == [f"{copy.folder}/a/b.yaml"]


def failing(folder: pathlib.Path, text: str) -> list[str]:
    (folder / "said").write_text(text)
    return ["sh", "-c", f"cat {folder}/said >&2; exit 1"]


def test_a_failed_program_has_a_reason_without_the_warnings_before_it(tmp_path: pathlib.Path) -> None:
    warnings = "".join(f"# Warning: '{name}' is deprecated. Run 'kustomize edit fix'.\n" for name in range(40))
    found = output(failing(tmp_path, f"{warnings}Error: accumulating\n  resources: no such file x.yaml\n"), "k", "try")

    assert found == Problem("k", "it cannot be rendered: Error: accumulating resources: no such file x.yaml", "try")
    assert isinstance(found, Problem)
    assert found.is_refused


def test_a_logged_reason_is_reported_without_its_time_and_place(tmp_path: pathlib.Path) -> None:
    logged = 'E1123 09:49:18.688779   20846 run.go:72] "command failed" err="no such file \\"x.yaml\\""\n'
    found = output(failing(tmp_path, logged), "k", "try")

    assert found == Problem("k", 'it cannot be rendered: no such file "x.yaml"', "try")


def test_a_reason_of_several_logged_lines_has_none_of_the_log(tmp_path: pathlib.Path) -> None:
    entry = "I1127 16:37:35.254323   18550 log.go:245] well-defined vars that were never replaced: app-name\n"
    logged = (
        'E1127 16:37:40.650180   18550 run.go:72] "command failed" err=<\n\tyaml: unmarshal errors:\n\t  line 69\n >\n'
    )
    found = output(failing(tmp_path, entry + logged), "k", "try")

    assert found == Problem("k", "it cannot be rendered: yaml: unmarshal errors: line 69", "try")


def test_the_log_is_the_reason_if_nothing_else_is_printed(tmp_path: pathlib.Path) -> None:
    found = output(failing(tmp_path, "2026/11/27 16:37:35 no such file x.yaml\n"), "k", "try")

    assert found == Problem("k", "it cannot be rendered: 2026/11/27 16:37:35 no such file x.yaml", "try")


def test_each_file_that_a_problem_names_is_called_as_the_files_are() -> None:
    problem = Problem("/copy/b", "file '/copy/a/x.yaml' is not in or below '/copy/b'", "")

    (found,) = relabel(Input(problems=(problem,)), Copy("/copy", "/beside"), lambda path: path).problems
    assert found == Problem("b", "file 'a/x.yaml' is not in or below 'b'", "")


def test_a_crash_is_reported_without_places_in_the_source(tmp_path: pathlib.Path) -> None:
    lines = "panic: interface conversion: is nil\n\ngoroutine 1 [running]:\nmain.main()\n\tkubectl.go:41 +0x85\n"
    (tmp_path / "words").write_text(lines)
    found = output(["sh", "-c", f"cat {tmp_path / 'words'} >&2; exit 2"], "there", "")

    assert found == Problem("there", "it cannot be rendered: the program crashed: interface conversion: is nil", "")


def test_a_program_that_fails_in_silence_has_no_reason(tmp_path: pathlib.Path) -> None:
    assert output(failing(tmp_path, ""), "k", "try") == Problem(
        "k", "it cannot be rendered: the program failed without a message", "try"
    )


def test_a_message_has_no_random_names_of_temporary_files() -> None:
    script = "mkdir $TMPDIR/x-42; echo at $TMPDIR/x-42/values.yaml >&2; exit 1"
    found = output(["sh", "-c", script], "k", "try")

    assert isinstance(found, Problem)
    assert found.message == "it cannot be rendered: at $TMPDIR/values.yaml"


def test_the_end_of_a_long_reason_is_reported(tmp_path: pathlib.Path) -> None:
    found = output(failing(tmp_path, "a" * 9000 + " the missing file is x.yaml"), "k", "try")

    assert isinstance(found, Problem)
    assert found.message.startswith("it cannot be rendered: … aaa")
    assert found.message.endswith("a the missing file is x.yaml")
    assert len(found.message) < 4100


SLOW = (RenderLimits(seconds=0.2), "exec sleep 60", "sh timed out after 0.2 s (render-timeout)")
ENDLESS = (RenderLimits(), "yes", "sh prints more than 64 MiB")
ENDLESS_COMPLAINT = (RenderLimits(), "yes >&2", "sh prints more than 64 MiB")


@pytest.mark.parametrize(("limits", "script", "message"), [SLOW, ENDLESS, ENDLESS_COMPLAINT])
def test_a_program_over_a_limit_is_a_problem(limits: RenderLimits, script: str, message: str) -> None:
    with use_limits(limits):
        found = output(["/bin/sh", "-c", script], "k/kustomization.yaml", "try it: kubectl kustomize k")

    assert found == Problem("k/kustomization.yaml", message, "try it: kubectl kustomize k")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_the_memory_of_a_program_is_limited() -> None:
    script = "import time; time.sleep(0.5); bytearray(1 << 29)"
    with use_limits(RenderLimits(mebibytes=256)):
        found = output([sys.executable, "-c", script], "k", "try")

    assert isinstance(found, Problem)
    assert found.message.endswith("MemoryError")


@pytest.mark.parametrize(
    "words",
    [
        "fatal error: runtime: out of memory\n\nruntime stack:",
        "runtime: out of memory: cannot allocate 192937984-byte block (679084032 in use)\nfatal error: out of memory\n",
    ],
)
def test_a_program_without_memory_is_a_problem_that_names_the_limit(tmp_path: pathlib.Path, words: str) -> None:
    """The words are those of helm 3.18 under limits of 2 GiB."""
    assert output(failing(tmp_path, words), "k", "try") == Problem(
        "k", "sh needs more than 2048 MiB of memory (render-memory)", "try"
    )


def test_text_after_the_path_of_a_copy_is_unchanged() -> None:
    problem = Problem("/copy/a.yaml:2:3", "read /copy/base: is a directory: '../x' in '/copy/a.yaml': expected text")
    problem = replace(problem, document=Document("/copy/a.yaml", 0, {}, ref_of({}), InCluster()))
    copy = Copy("/copy", "/beside", {"a.yaml": b"", "a": b""})
    (found,) = relabel(Input(problems=(problem,)), copy, lambda path: f"main:{path}").problems

    assert found.where == "main:a.yaml:2:3"
    assert found.document
    assert found.document.file == "main:a.yaml"
    assert found.message == "read main:base: is a directory: '../x' in 'main:a.yaml': expected text"


def test_places_of_values_have_the_label_of_their_file() -> None:
    def set_at(path: Path) -> Location | None:
        return Location("/copy/patch.yaml", Span(1, 1, 1, 1)) if path else None

    document = Document("/copy/a.yaml", 0, {}, ref_of({}), InCluster(), set_at=set_at)
    (found,) = relabel(Input((document,)), Copy("/copy", "/beside"), lambda path: f"main:{path}").documents

    assert (found.file, found.set_at(())) == ("main:a.yaml", None)
    assert str(found.set_at(fields("spec"))) == "main:patch.yaml:1:1"


def test_a_reserved_copy_is_absent_until_it_is_written() -> None:
    with reserve_copy({"a/b.yaml": b"kind: Job\n", "a": b"a file in place of a folder"}) as copy:
        assert not os.path.exists(copy.folder)
        (problem,) = copy.write()
        assert "it cannot be copied for rendering" in problem.message
        assert os.listdir(copy.folder) == ["a"]
    assert not os.path.exists(copy.folder)


def test_a_file_that_cannot_be_copied_is_raised() -> None:
    with reserve_copy({"../outside": b""}) as copy, pytest.raises(CopyError) as raised:
        copy.write_all()

    assert [one.message.partition(":")[0] for one in raised.value.problems] == ["not a path inside the repository"]


def test_files_of_a_copy_are_known_without_writing_it() -> None:
    with reserve_copy({"shop/Chart.yaml": b"a", "shop/charts/sub/Chart.yaml": b"b", "shop.yaml": b"c"}) as copy:
        assert copy.below(f"{copy.folder}/shop") == {"Chart.yaml": b"a", "charts/sub/Chart.yaml": b"b"}
        assert copy.below(f"{copy.folder}/shop.yaml") == {"": b"c"}
        assert copy.below(f"{copy.folder}/sh") == {}
        assert copy.below(copy.folder) == copy.texts
        assert not os.path.exists(copy.folder)
