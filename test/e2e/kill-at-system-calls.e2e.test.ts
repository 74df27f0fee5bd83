/**
 * The real program, killed at system calls. The crash model explores far more states, power cuts included; this holds
 * the program itself, its thread pool, lock and exit to the same promise: a changeset is there wholly or not at all.
 */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, type TestContext, test } from "vitest";
import { create, edit, remove, replyOf } from "../bad-inputs/row.ts";
import { openChangesets } from "../bad-inputs/through-library.ts";
import { folderWith } from "./folder.ts";
import { type Call, findKiller, type Killer } from "./killer.ts";
import { appliedIds } from "./ledger.ts";
import { cox } from "./program.ts";
import { snapshot } from "./snapshot.ts";

const killsWanted = 200;
/** Nobody else's load may fail it: it is long when two cores are shared by many. */
const timeoutMs = 900_000;

const files = {
  "reply.md": replyOf(
    create("new/deep/a.txt", "a\n".repeat(5000)),
    create("new/deep/b.txt"),
    create("new/other/c.txt"),
    create("src/d.txt"),
    create("top.txt"),
    edit("src/e.txt", ["one", "two"]),
    edit("f.txt", ["one", "two"]),
    remove("old/g.txt"),
  ),
  "nothing.md": replyOf(create("nothing.txt"), remove("nothing.txt")),
  "src/e.txt": "one\n",
  "f.txt": "zero\none\n",
  "old/g.txt": "gone\n",
  "old/kept.txt": "kept\n",
};
const applying = ["apply", "reply.md", "--yes", "--json", "--id", "k"];
/** Opens the root, which finishes or takes back what is half done; of itself it changes nothing. */
const recovering = ["apply", "nothing.md", "--json"];

interface State {
  readonly tree: Record<string, string>;
  /** The names in our own room, but for the notes for people, which may be lost. */
  readonly room: readonly string[];
}

/** How the two allowed outcomes look, and the calls on the way. */
interface Known {
  readonly killer: Killer;
  readonly absent: State;
  readonly whole: State;
  readonly calls: readonly Call[];
  /** What the doctor says of this machine anyway. */
  readonly advice: string;
}

async function learn(context: TestContext): Promise<Known> {
  const killer = findKiller();
  if (typeof killer === "string") return context.skip(killer);
  const untouched = folderWith(files);
  await cox(recovering, { cwd: untouched });
  const applied = folderWith(files);
  const { exitCode, calls } = await killer.watch(applying, { cwd: applied });
  expect(exitCode).toBe(0);
  const advice = await doctorSays(folderWith(files));
  return {
    killer,
    absent: stateOf(untouched),
    whole: stateOf(applied),
    calls: fromFirstFolder(calls),
    advice,
  };
}

async function doctorSays(cwd: string): Promise<string> {
  return (await cox(["doctor"], { cwd })).stdout.replaceAll(cwd, "here");
}

/** Before it makes the first folder it has only looked. */
function fromFirstFolder(calls: readonly Call[]): Call[] {
  const first = calls.findIndex(({ name }) => name.startsWith("mkdir"));
  expect(first).toBeGreaterThan(0);
  return calls.slice(first);
}

function stateOf(root: string): State {
  const room = readdirSync(join(root, ".coxswain"), { recursive: true, encoding: "utf8" });
  return { tree: snapshot(root), room: room.filter((name) => name !== "changesets/progress.md").sort() };
}

test(
  `killed at ${killsWanted} system calls, a changeset is whole or absent, and whole when it was acknowledged`,
  async (context) => {
    const known = await learn(context);
    const { killer, calls } = known;
    const counts = { killed: 0, absent: 0, whole: 0, half: 0, acknowledged: 0 };
    const wrong: string[] = [];
    const once = pointsOf(calls, killsWanted + 20);
    // A run may make fewer calls than the one that was watched, and end before its kill: then others make up for it.
    const points = [...once, ...once];
    await twoAtOnce(points, async (call, at) => {
      if (counts.killed >= killsWanted) return;
      const cwd = folderWith(files);
      const ended = await killer.kill(applying, { cwd }, call);
      const acknowledged = ended.exitCode === 0 || ended.stdout.includes('"ok":true');
      const leftHalf = isHalf(cwd, known);
      const outcome = await recover(cwd, known, {
        by: at % 4 === 0 ? "program" : "library",
        closely: at % 8 === 0,
      });
      if (ended.signal === "SIGKILL") counts.killed++;
      if (leftHalf) counts.half++;
      if (acknowledged) counts.acknowledged++;
      if (outcome === "absent" || outcome === "whole") counts[outcome]++;
      else wrong.push(`${spelled(call)}: ${outcome}`);
      if (acknowledged && outcome !== "whole") wrong.push(`${spelled(call)}: acknowledged, but ${outcome}`);
    });
    expect(wrong).toEqual([]);
    // Otherwise the kills missed what they were meant for.
    expect(counts.killed).toBeGreaterThanOrEqual(killsWanted);
    expect(counts.absent).toBeGreaterThan(20);
    expect(counts.whole).toBeGreaterThan(20);
    expect(counts.half).toBeGreaterThan(10);
    expect(counts.acknowledged).toBeGreaterThan(0);
  },
  timeoutMs,
);

