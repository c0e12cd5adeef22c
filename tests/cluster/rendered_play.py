"""Plays the commands that are printed about rendered objects in a shell: what the text says happens, and nothing else.

    python -m tests.cluster.rendered_play --first 0 --cases 400

Each case (``rendered.drawn``) brings objects into a namespace, asks ``adopt``, ``migrate``, ``handover`` or ``check``
about what is rendered, and runs what that prints. Prints each fault and the counts; ends with 1 if there is a fault.
"""

import argparse
import base64
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import yaml

from kubectl_applylint.core.paths import get, parse, render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.ownership.field_ownership import ownership_of
from kubectl_applylint.secrets.secret_places import MASK
from tests.cluster import build
from tests.cluster.cluster import Cluster, start_cluster
from tests.cluster.desk import HPA, Desk, open_desk
from tests.cluster.rendered import KINDS, PIPE, RenderedCase, Variant, command_line, drawn, objects, write_sources
from tests.stories import SCHEMA

_API: Final = {"Deployment": "apis/apps/v1"}
_SERVERS: Final = ("metadata.managedFields", "metadata.resourceVersion", "metadata.generation")
_ANNOTATION: Final = f"metadata.annotations[{LAST_APPLIED}]"
_SOURCES: Final = re.compile(r"-[fk] \S*(?:base|templates|patch)")
_TURNS: Final = 6
"""How many steps a field may take to another owner."""

Key = tuple[str, str]
Objects = Mapping[Key, JsonObject]


@dataclass(frozen=True, slots=True)
class Table:
    """A namespace in which a case is played, with the folder of its sources; ``faults`` are found on the way."""

    desk: Desk
    case: RenderedCase
    faults: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    taken: list[str] = field(default_factory=list)
    """The commands that take all objects according to the text, whatever it says about single ones."""

    def live(self) -> Objects:
        """Return all objects of the namespace."""
        found: dict[Key, JsonObject] = {}
        for kind in KINDS:
            path = f"/{_API.get(kind, 'api/v1')}/namespaces/{self.desk.namespace}/{kind.lower()}s"
            listed = self.desk.cluster.get(path).json
            for item in listed["items"]:
                found[kind, item["metadata"]["name"]] = {"apiVersion": listed["apiVersion"], "kind": kind, **item}
        return found

    def expected_objects(self, variant: Variant) -> Objects:
        """Return the objects as they are rendered."""
        every = objects(self.case, variant, self.desk.namespace)
        return {(one["kind"], one["metadata"]["name"]): one for one in every}

    def report(self, words: str) -> JsonObject:
        """Return what the product says about what is rendered."""
        shown = " --show-secrets" * self.case.shows_secrets
        line = f"{command_line(self.case, words)} -n {self.desk.namespace} -o json{shown}"
        done = self.desk.run(line, self.desk.reader)
        if not done.stdout:
            self.faults.append(f"{line}: {done.stderr.strip()}")
            return {"objects": [], "findings": [], "commands": []}
        report: JsonObject = json.loads(done.stdout)
        self.faults.extend([f"{line}: {one['message']}" for one in report["problems"]])
        return report

    def run(self, command: str) -> int:
        """Run a command as it was printed, with what wrote to the pipe; return how it ended."""
        self.counts["commands"] += 1
        if _SOURCES.search(command):
            self.faults.append(f"names a source: {command}")
        return self.desk.sh(command.replace("… |", f"{PIPE} |")).returncode


def play(table: Table) -> None:
    """Play a case to its end."""
    _bring(table)
    {"adopt": _steps, "migrate": _steps, "handover": _handover, "check": _check}[table.case.command](table)


