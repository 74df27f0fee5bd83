/**
 * The driver for any program: the prompt on its stdin, then the end of it; the reply on its stdout; its desk as working
 * folder; what it must know of the turn in its environment.
 *
 * A program that ends with another code than 0 has failed, whatever it printed.
 */
import { unreachable } from "../std/assert.ts";
import { oneLine } from "../std/printable.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { Ended, Processes } from "../world/processes.ts";
import { outputCaps } from "./caps.ts";
import { confinementOf } from "./confinement.ts";
import type { Driver, TurnOutcome, TurnRequest, TurnServer } from "./driver.ts";
import {
  escapes,
  exitFailure,
  failure,
  type LastWords,
  outputLimitFailure,
  signalFailure,
} from "./failure.ts";
import { Listener } from "./listener.ts";
import { cannotStart, turnCommand } from "./turn-command.ts";
import { TurnRecorder } from "./turn-recorder.ts";

export interface CommandWorld {
  readonly processes: Processes;
  /** Between being asked to end and being killed: for an agent to save what it has. */
  readonly graceMs: number;
  environmentOf(turn: TurnRequest): Readonly<Record<string, string>>;
}

export function command({ processes, environmentOf, graceMs }: CommandWorld): Driver {
  return {
    name: "command",
    ways: ["desk", "proposal"],
    canResume: false,
    start(turn, watching) {
      const command = turnCommand(turn);
      if ("failed" in command) return command.failed;
      const { argv } = command;
      const listener = new Listener(watching);
      const environment = { ...environmentOf(turn), ...(turn.server && serverWords(turn.server)) };
      const recorder = new TurnRecorder(watching, environment);
      const running = processes.start({
        argv,
        folder: turn.desk,
        environment,
        input: encodeUtf8(turn.prompt),
        ...outputCaps,
        graceMs,
        confinement: confinementOf(turn),
        onOutput(stream, bytes) {
          listener.hear(stream, bytes);
          recorder.hear(stream, bytes);
        },
      });
      return {
        ...(running.identity !== undefined && { identity: running.identity }),
        outcome: running.ended.then((ended) => {
          recorder.end();
          return outcomeOf({ ended, agent: turn.agent, program: argv[0], listener });
        }),
        cancel: () => running.cancel(),
      };
    },
  };
}

/** It may start the turn's server itself, or pass it on to a program of its own. */
function serverWords({ command: argv, environment }: TurnServer): Readonly<Record<string, string>> {
  return { ...environment, COX_TURN_SERVER: JSON.stringify(argv) };
}

/** One that never began needs no holding. */
export function isUnheld({ isConfined, how }: Ended): boolean {
  return !isConfined && how.kind !== "not-started";
}

interface EndedAgent {
  readonly agent: string;
  readonly program: string;
  readonly ended: Ended;
  readonly listener: Listener;
}

function outcomeOf({ agent, program, ended, listener }: EndedAgent): TurnOutcome {
  listener.end();
  return {
    ended: endingOf(ended.how, { agent, program, lastLine: listener.lastComplaint }),
    reply: ended.stdout,
    lastLine: listener.lastLine,
    ...(isUnheld(ended) && { isUnheld: true }),
    misconduct: escapes(agent, ended.escaped),
  };
}

function endingOf(how: Ended["how"], last: LastWords & { readonly program: string }): TurnOutcome["ended"] {
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
  const advice = adviceOn(how, program);
  return failure("AGENT_SPAWN", `${cannotStart(agent)}: ${oneLine(how.message)}. ${advice}`);
}

interface Refusal {
  readonly errno: string;
  readonly message: string;
}

/** A missing folder and a missing program have one errno. */
function adviceOn({ errno, message }: Refusal, program: string): string {
  if (!message.includes(program)) return "It was made for this turn: something has removed it.";
  return advice[errno] ?? "Try the command by hand.";
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: "Install it, or write its whole path into the agent's command.",
  EACCES: "Make it executable (chmod +x), or name its interpreter first in the agent's command.",
  EISDIR: "Name the program inside it in the agent's command.",
  E2BIG: "Shorten the agent's command, or pass on fewer variables.",
  EAGAIN: "This user has too many processes: end some, or use fewer slots.",
};
