/**
 * `cox log --repair`: cuts a damaged log off before the damage, after a person has seen what is lost. Nothing changes
 * without that, and the original is kept.
 */
import { type Losses, type Repaired, repairLog } from "../../journal/repair-log.ts";
import type { RunFolder } from "../../runtime/folder/run-folder.ts";
import { insideTurn } from "../../runtime/start/inside-turn.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { type YesOrNo, yesOrNo } from "../terminal/yes-or-no.ts";

export async function repairRunLog(
  door: CommandContext,
  folder: RunFolder,
  ports: Pick<RunPorts, "enclosingTurn" | "typed">,
): Promise<ExitCode> {
  const refusal = insideTurn(ports);
  if (refusal) return tellProblems(door, "log", [refusal], exit.refused);
  const repair = (consent: boolean) => repairLog({ files: door.files, folder: folder.path, consent });
  const first = repair(door.values.has("yes"));
  if (first.outcome !== "consent needed") return tellRepaired(door, folder.run, first);
  const answer = await ask(door, first);
  if (answer === "yes") return tellRepaired(door, folder.run, repair(true));
  const problem = answer === "no" ? declined : needsPerson(folder.run, first.losses);
  const code = answer === "no" ? exit.refused : exit.waiting;
  if (!door.terminal.json) return tellProblems(door, "log", [problem], code);
  door.terminal.print(jsonText(document(folder.run, { losses: first.losses, problem })));
  return code;
}

type ConsentNeeded = Extract<Repaired, { outcome: "consent needed" }>;

async function ask(door: CommandContext, { damage, losses }: ConsentNeeded): Promise<YesOrNo> {
  const told = problemsText([damage], "error", door.terminal.noticePaint);
  const answer = await yesOrNo(door, {
    shown: `${told}${lossLines(losses).join("\n")}\n`,
    question: "Cut the log off there? The original is kept.",
  });
  door.signal.throwIfAborted();
  return answer;
}

function tellRepaired(door: CommandContext, run: string, repaired: Repaired): ExitCode {
  const { terminal } = door;
  if (repaired.outcome === "repaired") {
    const { losses, kept } = repaired;
    if (terminal.json) terminal.print(jsonText(document(run, { losses, kept })));
    else terminal.print(`${[...lossLines(losses), keptLine(kept), "Go on: cox resume"].join("\n")}\n`);
    return exit.done;
  }
  const problem = repaired.outcome === "refused" ? repaired.problem : needsPerson(run, repaired.losses);
  // A sound log needs no repair, and that is not a failure.
  if (problem.code !== "LOG_SOUND") return tellProblems(door, "log", [problem], exit.notReady);
  if (terminal.json) terminal.print(jsonText(document(run, {})));
  else terminal.print(`${terminal.paint("green", "✓")} ${problem.message}\n`);
  return exit.done;
}

interface RepairReport {
  readonly losses?: Losses;
  readonly kept?: readonly string[];
  readonly problem?: Problem;
}

function document(run: string, { losses, kept, problem }: RepairReport) {
  return {
    ok: problem === undefined,
    run,
    repaired: kept !== undefined,
    losses: losses
      ? {
          after: losses.after,
          bytes: losses.bytes,
          records: losses.readable,
          unseen: losses.unseen ?? null,
        }
      : null,
    kept: kept ?? [],
    errors: problem ? [problemDocument(problem)] : [],
  };
}

const lossesMax = 20;

function lossLines({ after, bytes, readable, unseen }: Losses): string[] {
  const left = readable.length - lossesMax;
  return [
    `The log ends after record ${after}. Cut off: ${size(bytes)}, with ${counted(readable.length, "record")} that can still be read${readable.length > 0 ? ":" : "."}`,
    ...readable
      .slice(0, lossesMax)
      .map(({ seq, at, event }) => `  ${seq}  ${oneLine(at, 30)}  ${oneLine(event, 80)}`),
    ...(left > 0 ? [`  … ${counted(left, "more record")}`] : []),
    ...(unseen ? [`Records ${unseen.first} to ${unseen.last} are lost; only the head mentions them.`] : []),
  ];
}

function keptLine(kept: readonly string[]): string {
  return `Repaired. What was there before is kept as ${kept.map((name) => oneLine(name, 120)).join(", ")}.`;
}

const declined: Problem = {
  code: "DECLINED",
  message: "the log was left as it is",
  hint: "Restore events.jsonl from a backup, or repair it later: cox log --repair",
};

function needsPerson(run: string, losses: Losses): Problem {
  return {
    code: "NEEDS_YES",
    message: lossLines(losses).slice(0, 4).join(" "),
    hint: `To accept the loss: cox log ${oneLine(run, 60)} --repair --yes`,
  };
}