def _bring(table: Table) -> None:
    case, desk = table.case, table.desk
    older = [*objects(case, case.older, desk.namespace)]
    current = [*objects(case, case.variant, desk.namespace)]
    ways: Mapping[str, Sequence[tuple[Sequence[JsonObject], Sequence[str]]]] = {
        "applied": [(current, ("apply",))],
        "applied older": [(older, ("apply",))],
        "server-side": [(older, ("apply", "--server-side"))],
        "created": [(older, ("create",))],
        "mixed": [(older[:1], ("apply",)), (older[1:2], ("create",)), (older[2:], ("apply", "--server-side"))],
        "partly there": [(older[: len(older) // 2], ("apply",))],
    }
    for items, words in ways[case.history]:
        if items:
            done = desk.cluster.run(*words, "-n", desk.namespace, "-f", "-", stdin=yaml.safe_dump_all(items))
            assert done.code == 0, done.stderr
    if case.is_scaled and ("Deployment", case.names["Deployment"]) in table.live():
        path = f"/apis/apps/v1/namespaces/{desk.namespace}/deployments/{case.names['Deployment']}/scale"
        assert desk.cluster.patch(f"{path}?fieldManager={HPA}", {"spec": {"replicas": 7}}).ok
    write_sources(case, desk.folder, desk.namespace, case.variant)


def _steps(table: Table) -> None:
    """Do the steps of ``adopt`` or ``migrate`` object by object, or all commands that end the page."""
    words = table.case.command + (f" --to {table.case.to}" if table.case.to else "")
    report = table.report(words)
    plans = report["objects"]
    if len(plans) != len(table.case.kinds):
        table.faults.append(f"{len(plans)} plans for {len(table.case.kinds)} objects")
    if table.case.command == "migrate" and table.case.seed // 16 % 2:
        before = table.live()
        for command in report["commands"]:
            table.run(command)
        done = [(plan, plan["steps"]) for plan in plans if plan["steps"]]
        _compare(table, done, before)
    else:
        _in_turn(table, plans)
    if report["commands"] and all(plan["steps"] and not plan["blocked"] for plan in plans):
        for command in dict.fromkeys(command for plan in plans for command in plan["check"]):
            if table.run(command):
                table.faults.append(f"differs afterwards: {command}")


def _in_turn(table: Table, plans: Sequence[JsonObject]) -> None:
    """Do the steps of each object; one that is the same for several is done once."""
    done: set[str] = set()
    for plan in plans:
        for step in _ways(plan):
            if step["command"] is None or step["command"] in done:
                continue
            done.add(step["command"])
            same = [(one, [each]) for one in plans for each in _ways(one) if each["command"] == step["command"]]
            before = table.live()
            code = table.run(step["command"])
            is_refused = any(_is_refused(each) for _, (each,) in same)
            if bool(code) != is_refused and not _is_look(step["command"]):
                table.faults.append(f"ended with {code}: {step['command'][:200]}")
            _compare(table, same, before)


def _ways(plan: JsonObject) -> list[JsonObject]:
    """Return the steps, with the alternative if the last one is rejected."""
    is_stuck = bool(plan["steps"]) and _is_refused(plan["steps"][-1]) and plan["alternative"]
    return [*plan["steps"], *([plan["alternative"]] if is_stuck else [])]


def _takes_all(step: JsonObject) -> bool:
    """Return whether the text says that a step takes all that is rendered: it cannot hold the Secret itself."""
    return "takes the other objects" in step["why"]


def _is_refused(step: JsonObject) -> bool:
    return step["effect"] is not None and step["effect"]["verdict"] in ("conflict", "rejected")


def _is_look(command: str) -> bool:
    return "kubectl diff" in command or "view-last-applied" in command or "applylint" in command


def _compare(table: Table, done: Sequence[tuple[JsonObject, Sequence[JsonObject]]], before: Objects) -> None:
    """Hold what is live against what the steps that were done say, and against what was live before."""
    table.taken.extend(step["command"] for _, each in done for step in each if _takes_all(step))
    after, expected = table.live(), table.expected_objects(table.case.variant)
    steps = {(plan["kind"], plan["name"]): each for plan, each in done}
    for key in {*before, *after}:
        was, now = before.get(key), after.get(key)
        if table.taken and key in expected:
            faults = _after_all(was, now, expected[key])
        elif key in steps:
            faults = _faults(steps[key], was, now, expected[key])
        else:
            faults = iter(["changed, though nothing says so"] if was != now else [])
        last = steps[key][-1]["command"][:80] if key in steps else ""
        table.faults.extend([f"{key}: {fault} after {last}" for fault in faults])


def _after_all(was: JsonObject | None, now: JsonObject | None, expected: JsonObject) -> Iterator[str]:
    """Yield where an object is neither as it was nor as it is rendered."""
    rendered, old, new = _leaves(_stored_form(expected), ()), _leaves(was, ()), _leaves(now, ())
    for path in _changed_paths(was or {}, now or {}):
        is_gone = path not in new and path not in rendered
        is_rendered = rendered.get(path, old.get(path)) == new.get(path)
        if was and not (is_gone or is_rendered or path.startswith(_ANNOTATION)):
            yield f"{path} changed"


def _faults(
    steps: Sequence[JsonObject], was: JsonObject | None, now: JsonObject | None, expected: JsonObject
) -> Iterator[str]:
    """Yield where an object is not as the last of some steps says."""
    effects = [step["effect"] for step in steps if step["effect"] is not None and not _is_refused(step)]
    if not effects:
        is_of_memory = any("set-last-applied" in (step["command"] or "") for step in steps)
        yield from _of_memory(was, now, expected) if is_of_memory else (["changed"] if was != now else [])
        return
    if now is None:
        yield "is not there"
        return
    effect = effects[-1]
    yield from (f"lacks {path}" for path in _lacking(_stored_form(expected), now, ()))
    for reset in effect["resets"]:
        if get(now, parse(reset["path"])) != reset["after"] and MASK not in str(reset["after"]):
            yield f"{reset['path']} was to be reset"
    yield from (f"{one['path']} was to go" for one in effect["deletes"] if get(now, parse(one["path"])) is not MISSING)
    yield from (f"{one['path']} was to stay" for one in effect["stays"] if get(now, parse(one["path"])) is MISSING)
    owners = {(one["manager"], one["operation"]): {*one["fields"]} for one in effect["owners"] if one["fields"]}
    if owners != _owned_fields(now):
        yield f"owners are {_owned_fields(now)}, not {owners}"
    effect_paths = [one["path"] for effect in effects for one in (*effect["resets"], *effect["deletes"])]
    yield from _unexpected_changes(was, now, expected, effect_paths)


def _of_memory(was: JsonObject | None, now: JsonObject | None, expected: JsonObject) -> Iterator[str]:
    """Yield what is wrong after kubectl has written down what was applied last."""
    remembered = json.loads((now or {}).get("metadata", {}).get("annotations", {}).get(LAST_APPLIED, "{}"))
    if _bare(remembered) != _bare(expected):
        yield f"remembers {_bare(remembered)}"
    yield from (f"{path} changed" for path in _changed_paths(was or {}, now or {}) if not path.startswith(_ANNOTATION))


def _bare(item: JsonObject) -> JsonObject:
    """Return an object without what kubectl adds to it."""
    added = ("annotations", "namespace", "creationTimestamp")
    own = {name: value for name, value in item.get("metadata", {}).items() if name not in added}
    return {**item, "metadata": own}


def _unexpected_changes(
    was: JsonObject | None, now: JsonObject | None, expected: JsonObject, effect_paths: Sequence[str]
) -> Iterator[str]:
    """Yield the changes that neither the rendered object nor the report contains."""
    if was is None or now is None:
        return
    rendered = _leaves(_stored_form(expected), ())
    for path in _changed_paths(was, now):
        is_rendered = path in rendered and rendered[path] == _leaves(now, ()).get(path)
        if not (is_rendered or path.startswith((*effect_paths, _ANNOTATION))):
            yield f"{path} changed"


def _changed_paths(was: JsonObject, now: JsonObject) -> list[str]:
    before, after = _leaves(was, ()), _leaves(now, ())
    paths = [path for path in {**before, **after} if before.get(path, MISSING) != after.get(path, MISSING)]
    return [path for path in paths if not path.startswith(_SERVERS)]


def _leaves(value: Json, path: tuple[str, ...]) -> dict[str, Json]:
    parts: list[tuple[str, Json]] = []
    if isinstance(value, dict):
        parts = [(_step(name), item) for name, item in value.items()]
    if isinstance(value, list):
        parts = [(f"[{_name(item, at)}]", item) for at, item in enumerate(value)]
    if not parts:
        return {"".join(path).removeprefix("."): value}
    return {name: leaf for step, item in parts for name, leaf in _leaves(item, (*path, step)).items()}


def _step(name: str) -> str:
    return f"[{name}]" if "." in name or "/" in name else f".{name}"


def _name(item: Json, at: int) -> str:
    return f"name={item['name']}" if isinstance(item, dict) and "name" in item else str(at)


def _lacking(wanted: Json, found: Json, path: tuple[str, ...]) -> list[str]:
    """Return what of a value the stored one does not have."""
    have = _leaves(found, path)
    return [name for name, value in _leaves(wanted, path).items() if have.get(name, MISSING) != value]


def _stored_form(item: JsonObject) -> JsonObject:
    """Return an object as the server stores it."""
    held = {name: base64.b64encode(text.encode()).decode() for name, text in item.get("stringData", {}).items()}
    rest = {name: value for name, value in item.items() if name != "stringData"}
    return {**rest, "data": held} if held else rest


def _owned_fields(live: JsonObject) -> dict[tuple[str, str], set[str]]:
    found = ownership_of(live, SCHEMA.kind(live["apiVersion"], live["kind"]))
    every = {(m.name, m.operation): {render(one.path) for one in found.of(m)} for m in found.managers}
    return {manager: fields for manager, fields in every.items() if fields}


def _handover(table: Table) -> None:
    """Hand the number of replicas over step by step, with the edits that are asked for."""
    start, case = table.live(), table.case
    name = case.names["Deployment"]
    key = ("Deployment", name)
    variant = case.variant
    for _ in range(_TURNS):
        (plan,) = table.report(f"handover deployment/{name} spec.replicas --to {case.to}")["objects"] or [{"steps": []}]
        step = plan["steps"][0] if plan["steps"] else {"kind": "blocked"}
        if step["kind"] in ("done", "blocked"):
            break
        if step["kind"] == "edit":
            live = table.live()[key]["spec"]["replicas"]
            variant = replace(variant, replicas=None if "remove " in step["why"] else live)
            write_sources(case, table.desk.folder, table.desk.namespace, variant)
        elif table.run(step["command"]):
            table.faults.append(f"ended with an error: {step['command'][:300]}")
    else:
        table.faults.append("does not end")
    table.counts[step["kind"]] += 1
    now = table.live()
    table.faults.extend([f"{other} changed" for other in start if other != key and start[other] != now.get(other)])
    if start[key]["spec"]["replicas"] != now[key]["spec"]["replicas"]:
        table.faults.append("the number of replicas changed")
    table.faults.extend(list(_unexpected_changes(start[key], now[key], table.expected_objects(variant)[key], ())))


def _check(table: Table) -> None:
    """Run the commands of the first way of each fix: what they apply is what is rendered."""
    findings = table.report("check --against live")["findings"]
    expected = table.expected_objects(table.case.variant)
    for finding in findings:
        table.counts["findings"] += 1
        for at, step in enumerate(finding["steps"]):
            if at and step["kind"] == "decision" and step["text"].startswith(("or ", "or,")):
                break
            if step["kind"] != "command" or not _is_apply(step["text"]):
                continue
            code, after = table.run(step["text"]), table.live()
            for key in expected if not code and "--dry-run" not in step["text"] else ():
                lacking = _lacking(_stored_form(expected[key]), after.get(key, {}), ())
                table.faults.extend([f"{key} lacks {path} after {step['text']}" for path in lacking])
            table.faults.extend([f"{key} is there" for key in after if key not in expected])


def _is_apply(command: str) -> bool:
    return "kubectl apply" in command and "last-applied" not in command


@dataclass(frozen=True, slots=True)
class Hall:
    """The clusters and the Helm that play all cases."""

    cluster: Cluster
    reader: Cluster
    helm: Path

    def play(self, seed: int) -> Table:
        """Play the case of a seed in a namespace of its own."""
        namespace = self.cluster.make_namespace()
        try:
            with tempfile.TemporaryDirectory() as folder:
                table = Table(open_desk(self.cluster, self.reader, namespace, Path(folder)), drawn(seed))
                homes = " ".join(f"HELM_{kind}_HOME={folder}" for kind in ("CACHE", "CONFIG", "DATA"))
                script = Path(folder, "bin", "helm")
                script.write_text(f'#!/bin/sh\n{homes} exec {self.helm} "$@"\n')
                script.chmod(0o755)
                play(table)
                return table
        finally:
            self.cluster.drop_namespace(namespace)


def main(argv: Sequence[str] | None = None) -> int:
    """Play the cases that the command line names; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first case")
    parser.add_argument("--cases", type=int, default=400, help="how many cases")
    options = parser.parse_args(argv)
    counts: Counter[str] = Counter()
    with start_cluster(os.environ) as cluster, cluster.user() as reader:
        hall = Hall(cluster, reader, build.helm(os.environ))
        for seed in range(options.first, options.first + options.cases):
            table = hall.play(seed)
            for fault in table.faults:
                print(f"{seed} {table.case.command} {table.case.form} {table.case.history}: {fault}", flush=True)
            counts = counts + table.counts + Counter({"cases": 1, "faulty": bool(table.faults)})
    print(", ".join(f"{number} {what}" for what, number in sorted(counts.items())))
    return 1 if counts["faulty"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
