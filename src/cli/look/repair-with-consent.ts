/**
 * `--repair` of a log, for the log of a run and for that of the documents: shows what would be lost, asks, repairs, and
 * tells under which name the original is kept. Nothing changes without a yes.
 */
import type { Repaired } from "../../durable/repaired.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";

export interface LogRepair<Losses> {
  readonly ports: Pick<RunPorts, "enclosingTurn" | "typed">;
  repair(consent: boolean): Repaired<Losses> | Promise<Repaired<Losses>>;
  readonly question: string;
  lossLines(losses: Losses): readonly string[];
  lossDocument(losses: Losses): object;
  /** What names the log in the document for programs, if anything does. */
  readonly named?: object;
  /** The folder of what is kept, with a slash, if it must be named. */
  readonly keptIn?: string;
  /** What to do after the repair. */
  readonly next?: string;
  readonly hints: { readonly declined: string; readonly needsYes: string };
}

export async function repairWithConsent<Losses>(
  door: CommandContext,
  repair: LogRepair<Losses>,
): Promise<ExitCode> {
  const refusal = insideTurn(repair.ports);
  if (refusal) return tellProblems(door, "log", [refusal], exit.refused);
  const first = await repair.repair(door.values.has("yes"));
  if (first.outcome !== "consent needed") return tell(door, repair, first);
  const { losses, damage } = first;
  const answer = await yesOrNo(door, {
    shown: `${problemsText([damage], "error", door.terminal.noticePaint)}${repair.lossLines(losses).join("\n")}\n`,
    question: repair.question,
  });
  door.signal.throwIfAborted();
  if (answer === "yes") return tell(door, repair, await repair.repair(true));
  const problem = answer === "no" ? declined(repair) : needsYes(repair, losses);
  const code = answer === "no" ? exit.refused : exit.waiting;
  if (!door.terminal.json) return tellProblems(door, "log", [problem], code);
  door.terminal.print(jsonText(document(repair, { losses, problem })));
  return code;
}

function tell<Losses>(door: CommandContext, repair: LogRepair<Losses>, repaired: Repaired<Losses>): ExitCode {
  const { terminal } = door;
  if (repaired.outcome === "repaired") {
    const { losses, kept } = repaired;
    const { next } = repair;
    const lines = [
      ...repair.lossLines(losses),
      keptLine(repair, kept),
      ...(next === undefined ? [] : [next]),
    ];
    if (terminal.json) terminal.print(jsonText(document(repair, { losses, kept })));
    else terminal.print(`${lines.join("\n")}\n`);
    return exit.done;
  }
  const problem = repaired.outcome === "refused" ? repaired.problem : needsYes(repair, repaired.losses);
  // A sound log needs no repair, and that is not a failure.
  if (problem.code !== "LOG_SOUND") return tellProblems(door, "log", [problem], exit.notReady);
  if (terminal.json) terminal.print(jsonText(document(repair, {})));
  else terminal.print(`${terminal.paint("green", "✓")} ${problem.message}\n`);
  return exit.done;
}

interface RepairReport<Losses> {
  readonly losses?: Losses;
  readonly kept?: readonly string[];
  readonly problem?: Problem;
}

function document<Losses>(repair: LogRepair<Losses>, { losses, kept, problem }: RepairReport<Losses>) {
  return {
    ok: problem === undefined,
    ...repair.named,
    repaired: kept !== undefined,
    losses: losses ? repair.lossDocument(losses) : null,
    kept: kept ?? [],
    errors: problem ? [problemDocument(problem)] : [],
  };
}

function keptLine({ keptIn = "" }: { readonly keptIn?: string }, kept: readonly string[]): string {
  const names = kept.map((name) => `${keptIn}${oneLine(name, 120)}`);
  return `Repaired. What was there before is kept as ${names.join(", ")}.`;
}

function declined<Losses>({ hints }: LogRepair<Losses>): Problem {
  return { code: "DECLINED", message: "the log was left as it is", hint: hints.declined };
}

function needsYes<Losses>({ hints, lossLines }: LogRepair<Losses>, losses: Losses): Problem {
  return { code: "NEEDS_YES", message: lossLines(losses).slice(0, 4).join(" "), hint: hints.needsYes };
}
