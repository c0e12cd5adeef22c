import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import DEPLOYMENT, SELECTOR

Run = Callable[..., tuple[int, str, str]]
LIVE = ("--against", "snapshot:prod.json")
FILE = ".applylint-baseline.json"
API = DEPLOYMENT.replace("name: web", "name: api").replace("app: shop}", "app: api}", 1)


def entries(folder: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((folder / FILE).read_text())["findings"]
    return found


@pytest.fixture(name="known")
def _known(run: Run, folder: Path) -> list[dict[str, str]]:
    """Write a baseline of one finding and return its entries."""
    code, out, err = run("baseline", "create", "web.yaml", *LIVE)

    assert (code, out) == (0, "")
    assert err.splitlines()[1:] == [
        f"applylint: {FILE}: 1 finding written",
        f"applylint: to use it: --baseline {FILE}, or baseline: {FILE} in .applylint.yaml",
    ]
    return entries(folder)


def test_a_baseline_says_where_and_what_without_lines_and_values(known: list[dict[str, str]]) -> None:
    known[0].pop("fingerprint")

    assert known == [
        {
            "rule": SELECTOR,
            "namespace": "shop",
            "object": "deployment.apps/web",
            "path": "spec.selector",
            "file": "web.yaml",
        }
    ]


def test_findings_of_the_baseline_stay_hidden_if_files_move(
    run: Run, folder: Path, known: list[dict[str, str]]
) -> None:
    (folder / "web.yaml").rename(folder / "moved.yaml")
    (folder / "moved.yaml").write_text("# more\n# lines\n" + DEPLOYMENT)

    quiet = run("check", "moved.yaml", *LIVE, "--baseline", FILE)
    (folder / "moved.yaml").write_text(DEPLOYMENT + "---\n" + API)
    news = run("check", "moved.yaml", *LIVE, "--baseline", FILE)

    assert (quiet[0], "1 finding hidden by baseline" in quiet[1]) == (0, True)
    assert (news[0], news[1].splitlines()[2].split(":")[1]) == (1, "21")
    assert "selector-template-mismatch-rejected" in news[1]


@pytest.mark.parametrize("form", ["sarif", "gitlab", "json"])
def test_every_form_has_the_fingerprints_of_the_baseline(run: Run, known: list[dict[str, str]], form: str) -> None:
    _, out, _ = run("check", "web.yaml", *LIVE, "-o", form)

    assert known[0]["fingerprint"] in out


def test_sarif_marks_findings_that_the_baseline_hides(run: Run, known: list[dict[str, str]]) -> None:
    _, out, _ = run("check", "web.yaml", *LIVE, "--baseline", FILE, "-o", "sarif")

    (result,) = json.loads(out)["runs"][0]["results"]
    assert result["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "it is in the baseline"}
    ]
    assert result["partialFingerprints"] == {"primaryLocationLineHash": known[0]["fingerprint"]}


def test_entries_without_a_finding_are_reported_and_pruned(run: Run, folder: Path, known: list[dict[str, str]]) -> None:
    (folder / "web.yaml").write_text(DEPLOYMENT.replace("app: shop", "app: web"))

    _, out, _ = run("check", "web.yaml", *LIVE, "--baseline", FILE)
    elsewhere = run("baseline", "prune", "settings.yaml", *LIVE)
    here = run("baseline", "prune", "web.yaml", *LIVE)

    assert f"{FILE}: note: 1 finding no longer occurs; run applylint baseline prune" in out
    assert (elsewhere[0], elsewhere[1]) == (0, "")
    assert here[1] == f"{SELECTOR}: deployment.apps/web in shop spec.selector\n"
    assert here[2].splitlines()[-1] == f"applylint: {FILE}: 1 of 1 finding removed"
    assert entries(folder) == []


def test_entries_of_removed_files_are_pruned(run: Run, folder: Path, known: list[dict[str, str]]) -> None:
    (folder / "web.yaml").unlink()
    (folder / "below").mkdir()

    assert run("baseline", "prune", "settings.yaml", *LIVE)[0] == 0
    assert entries(folder) == []


def test_an_object_from_standard_input_is_known_by_its_name(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text, left in ((DEPLOYMENT, 1), (DEPLOYMENT.replace("app: shop", "app: web"), 0)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        action = "create" if left else "prune"

        assert run("baseline", action, "-", *LIVE)[0] == 0
        assert [entry["file"] for entry in entries(folder)] == [""] * left


@pytest.mark.parametrize("flags", [["--select", "twin-entry-lost"], ["--ignore", SELECTOR], ["--against", "none"]])
def test_entries_of_rules_that_did_not_run_stay(
    run: Run, folder: Path, known: list[dict[str, str]], flags: list[str]
) -> None:
    (folder / "web.yaml").write_text(DEPLOYMENT.replace("app: shop", "app: web"))

    assert run("baseline", "prune", "web.yaml", *LIVE, *flags)[0] == 0
    assert entries(folder) == known


@pytest.mark.parametrize("action", ["create", "prune"])
def test_nothing_is_written_where_not_all_could_be_examined(
    run: Run, folder: Path, known: list[dict[str, str]], action: str
) -> None:
    code, out, err = run("baseline", action, "missing.yaml", "settings.yaml", *LIVE)

    assert (code, out) == (3, "")
    assert err.splitlines()[-1] == f"applylint: {FILE}: not changed, because not everything could be checked"
    assert entries(folder) == known


def test_rules_that_cannot_be_ignored_are_left_out(run: Run, folder: Path) -> None:
    (folder / ".applylint.yaml").write_text(f"non-ignorable: {SELECTOR}\nbaseline: {FILE}\n")

    code, _, err = run("baseline", "create", "web.yaml", *LIVE)

    assert code == 0
    assert err.splitlines()[1:] == [
        f"applylint: {folder.resolve() / FILE}: 0 findings written",
        "applylint: 1 finding of rules that cannot be ignored left out",
    ]


@pytest.mark.slow
def test_the_program_goes_from_many_findings_to_new_ones_only(folder: Path) -> None:
    """Config, comment, baseline and flags together, as a user runs them."""
    (folder / ".applylint.yaml").write_text(
        "against: snapshot:prod.json\nbaseline: known.json\nrequire-reason: true\n"
        "ignore:\n- {rule: string-data-never-settles, resource: secret/*, reason: known, until: 2999-01-01}\n"
    )
    (folder / "below").mkdir()

    def applylint(*argv: str) -> tuple[int, str]:
        program = Path(sys.executable).parent / "applylint"
        done = subprocess.run([program, *argv], cwd=folder / "below", capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    shown = applylint("config", "show", "--fail-on", "info")
    made = applylint("baseline", "create", "../web.yaml")
    after = applylint("check", "../web.yaml", "--fail-on", "info")

    assert (shown[0], made[0], after[0]) == (0, 0, 0)
    assert "../.applylint.yaml:2:1" in shown[1]
    assert entries_of(folder / "known.json") == ["web.yaml"]
    assert "hidden by baseline" in after[1]


def entries_of(file: Path) -> list[str]:
    return [entry["file"] for entry in json.loads(file.read_text())["findings"]]


def test_nothing_but_a_baseline_is_replaced(run: Run, folder: Path) -> None:
    (folder / ".applylint.yaml").write_text("baseline: web.yaml\n")
    before = (folder / "web.yaml").read_text()
    code, _, err = run("baseline", "create", "settings.yaml")

    assert (code, (folder / "web.yaml").read_text()) == (2, before)
    assert "web.yaml" in err


FORMER = SELECTOR.replace("rejected", "refused")


def test_a_baseline_with_former_ids_of_rules_still_hides(run: Run, folder: Path, known: list[dict[str, str]]) -> None:
    (folder / FILE).write_text((folder / FILE).read_text().replace(SELECTOR, FORMER))

    code, out, _ = run("check", "web.yaml", *LIVE, "--baseline", FILE)
    assert (code, "1 finding hidden by baseline" in out) == (0, True)
    assert f"renamed rules: {FORMER} is now {SELECTOR}; applylint baseline create writes the current names" in out


@pytest.mark.parametrize(
    ("comment", "options", "note"),
    [
        pytest.param(
            f"# applylint: ignore-file[{FORMER}] known\n", (), "this comment names a renamed rule", id="comment"
        ),
        pytest.param("", ("--ignore", FORMER), "--ignore: renamed rules", id="option"),
    ],
)
def test_ignores_with_former_ids_of_rules_still_hide(
    run: Run, folder: Path, comment: str, options: tuple[str, ...], note: str
) -> None:
    (folder / "web.yaml").write_text(comment + DEPLOYMENT)

    _, out, err = run("check", "web.yaml", *LIVE, *options)

    assert f"[{SELECTOR}]" not in out
    assert f"{note}: {FORMER} is now {SELECTOR}" in out + err


def test_a_rule_is_explained_by_its_former_id(run: Run) -> None:
    assert run("explain", FORMER) == run("explain", SELECTOR)


def test_a_finding_that_is_repeated_at_one_place_is_one_entry(run: Run, folder: Path) -> None:
    (folder / "s.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80}, {port: 80}]}\n"
    )
    run("baseline", "create", "s.yaml", "--against", "none")

    assert run("check", "s.yaml", "--against", "none", "--baseline", FILE)[0] == 0
