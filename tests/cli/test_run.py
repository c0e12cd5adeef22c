import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.cli import kubectl_applylint
from tests.cli.conftest import PASSWORD, SELECTOR

Run = Callable[..., tuple[int, str, str]]
LIVE = ("--against", "snapshot:prod.json")


def test_a_check_finds_hazards_and_says_what_it_compared_with(run: Run) -> None:
    code, out, err = run("check", "web.yaml", *LIVE)

    assert code == 1
    assert "\n\nweb.yaml:5:3: error: " in out
    assert f"[{SELECTOR}]\n       5 |   selector:\n         |   ^^^^^^^^\n" in out
    assert err == "applylint: compared with snapshot prod.json (written today)\n"


def test_rules_that_need_a_live_state_are_reported_as_skipped(run: Run) -> None:
    code, out, err = run("check", "web.yaml")

    assert code == 0
    assert " rules need a cluster or a snapshot (-v to list)" in out
    assert err == "applylint: the live state is unknown: the rules that need it did not run\n"


def test_verbose_names_the_rules_that_did_not_run(run: Run) -> None:
    _, out, _ = run("check", "web.yaml", "-v")

    assert f"skipped: {SELECTOR} on 1 object: no cluster was read\n" in out


def test_a_plan_says_what_changes(run: Run) -> None:
    code, out, _ = run("plan", "-f", "settings.yaml,web.yaml", *LIVE)

    assert code in (0, 1)  # whether a rejection is predicted is the engine's business
    assert "settings.yaml:1:1: configmap/settings in shop: created: keys a\n" in out
    assert '~ spec.template.spec.containers[name=web].image: "web:1" → "web:2" (set by the manifest, line 11)' in out


def test_a_plan_without_a_live_state_is_a_fresh_install(run: Run) -> None:
    code, out, err = run("plan", "web.yaml")

    assert code == 0
    assert "deployment.apps/web in shop: created" in out
    assert err == "applylint: the live state is unknown: plan shows a fresh install\n"


def test_the_same_report_goes_to_several_places(run: Run, folder: Path) -> None:
    code, out, _ = run("check", "web.yaml", *LIVE, "-o", "text", "-o", "json=a.json,sarif=b.sarif", "-o", "concise=c")

    assert code == 1
    assert "\n\nweb.yaml:5:3: error: " in out
    assert json.loads((folder / "a.json").read_text())["findings"][0]["rule"] == SELECTOR
    assert json.loads((folder / "b.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == SELECTOR
    assert (folder / "c").read_text().startswith("web.yaml:5:3: error: ")


@pytest.mark.parametrize("form", ["text", "concise", "json", "sarif", "github", "gitlab"])
def test_the_form_never_changes_the_exit_code(run: Run, form: str) -> None:
    codes = [run("check", *names, *LIVE, "-o", form)[0] for names in (["settings.yaml"], ["web.yaml"], ["no.yaml"])]

    assert codes == [0, 1, 3]


def test_a_plan_as_json_carries_every_object(run: Run) -> None:
    _, out, _ = run("plan", "web.yaml", "settings.yaml", *LIVE, "-o", "json")

    objects = json.loads(out)["objects"]
    assert [(o["kind"], o["namespace"], o["name"]) for o in objects] == [
        ("ConfigMap", "shop", "settings"),
        ("Deployment", "shop", "web"),
    ]


def test_a_plan_of_a_server_side_apply_names_who_is_in_the_way(run: Run, folder: Path) -> None:
    owned = {"operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:a": {}}}}
    metadata = {"name": "settings", "namespace": "shop", "managedFields": [{"manager": "team", **owned}]}
    live = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "c"}}
    (folder / "owned.json").write_text(json.dumps(live))
    plan = ("plan", "settings.yaml", "--against", "snapshot:owned.json", "--server-side", "--field-manager=ci")

    assert run(*plan)[:2] == (
        1,
        "1 conflict\n"
        "\n"
        "settings.yaml:1:1: configmap/settings in shop: conflict (HTTP 409), not stored\n"
        '    conflict with "team": data.a\n'
        "    remedy: leave the field to its owner, or take it with --force-conflicts"
        " (applylint explain field-of-other-manager-rejected)\n"
        "    would have changed:\n"
        '    ~ data.a: "c" → "b" (set by the manifest, taken from team, line 4)\n'
        "\n"
        "exit code 1: 1 object would be rejected\n",
    )
    code, forced, _ = run(*plan, "--force-conflicts")
    assert code == 0
    assert "serverside-applied" in forced
    assert "    owner of data.a: team → ci\n" in forced


