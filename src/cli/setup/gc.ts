/**
 * `cox gc`: removes the desks of runs that are over, except the newest few, with the refs that keep their objects, and
 * old data that only an undo or a late approval would need. Logs, branches and everything of a run that is not over are
 * kept.
 */

import type { Garbage } from "../../git/repository.ts";
import { collectRuns } from "../../runtime/collect-runs.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { counted, grouped } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { type Cleared, clearOld } from "./clear-old.ts";

const keptUsually = 5;
const daysUsually = 30;

export async function gc(door: CommandContext, ports: RunPorts): Promise<ExitCode> {
  const refusal = insideTurn(ports);
  if (refusal) return tellProblems(door, "gc", [refusal], exit.refused);
  const keep = countOf(door, keepOption);
  if (typeof keep !== "number") return tellProblems(door, "gc", [keep], exit.usage);
  const days = countOf(door, daysOption);
  if (typeof days !== "number") return tellProblems(door, "gc", [days], exit.usage);
  const opened = await ports.openWorld(door.values.one("root") ?? ".");
  if ("problem" in opened) return tellProblems(door, "gc", [opened.problem], exit.notReady);
  const { repository } = opened.world;
  const dryRun = door.values.has("dry-run");
  const { runs, garbage, before } = await collectRuns(opened.world, { keep, dryRun });
  const cleared = await clearOld(door, { root: repository.root, days, dryRun });
  tell(door, { removed: garbage, cleared, dryRun, runs, keptBytes: bytesOf(before) - bytesOf(garbage) });
  return exit.done;
}

interface CountOption {
  readonly name: "keep" | "days";
  readonly what: string;
  readonly usual: number;
}

const keepOption: CountOption = {
  name: "keep",
  what: "how many finished runs keep their desks",
  usual: keptUsually,
};
const daysOption: CountOption = {
  name: "days",
  what: "the age in days from which changesets and replies are removed",
  usual: daysUsually,
};

function countOf({ values }: CommandContext, { name, what, usual }: CountOption): number | Problem {
  const text = values.one(name);
  if (text === undefined) return usual;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  const message = `--${name} is ${what}, not ${quote(text, 60)}`;
  return { code: "USAGE", message, hint: `Type for example: cox gc --${name} 2` };
}

function bytesOf({ desks }: Garbage): number {
  return desks.reduce((sum, { bytes }) => sum + bytes, 0);
}

interface Collected {
  readonly removed: Garbage;
  readonly cleared: Cleared;
  readonly dryRun: boolean;
  readonly runs: readonly string[];
  readonly keptBytes: number;
}

function tell({ terminal }: CommandContext, { removed, cleared, dryRun, runs, keptBytes }: Collected): void {
  const { desks, refs } = removed;
  const { changesets, replies } = cleared;
  if (terminal.json) {
    const document = {
      ok: true,
      dry_run: dryRun,
      desks,
      refs,
      changesets,
      replies,
      kept_runs: runs,
      kept_bytes: keptBytes,
      errors: [],
    };
    terminal.print(jsonText(document));
    return;
  }
  for (const { run, name, bytes } of desks)
    terminal.notice(`  ${oneLine(`${run}/${name}`, 120)}  ${size(bytes)}\n`);
  for (const { id, at, bytes } of changesets)
    terminal.notice(`  changeset ${id} of ${at.slice(0, 10)}: the files for its undo  ${size(bytes)}\n`);
  for (const { path, bytes } of replies) terminal.notice(`  ${oneLine(path, 120)}  ${size(bytes)}\n`);
  const what = `${counted(desks.length, "desk")} (${size(bytesOf(removed))}) and ${counted(refs.length, "ref")}${clearedWords(cleared)}`;
  const kept = `${counted(runs.length, "run")} kept, ${size(keptBytes)} at their desks; logs and branches are never removed`;
  terminal.print(
    dryRun
      ? `${what} would be removed · ${kept}\n`
      : `${terminal.paint("green", "✓")} ${what} removed · ${kept}\n`,
  );
}

/** Empty if nothing is that old, as in most repositories. */
function clearedWords({ changesets, replies }: Cleared): string {
  const parts = [
    ...(changesets.length > 0 ? [`the undo of ${counted(changesets.length, "changeset")}`] : []),
    ...(replies.length > 0
      ? [`${grouped(replies.length)} waiting ${replies.length === 1 ? "reply" : "replies"}`]
      : []),
  ];
  return parts.map((part) => `, ${part}`).join("");
}
