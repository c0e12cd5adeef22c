from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.examples import Example, examples_of
from tests.cases.cases import read_case
from tests.cases.tool_cases import is_tool_case, read_tool_case
from tests.report.samples import RULE

POD = "{apiVersion: v1, kind: Pod, metadata: {name: p}}"


def examples(folder: Path, **texts: str) -> tuple[Example, ...]:
    (folder / "cases").mkdir()
    for name, text in texts.items():
        (folder / "cases" / f"{name}.yaml").write_text(text)
    return examples_of(replace(RULE, folder=str(folder)))


def test_bad_examples_come_first(tmp_path: Path) -> None:
    found = examples(
        tmp_path,
        ok=f"summary: good\nmanifest: '{POD}'\n",
        bad=f"summary: bad\nmanifest: '{POD}'\nfindings: [{{path: spec}}, {{path: x, rule: other}}]\n",
    )

    assert [one.summary for one in found] == ["bad", "good"]
    assert found[0].findings == ((RULE.id, "spec"), ("other", "x"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("summary: x\n", "bad.yaml: not a case: write summary and manifest as text"),
        ("- x\n", "bad.yaml: not a case: write summary and manifest as text"),
        ("a: [\n", "bad.yaml:2:1: not readable as YAML"),
    ],
    ids=["no manifest", "a list", "broken"],
)
def test_an_unreadable_case_is_reported(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match="not") as caught:
        examples(tmp_path, bad=text)

    assert message in str(caught.value)


def test_a_case_with_values_of_other_types_is_shown_without_them(tmp_path: Path) -> None:
    text = f"summary: x\nmanifest: '{POD}'\nsteps: [1, {{apply: 2}}]\nflags: 3\nfindings: [4]\nverified: 5\n"

    assert examples(tmp_path, bad=text)[0].findings == ((RULE.id, ""),)


def test_examples_show_what_the_cases_say() -> None:
    """The reader of cases in the tests validates what the examples take as it is."""
    rules = [rule for rule in rulebook.built_in().rules if rule.family in ("tools", "lists")]
    for rule in rules:
        files = sorted(Path(rule.folder, "cases").glob("*.yaml"))
        for file, example in zip(files, examples_of(rule), strict=True):
            text = file.read_text(encoding="utf-8")
            read = read_tool_case if is_tool_case(text) else read_case
            case = read(text, file=str(file), rule=rule.id)

            assert (case.summary, case.manifest, len(case.findings)) == (
                example.summary,
                example.manifest,
                len(example.findings),
            )
