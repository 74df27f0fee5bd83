/**
 * `cox log --documents --repair`: replaces a damaged log with a new one that contains every record that can still be
 * read, after a person has seen which ones cannot. Nothing changes without that. The original is kept, and no document
 * is touched.
 */
import {
  type HistoryLosses,
  type RepairedHistory,
  repairHistory,
} from "../../document-store/repair-history.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { LogPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";

export async function repairDocumentsLog(
  door: CommandContext,
  root: string,
  ports: LogPorts,
): Promise<ExitCode> {
  const refusal = insideTurn(ports);
  if (refusal) return tellProblems(door, "log", [refusal], exit.refused);
  const { files, chance, clock } = door;
  const by = { name: ports.user, door: "terminal" } as const;
  const repair = (consent: boolean) =>
    repairHistory({ files, root, chance, by, at: new Date(clock.now()).toISOString(), consent });
  const first = await repair(door.values.has("yes"));
  if (first.outcome !== "consent needed") return tell(door, first);
  const answer = await yesOrNo(door, {
    shown: `${problemsText([first.damage], "error", door.terminal.noticePaint)}${lossWords(first.losses)}\n`,
    question: "Start a new log with what can still be read? The original is kept.",
  });
  door.signal.throwIfAborted();
  if (answer === "yes") return tell(door, await repair(true));
  const problem = answer === "no" ? declined : needsPerson(first.losses);
  const code = answer === "no" ? exit.refused : exit.waiting;
  if (!door.terminal.json) return tellProblems(door, "log", [problem], code);
  door.terminal.print(jsonText(document({ losses: first.losses, problem })));
  return code;
}

function tell(door: CommandContext, repaired: RepairedHistory): ExitCode {
  const { terminal } = door;
  if (repaired.outcome === "repaired") {
    const { losses, kept } = repaired;
    if (terminal.json) terminal.print(jsonText(document({ losses, kept })));
    else terminal.print(`${lossWords(losses)}\n${keptLine(kept)}\n`);
    return exit.done;
  }
  const problem = repaired.outcome === "refused" ? repaired.problem : needsPerson(repaired.losses);
  // A sound log needs no repair, and that is not a failure.
  if (problem.code !== "LOG_SOUND") return tellProblems(door, "log", [problem], exit.notReady);
  if (terminal.json) terminal.print(jsonText(document({})));
  else terminal.print(`${terminal.paint("green", "✓")} ${problem.message}\n`);
  return exit.done;
}

interface RepairReport {
  readonly losses?: HistoryLosses;
  readonly kept?: readonly string[];
  readonly problem?: Problem;
}

function document({ losses, kept, problem }: RepairReport) {
  return {
    ok: problem === undefined,
    repaired: kept !== undefined,
    losses: losses ? { ...losses, unseen: losses.unseen ?? null } : null,
    kept: kept ?? [],
    errors: problem ? [problemDocument(problem)] : [],
  };
}

function lossWords({ records, lines, bytes, unseen }: HistoryLosses): string {
  const lost = lines === 0 ? "" : ` ${counted(lines, "line")} (${size(bytes)}) cannot be read.`;
  const gone = unseen
    ? ` Records ${unseen.first} to ${unseen.last} are lost; only the bookmark mentions them.`
    : "";
  return `${counted(records, "record")} can be read.${lost}${gone}`;
}

function keptLine(kept: readonly string[]): string {
  const names = kept.map((name) => `.coxswain/documents/${oneLine(name, 120)}`);
  return `Repaired. What was there before is kept as ${names.join(", ")}.`;
}

const declined: Problem = {
  code: "DECLINED",
  message: "the log was left as it is",
  hint: "Restore .coxswain/documents from a backup, or repair it later: cox log --documents --repair",
};

function needsPerson(losses: HistoryLosses): Problem {
  return {
    code: "NEEDS_YES",
    message: lossWords(losses),
    hint: "To accept the loss: cox log --documents --repair --yes",
  };
}
