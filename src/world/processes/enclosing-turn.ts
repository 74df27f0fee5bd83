/**
 * Whether we run inside an agent's turn, that is, below its process. The mark is in the environment that the agent was
 * started with. Removing it from one's own environment does not remove it from that of one's ancestors.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";

export interface EnclosingTurn {
  readonly turn: string;
  /**
   * Leaves a line in the turn's scratch folder, where its coordinator finds it. An agent that prevents this gains
   * nothing: what the note is about was refused anyway.
   */
  note(name: string, line: string): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function enclosingTurn(environment: Environment): EnclosingTurn | undefined {
  const marks = environment.COX_TURN ? environment : marksOfAncestor();
  const turn = marks?.COX_TURN;
  return turn ? { turn, note: (name, line) => leaveNote(marks.TMPDIR, name, line) } : undefined;
}

function leaveNote(scratch: string | undefined, name: string, line: string): void {
  if (!scratch?.startsWith("/")) return;
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const flags = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;
    const note = openSync(`${scratch}/${name}`, flags, 0o600);
    try {
      writeSync(note, `${line}\n`);
    } finally {
      closeSync(note);
    }
  } catch {
    // The folder does not exist, or we may not write to it.
  }
}

/** Ancestors further up belong to something else. */
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
  // The name in parentheses may contain anything; the parent comes after the last closing one.
  const stat = readProcess(pid, "stat");
  const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return parent === undefined ? undefined : Number(parent);
}

/** `undefined` when the process does not exist or cannot be inspected. */
function readProcess(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return undefined;
  }
}
