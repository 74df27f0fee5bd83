/**
 * What belongs to a person is not decided by an agent: a command that is run inside a turn, or below the process of one,
 * is refused. The mark is in the environment an agent was started with; unsetting it does not change its ancestors'.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { refusalsName } from "../runtime/scratch.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

/** Also leaves a note where the coordinator of that turn finds it. */
export function insideTurn(environment: Environment): Problem | undefined {
  const marks = environment.COX_TURN ? environment : marksOfAncestor();
  const turn = marks?.COX_TURN;
  if (!marks || !turn) return undefined;
  leaveNote(marks.TMPDIR, process.argv.slice(2));
  return {
    code: "AGENT_DECIDES",
    message: `this is a decision for a person, and it was asked for inside the turn ${oneLine(turn, 100)}`,
    hint: "Say what you need in your reply (SEEKING DIVINE CLARIFICATION); a person will answer.",
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** In the turn's scratch folder. An agent that prevents the note has gained nothing: the command is refused all the same. */
function leaveNote(scratch: string | undefined, words: readonly string[]): void {
  if (!scratch?.startsWith("/")) return;
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const flags = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;
    const note = openSync(`${scratch}/${refusalsName}`, flags, 0o600);
    try {
      writeSync(note, `${JSON.stringify({ command: oneLine(`cox ${words.join(" ")}`, 200) })}\n`);
    } finally {
      closeSync(note);
    }
  } catch {
    // No such folder, or none that we may write to.
  }
}

/** Deeper ones belong to something else. */
const generationsMax = 64;

function marksOfAncestor(): Environment | undefined {
  let pid: number | undefined = process.ppid;
  for (let generation = 0; pid !== undefined && pid > 0 && generation < generationsMax; generation += 1) {
    const environment = environmentOf(pid);
    if (environment.COX_TURN) return environment;
    pid = parentOf(pid);
  }
  return undefined;
}

function environmentOf(pid: number): Environment {
  const pairs = readProcess(pid, "environ")?.split("\0") ?? [];
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

function parentOf(pid: number): number | undefined {
  // The name, in brackets, may hold anything; the parent stands behind the last of them.
  const stat = readProcess(pid, "stat");
  const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return parent === undefined ? undefined : Number(parent);
}

/** Nothing where there is no such process, or no way to look at it. */
function readProcess(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return undefined;
  }
}