test(
  "recovery may itself be killed anywhere, and the next one ends it all the same",
  async (context) => {
    const known = await learn(context);
    const { killer, calls } = known;
    const renames = calls.filter(({ name }) => name.startsWith("rename"));
    const midway = renames[Math.floor(renames.length / 2)] as Call;
    const halfDone = folderWith(files);
    await killer.kill(applying, { cwd: halfDone }, midway);
    expect(isHalf(halfDone, known)).toBe(true);
    const leftHalfDone = () => {
      const cwd = folderWith();
      cpSync(halfDone, cwd, { recursive: true, preserveTimestamps: true });
      return cwd;
    };
    const recovery = await killer.watch(recovering, { cwd: leftHalfDone() });
    const counts = { killed: 0 };
    const wrong: string[] = [];
    await twoAtOnce(pointsOf(afterLock(recovery.calls), 24), async (call) => {
      const cwd = leftHalfDone();
      const ended = await killer.kill(recovering, { cwd }, call);
      const outcome = await recover(cwd, known, { by: "program", closely: false });
      if (ended.signal === "SIGKILL") counts.killed++;
      if (outcome !== "whole") wrong.push(`${spelled(call)}: ${outcome}`);
    });
    expect(wrong).toEqual([]);
    expect(counts.killed).toBeGreaterThanOrEqual(12);
  },
  timeoutMs,
);

/** The lock's file is emptied when it is taken; before that a recovery has only looked. */
function afterLock(calls: readonly Call[]): readonly Call[] {
  return calls.slice(calls.findIndex(({ name }) => name === "ftruncate"));
}

/**
 * Every call that changes or syncs something, the syncs in Node's threads, then as many of the others, evenly spread,
 * as it takes. Where there are too few, they are done again: the threads are elsewhere then.
 */
function pointsOf(calls: readonly Call[], many: number): Call[] {
  const isOther = ({ name }: Call) => name === "openat" || name === "close";
  const syncs = [1, 2, 3].map((number) => ({ name: "fsync", number, thread: "any" }) as const);
  const telling = spread([...calls.filter((call) => !isOther(call)), ...syncs], many);
  const others = spread(calls.filter(isOther), many - telling.length);
  const points = [...telling, ...others];
  return Array.from({ length: many }, (_, at) => points[at % points.length] as Call);
}

function spread<T>(items: readonly T[], many: number): T[] {
  const count = Math.min(many, items.length);
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as T);
}

async function twoAtOnce<T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [at, item] of queue) await work(item, at);
  };
  await Promise.all([worker(), worker()]);
}

function isHalf(root: string, { absent, whole }: Known): boolean {
  const now = snapshot(root);
  return !isDeepStrictEqual(now, absent.tree) && !isDeepStrictEqual(now, whole.tree);
}

interface Recovery {
  /** What comes next opens the root in either case. A start of the program is most of the cost of a kill. */
  readonly by: "program" | "library";
  readonly closely: boolean;
}

/** "absent", "whole", or what is wrong after the root was opened again. */
async function recover(
  cwd: string,
  { absent, whole, advice }: Known,
  { by, closely }: Recovery,
): Promise<string> {
  if (by === "library") (await openChangesets(cwd)).close();
  else {
    const { exitCode, stderr } = await cox(recovering, { cwd });
    if (exitCode !== 0) return `the next command ended with ${exitCode}: ${stderr}`;
  }
  const state = stateOf(cwd);
  const isWhole = isDeepStrictEqual(state, whole);
  if (!isWhole && !isDeepStrictEqual(state, absent)) return `neither: ${JSON.stringify(state, null, 1)}`;
  const applied = appliedIds(cwd);
  if (!isDeepStrictEqual(applied, isWhole ? ["k"] : [])) return `the ledger has applied: ${applied}`;
  if (readFileSync(join(cwd, ".coxswain/changesets/.gitignore"), "utf8") !== "*\n")
    return "git would see our room";
  if (closely) {
    const says = await doctorSays(cwd);
    if (says !== advice) return `the doctor says: ${says}`;
    const turned = await cox(isWhole ? ["undo", "k"] : applying, { cwd });
    const wanted = isWhole ? absent.tree : whole.tree;
    if (turned.exitCode !== 0 || !isDeepStrictEqual(snapshot(cwd), wanted))
      return `it cannot be ${isWhole ? "undone" : "applied"} any more: ${turned.stdout}${turned.stderr}`;
  }
  return isWhole ? "whole" : "absent";
}

function spelled({ name, number, thread }: Call): string {
  return `${name} ${number} of ${thread === "main" ? "the main thread" : "a thread"}`;
}
