/**
 * The driver for any program. It gets the prompt on stdin, which is then closed, and prints the reply on stdout. Its
 * working folder is the desk; environment variables describe the turn.
 *
 * A program that exits with a code other than 0 has failed, whatever it printed.
 */

import { unreachable } from "../../std/assert.ts";
import { oneLine } from "../../std/printable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { isDiskRefusal } from "../../world/files/errno.ts";
import type { ProcessEnd, Processes } from "../../world/processes/processes.ts";
import { confinementOf } from "../confinement.ts";
import type { Driver, TurnOutcome, TurnRequest, TurnServer } from "../driver.ts";
import {
  escapeFailure,
  exitFailure,
  failure,
  type LastWords,
  outputLimitFailure,
  signalFailure,
} from "../failure.ts";
import { outputCaps } from "../output/caps.ts";
import { TurnOutput } from "../output/turn-output.ts";
import { workModes } from "../work-modes.ts";
import { cannotStart, turnCommand } from "./turn-command.ts";
import { UsageReports, withoutUsageReports } from "./usage-reports.ts";

/** Code for a usage report that cannot be read: the cost of the turn is then only partly known. */
const unreadUsage = "AGENT_USAGE_UNREAD";

export interface CommandWorld {
  readonly processes: Processes;
  /** Time between SIGTERM and SIGKILL, so the agent can save its work. */
  readonly graceMs: number;
  environmentOf(turn: TurnRequest): Readonly<Record<string, string>>;
}

export function command({ processes, environmentOf, graceMs }: CommandWorld): Driver {
  return {
    name: "command",
    modes: workModes("command"),
    canResume: false,
    start(turn, observer) {
      const command = turnCommand(turn);
      if ("failed" in command) return command.failed;
      const { argv } = command;
      const environment = { ...environmentOf(turn), ...(turn.server && serverWords(turn.server)) };
      const output = new TurnOutput(observer, environment);
      const reports = new UsageReports(turn.settings.model);
      const running = processes.start({
        argv,
        folder: turn.desk,
        environment,
        input: encodeUtf8(turn.prompt),
        ...outputCaps,
        graceMs,
        confinement: confinementOf(turn),
        onOutput(stream, bytes) {
          output.hear(stream, bytes);
          if (stream === "stdout") reports.hear(bytes);
        },
      });
      return {
        ...(running.identity !== undefined && { identity: running.identity }),
        outcome: running.ended.then((ended) => {
          output.end();
          reports.end();
          return outcomeOf({ ended, agent: turn.agent, program: argv[0], output, reports });
        }),
        cancel: () => running.cancel(),
      };
    },
  };
}

/** Tells the program how to start the turn's server, itself or through a program of its own. */
function serverWords({ command: argv, environment }: TurnServer): Readonly<Record<string, string>> {
  return { ...environment, COX_TURN_SERVER: JSON.stringify(argv) };
}

/** A program that never started needed no sandbox. */
export function ranUnconfined({ isConfined, how }: ProcessEnd): boolean {
  return !isConfined && how.kind !== "not-started";
}

interface EndedAgent {
  readonly agent: string;
  readonly program: string;
  readonly ended: ProcessEnd;
  readonly output: TurnOutput;
  readonly reports: UsageReports;
}

function outcomeOf({ agent, program, ended, output, reports }: EndedAgent): TurnOutcome {
  const { usage } = reports;
  return {
    ended: endingOf(ended.how, { agent, program, lastLine: output.lastComplaint }),
    reply: withoutUsageReports(ended.stdout),
    lastLine: output.lastLine,
    ...(usage !== undefined && { usage }),
    ...(ranUnconfined(ended) && { ranUnconfined: true }),
    misconduct: [...escapeFailure(agent, ended.escaped), ...usageProblems(reports)],
  };
}

function usageProblems({ problems }: UsageReports) {
  return problems.map((message) => ({ code: unreadUsage, message }));
}

function endingOf(
  how: ProcessEnd["how"],
  last: LastWords & { readonly program: string },
): TurnOutcome["ended"] {
  switch (how.kind) {
    case "exited":
      return how.code === 0 ? { kind: "replied" } : exitFailure({ ...last, code: how.code });
    case "signalled":
      return signalFailure({ ...last, signal: how.signal });
    case "cancelled":
      return { kind: "cancelled" };
    case "output-limit":
      return outputLimitFailure(last);
    case "not-started":
      return notStarted(how, last);
    default:
      return unreachable(how);
  }
}

export function notStarted(
  how: Refusal,
  { agent, program }: { readonly agent: string; readonly program: string },
): TurnOutcome["ended"] {
  const message = `${cannotStart(agent)}: ${oneLine(how.message)}`;
  if (isDiskRefusal(how.errno)) return failure("DESK_FAILED", `${message}. Make room on that disk.`);
  return failure("AGENT_SPAWN", `${message}. ${adviceOn(how, program)}`);
}

interface Refusal {
  readonly errno: string;
  readonly message: string;
}

/** A missing folder and a missing program have the same errno. */
function adviceOn({ errno, message }: Refusal, program: string): string {
  if (!message.includes(program)) return "It was created for this turn, and something has removed it.";
  return advice[errno] ?? "Try the command by hand.";
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: "Install it, or write its whole path into the agent's command.",
  EACCES: "Make it executable (chmod +x), or name its interpreter first in the agent's command.",
  EISDIR: "Name the program inside it in the agent's command.",
  PROGRAM_CHANGED:
    "Check that file: if it was not you, an agent wrote it. Fix it, then stop the run and resume it.",
  E2BIG: "Shorten the agent's command, or pass on fewer variables.",
  EAGAIN: "This user has too many processes: end some, or use fewer slots.",
};