def test_a_plan_of_a_rejection_has_a_remedy(run: Run) -> None:
    _, out, _ = run("plan", "web.yaml", *LIVE)

    assert "remedy: restore the old selector, or delete the workload with --cascade=orphan" in out
    assert f"(applylint explain {SELECTOR})" in out
    assert "would have changed:" in out


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["--exit-zero"], 0),
        (["--ignore", SELECTOR], 0),
        (["--select", SELECTOR], 1),
        (["--select", "string-data-key-stays"], 0),
        (["--fail-on", "info"], 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_flags_choose_what_counts(run: Run, flags: list[str], code: int) -> None:
    assert run("check", "web.yaml", *LIVE, *flags)[0] == code


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (
            ["check", "--against", "last-applied:prod.json"],
            "nothing to check: specify files or directories, or - for stdin; --against live checks the cluster,"
            " --against HEAD what differs from the last commit",
        ),
        (["plan", "web.yaml", "--force-conflicts"], "--force-conflicts only works with --server-side"),
        (
            ["check", "web.yaml", "--context=prod"],
            "--context: only works with --against live or last-applied",
        ),
        (
            ["plan", "web.yaml", "-A"],
            "--all-namespaces cannot be used with files, which specify their namespaces themselves",
        ),
        (
            ["plan", "web.yaml", "-l", "a=b=c"],
            "--selector: 'a=b=c' is not a label selector: cannot parse: 'a=b=c'; write it like"
            " app=web,tier in (front,back)",
        ),
        (
            ["plan", "web.yaml", "-o", "sarif"],
            "--output: plan has no format sarif; it has text, concise, json, junit, markdown, html, diff, part",
        ),
        (
            ["check", "web.yaml", "--select", "no"],
            "--select: unknown rule or family 'no'; applylint rules lists all rules",
        ),
        (
            ["check", "web.yaml", "--ignore", "no"],
            "--ignore: unknown rule or family 'no'; applylint rules lists all rules",
        ),
        (["explain", "no"], "explain: unknown rule 'no'; applylint rules lists all rules"),
        (["check", "web.yaml", "--color", "red"], "--color: 'red' is not one of auto, always, never"),
        (["check", "web.yaml", "-o", "text=no/x"], "no/x: cannot be written: No such file or directory"),
        (["rules", "--rules", "web.yaml"], "web.yaml:1:1: not a rule directory: it contains no rule.yaml"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_is_reported_in_one_line(run: Run, argv: list[str], line: str) -> None:
    code, out, err = run(*argv)

    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == f"applylint: {line}"


def test_a_broken_case_of_a_rule_is_wrong_use(run: Run, folder: Path) -> None:
    cases = folder / "ours" / "our-own-rule" / "cases"
    cases.mkdir(parents=True)
    (cases.parent / "rule.yaml").write_text(
        "id: our-own-rule\nsummary: s\nseverity: info\ncheck: selector_changed\nmessage: m\nwhy: w\nfix: f\n"
    )
    (cases / "bad-one.yaml").write_text("summary: [")

    code, _, err = run("explain", "our-own-rule", "--rules", "ours")

    assert code == 2
    assert err.startswith("applylint: ours/our-own-rule/cases/bad-one.yaml:")


def test_rules_are_listed_with_ones_own(run: Run) -> None:
    code, out, _ = run("rules")

    assert code == 0
    assert f"{SELECTOR} " in out


def test_the_rules_of_a_family_are_listed(run: Run) -> None:
    code, out, _ = run("rules", "--family", "kustomize,lists")

    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines() if line[:1].strip()] == ["kustomize", "lists"]
    assert "  twin-entry-lost " in out


def test_an_unknown_family_is_wrong_use(run: Run) -> None:
    line = "applylint: --family: unknown family 'kustomise'; did you mean kustomize?\n"

    assert run("rules", "--family", "kustomise") == (2, "", line)


def test_a_rule_explains_itself_with_its_cases(run: Run) -> None:
    code, out, _ = run("explain", SELECTOR)

    assert code == 0
    assert out.startswith(f"{SELECTOR}: error, confidence high")
    assert all(title in out for title in ("\nWhat happens\n", "\nWhat to do\n", "\nBad: ", "\nGood: ", "\nSee also\n"))


@pytest.mark.slow
def test_every_rule_that_ships_explains_itself(run: Run) -> None:
    ids = [line.split()[0] for line in run("rules")[1].splitlines() if line.startswith("  ")]

    code, out, err = run("explain", *ids)

    assert (code, err) == (0, "")
    assert out.count("\nWhat happens\n") == len(ids)


def test_values_of_secrets_are_masked_unless_asked_for(run: Run) -> None:
    hidden = run("plan", "secret.yaml", "-v")[1] + run("plan", "secret.yaml", "-o", "json")[1]
    shown = run("plan", "secret.yaml", "-v", "--show-secrets")[1]

    assert PASSWORD not in hidden
    assert PASSWORD in shown


def test_manifests_come_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.TextIOWrapper(io.BytesIO(Path("web.yaml").read_bytes()))
    monkeypatch.setattr(sys, "stdin", text)

    assert "\n\n-:5:3: error: " in run("check", "-f", "-", *LIVE)[1]


def test_the_flag_namespace_is_a_default_and_rejects_other_namespaces(run: Run, folder: Path) -> None:
    (folder / "bare.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare}\n")

    code, out, _ = run("plan", "bare.yaml", "settings.yaml", "-n", "test")

    assert code == 3
    assert "configmap/bare in test: created" in out
    assert (
        "settings.yaml:1:1: problem: configmap/settings names the namespace shop, so that kubectl apply -n test rejects"
        " it; leave -n out, or apply it with -n shop\n"
    ) in out


def test_an_unreadable_snapshot_makes_the_run_incomplete(run: Run, folder: Path) -> None:
    (folder / "bad.json").write_text("{")

    code, _, err = run("check", "web.yaml", "--against", "snapshot:bad.json")
    _, out, _ = run("check", "web.yaml", "--against", "snapshot:bad.json", "--allow-unreachable")

    assert (code, err.count("bad.json:1:2: problem: ")) == (3, 1)
    assert "bad.json:1:2: problem: " in out
    assert "that could not run: the snapshot could not be read (-v to list)" in out


def test_a_kustomization_is_not_named_with_f(run: Run, folder: Path) -> None:
    (folder / "kustomization.yaml").write_text("resources: [web.yaml]\n")

    code, out, _ = run("check", "-f", "kustomization.yaml", "-f", "web.yaml")

    assert code == 3
    assert "kustomization.yaml:1:1: problem: not a manifest: kustomization; name its directory with -k" in out


def test_the_plugin_speaks_as_kubectl_does(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kubectl_applylint(["check", "settings.yaml"])

    assert capsys.readouterr().err.startswith("kubectl applylint: ")


SCALED = "replicas-removed-scales-to-one"


@pytest.fixture(name="scaled_deployment")
def _scaled_deployment(folder: Path) -> None:
    """Let the manifest leave out replicas that the live Deployment got from an earlier apply."""
    text = (folder / "web.yaml").read_text().replace("app: shop", "app: web")
    (folder / "web.yaml").write_text(text)
    old = text.replace("spec:\n  selector", "spec:\n  replicas: 4\n  selector", 1)
    (folder / "old.yaml").write_text(old)


@pytest.mark.usefixtures("scaled_deployment")
@pytest.mark.parametrize("by_flag", [True, False], ids=["--lang ja", "LANG"])
def test_pages_are_in_japanese_where_that_is_wanted(run: Run, monkeypatch: pytest.MonkeyPatch, by_flag: bool) -> None:
    flags = ["--lang", "ja"] if by_flag else []
    if not by_flag:
        monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    against = ("--against", "file:old.yaml", *flags)

    assert (
        "エラー: 次の適用で deployment/web のレプリカ数が 4 から 1 になります。"
        in run("check", "web.yaml", *against)[1]
    )
    assert "サーバーがデフォルト値を設定、マニフェストから行が除かれたため" in run("plan", "web.yaml", *against)[1]
    assert "何が起こるか\n" in run("explain", SCALED, *flags)[1]


@pytest.mark.usefixtures("scaled_deployment")
def test_a_flag_wins_over_the_locale(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")

    assert (
        "the next apply scales deployment/web from 4 to 1"
        in run("check", "web.yaml", "--against", "file:old.yaml", "--lang", "en")[1]
    )


def test_the_order_in_which_a_hook_names_files_does_not_matter(folder: Path, run: Run) -> None:
    (folder / "00-namespace.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    names = ("settings.yaml", "00-namespace.yaml")
    there, back = (run("check", *order, "--against", "none") for order in (names, names[::-1]))
    flagged = run("check", "-f", names[0], "-f", names[1], "--against", "none")

    assert there == back
    assert there[0] == 0
    assert flagged[0] == 1
    assert "kubectl" in flagged[1]


def test_other_files_of_a_commit_do_not_fail_a_hook(folder: Path, run: Run) -> None:
    (folder / "extensions.json").write_text('{\n  // c\n  "a": [],\n}\n')
    (folder / "link.yaml").symlink_to("settings.yaml")
    (folder / "gone.yaml").symlink_to("nothing.yaml")
    names = ("settings.yaml", "extensions.json", "link.yaml", "gone.yaml")
    code, out, err = run("check", *names, "--against", "none", "--skip-non-manifests")

    assert (code, "no findings in 1 object\n" in out) == (0, True)
    assert "skipped non-manifests: " in err
    assert run("check", "-f", ",".join(names), "--against", "none")[0] == 3
    assert run("check", *names, "--against", "none")[0] == 3


def test_statistics_count_the_findings_by_rule(run: Run, folder: Path) -> None:
    code, out, _ = run("check", "web.yaml", "--against", "snapshot:prod.json", "--statistics", "-o", "text,json=a.json")
    (counted,) = [one for one in json.loads((folder / "a.json").read_text())["statistics"] if one["rule"] == SELECTOR]

    assert code == 1
    assert f"1       error      0         {SELECTOR}\n" in out
    assert counted == {"rule": SELECTOR, "severity": "error", "count": 1, "fixable": 0}
    assert run("check", "web.yaml", "--statistics", "-o", "sarif") == (
        2,
        "",
        "applylint: --output: check --statistics has no format sarif; it has text, json\n",
    )
