"""Findings of rules on recorded runs of Helm, Flux, Argo CD and kapp have happened in them."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.paths import get
from kubectl_applylint.core.state import Identity, annotations_of, ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal, mapping
from kubectl_applylint.lint.model import Finding
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from tests.cases.tool_cases import ToolCase, ToolRecord, ToolRun
from tests.rules.tool_stories import run_of, subjects_of
from tests.tree import ROOT

RULES = rulebook.built_in().rules
CALLS = 220
"""How many of the last calls of each recording are examined."""


@dataclass(frozen=True)
class Seen:
    """The recorded facts: whether the run failed, and the objects before and after it."""

    failed: bool
    before: Mapping[Identity, JsonObject]
    after: Mapping[Identity, JsonObject]

    def is_changed(self, finding: Finding) -> bool:
        return not equal(self._at(self.before, finding), self._at(self.after, finding))

    def is_gone(self, finding: Finding) -> bool:
        return self._at(self.after, finding) is MISSING

    def is_kept(self, finding: Finding) -> bool:
        return not self.is_changed(finding) and not self.is_gone(finding)

    def is_lost(self, finding: Finding) -> bool:
        return self.failed and self.is_gone(finding)

    def is_recreated(self, finding: Finding) -> bool:
        old, new = (side.get(finding.ref.identity) for side in (self.before, self.after))
        return old is not None and new is not None and old["metadata"]["uid"] != new["metadata"]["uid"]

    def is_failed(self, finding: Finding) -> bool:
        return self.failed

    def _at(self, side: Mapping[Identity, JsonObject], finding: Finding) -> object:
        return get(side.get(finding.ref.identity, MISSING), finding.path)


EVIDENCE: Mapping[str, Callable[[Seen, Finding], bool]] = {
    **dict.fromkeys(("scale-set-back-by-run", "field-set-back-by-run"), Seen.is_changed),
    **dict.fromkeys(("kapp-scale-reset-to-default", "argo-cd-replace-resets-scale"), Seen.is_changed),
    **dict.fromkeys(("flux-removes-edit-by-kubectl", "argo-cd-replace-removes-fields-of-others"), Seen.is_gone),
    **dict.fromkeys(("kapp-removes-fields-of-others", "kapp-removes-marks-of-others"), Seen.is_gone),
    **dict.fromkeys(("flux-force-loses-object", "kapp-strategy-loses-object"), Seen.is_lost),
    **dict.fromkeys(("flux-force-recreates-object", "argo-cd-force-recreates-object"), Seen.is_recreated),
    "kapp-strategy-recreates-object": Seen.is_recreated,
    **dict.fromkeys(("helm-removed-field-kept-by-writer", "flux-removed-field-kept-by-writer"), Seen.is_kept),
    **dict.fromkeys(("argo-cd-removed-field-kept-by-writer", "helm-failed-upgrade-leaves-field"), Seen.is_kept),
    "helm-leaves-custom-resource-as-it-is": Seen.is_kept,
    **dict.fromkeys(("helm-upgrade-fails-half-written", "flux-failure-holds-back-stage"), Seen.is_failed),
    **dict.fromkeys(("argo-cd-failure-stops-later-waves", "kapp-failure-stops-deploy"), Seen.is_failed),
    **dict.fromkeys(("argo-cd-prunes-although-sync-fails", "kapp-deletes-although-deploy-fails"), Seen.is_failed),
    **{rule.id: Seen.is_failed for rule in RULES if rule.family == "tools" and rule.id.endswith("-rejected")},
}
"""Events that a finding of a rule requires; a run that fails elsewhere proves nothing of its objects."""


def calls(applier: Applier, most: int | None = CALLS) -> Iterator[tuple[JsonObject, ToolCase]]:
    """Yield the last recorded runs that were called without flags which ``check`` does not know, as cases."""
    with gzip.open(ROOT / "tests" / "fidelity" / f"{applier}.jsonl.gz", "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        every = [json.loads(line) for line in lines]
    is_plain = applier in (Applier.HELM3, Applier.HELM4, Applier.KAPP)
    for call in every[-most:] if most else every:
        is_named = any(flag.startswith("name=") for flag in call["flags"])
        if (
            call["action"] not in ("rollback", "apply", "uninstall")
            and not is_named
            and not (is_plain and call["flags"])
        ):
            yield call, case_of(applier, call, head["crds"])


def case_of(applier: Applier, call: JsonObject, crds: list[JsonObject]) -> ToolCase:
    every = [*call["chart"], *call.get("definitions", ())]
    chart = [item for item in every if "helm.sh/hook" not in annotations_of(item) or applier is Applier.FLUX]
    before = tuple(item for item in call["before"].values() if item)
    record = ToolRecord("v1.36.3", "", "", bool(call["exit"]), call["stderr"], {}, (), before, memory_of(applier, call))
    text = "\n---\n".join(map(json.dumps, chart))
    steps = (ToolRun(()), ToolRun(()))
    return ToolCase("", "", applier, text, steps, tuple(crds), tuple(call["flags"]), (), (), record)


def memory_of(applier: Applier, call: JsonObject) -> Json:
    """Return what a recording keeps of a program's memory as cases have it."""
    match applier:
        case Applier.FLUX:
            return call["inventory"]
        case Applier.KAPP:
            known = {"labelKey": "kapp.k14s.io/app", "labelValue": call["app"], "usedGKs": call["kinds"]}
            return known if call["kinds"] is not None else None
        case Applier.ARGOCD:
            return None
        case _:
            return [{**each, "apply_method": each["applyMethod"]} for each in call["history"]]


def objects_seen(call: JsonObject) -> Seen:
    sides = [
        {
            ref_of(item).identity: item
            for item in call[side].values()
            if item and not mapping(item["metadata"]).get("deletionTimestamp")
        }
        for side in ("before", "after")
    ]
    return Seen(bool(call["exit"]), sides[0], sides[1])


@pytest.mark.slow
@pytest.mark.parametrize("applier", TOOL_APPLIERS, ids=str)
def test_findings_on_recorded_runs_have_happened(applier: Applier, tmp_path: Path) -> None:
    false_alarms = []
    found = set()
    for call, case in calls(applier):
        happened = objects_seen(call)
        report = lint(subjects_of(case, run_of(case, tmp_path, call["namespace"])), RULES)
        for finding in report.findings:
            evidence = EVIDENCE.get(finding.rule)
            if evidence is None or (happened.failed and evidence not in (Seen.is_failed, Seen.is_lost)):
                continue
            found.add(finding.rule)
            if not evidence(happened, finding):
                false_alarms.append((call["id"], finding.rule, finding.message))

    assert false_alarms == []
    assert len(found) >= 3
