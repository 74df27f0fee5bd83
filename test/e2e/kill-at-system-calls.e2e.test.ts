/**
 * Kills the real program at system calls. The crash model explores far more states, including power cuts. This test
 * holds the program itself, its thread pool, lock and exit, to the same promise: a changeset is there completely or not
 * at all.
 */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, type TestContext, test } from "vitest";
import { create, edit, remove, replyOf } from "../bad-inputs/row.ts";
import { openChangesets } from "../bad-inputs/through-library.ts";
import { sized } from "../sized.ts";
import { folderWith } from "./folder.ts";
import { type Call, findKiller, type Killer } from "./killer.ts";
import { appliedIds } from "./ledger.ts";
import { cox } from "./program.ts";
import { snapshot } from "./snapshot.ts";

const killsWanted = sized({ sample: 32, campaign: 200 });
const recoveryKills = sized({ sample: 6, campaign: 24 });
/** Long, so that other load on the machine cannot make it fail when many share two cores. */
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
/** Opens the root, which finishes or undoes what is half done. The command itself changes nothing. */
const recovering = ["apply", "nothing.md", "--json"];

interface State {
  readonly tree: Record<string, string>;
  /** The names in our own folder, except notes for people, which may be lost. */
  readonly room: readonly string[];
}

/** What the two allowed outcomes look like, and the calls on the way. */
interface Known {
  readonly killer: Killer;
  readonly absent: State;
  readonly whole: State;
  readonly calls: readonly Call[];
  /** What `cox doctor` says about this machine anyway. */
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

/** Before it creates the first folder it has only read. */
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
    const once = pointsOf(calls, Math.ceil(killsWanted * 1.1));
    // A run may make fewer calls than the recorded one and end before its kill. Others make up for it.
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
    expect(counts.absent).toBeGreaterThan(killsWanted / 10);
    expect(counts.whole).toBeGreaterThan(killsWanted / 10);
    expect(counts.half).toBeGreaterThan(killsWanted / 20);
    expect(counts.acknowledged).toBeGreaterThan(0);
  },
  timeoutMs,
);

test(
  "a recovery that is killed anywhere is finished by the next one",
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
    await twoAtOnce(pointsOf(afterLock(recovery.calls), recoveryKills), async (call) => {
      const cwd = leftHalfDone();
      const ended = await killer.kill(recovering, { cwd }, call);
      const outcome = await recover(cwd, known, { by: "program", closely: false });
      if (ended.signal === "SIGKILL") counts.killed++;
      if (outcome !== "whole") wrong.push(`${spelled(call)}: ${outcome}`);
    });
    expect(wrong).toEqual([]);
    expect(counts.killed).toBeGreaterThanOrEqual(recoveryKills / 2);
  },
  timeoutMs,
);

/** The lock file is emptied when the lock is taken. Before that, a recovery has only read. */
function afterLock(calls: readonly Call[]): readonly Call[] {
  return calls.slice(calls.findIndex(({ name }) => name === "ftruncate"));
}

/**
 * First the very last call, before which the change is acknowledged; then every call that changes or syncs something,
 * with the syncs in Node's threads; then as many others as needed, evenly spread. If there are too few, they are
 * repeated, because the threads are elsewhere then.
 */
function pointsOf(calls: readonly Call[], many: number): Call[] {
  const isOther = ({ name }: Call) => name === "openat" || name === "close";
  const syncs = [1, 2, 3].map((number) => ({ name: "fsync", number, thread: "any" }) as const);
  const last = calls.slice(-1);
  const telling = spread([...syncs, ...calls.filter((call) => !isOther(call))], many - last.length);
  const others = spread(calls.filter(isOther), many - last.length - telling.length);
  const points = [...last, ...telling, ...others];
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
  /** How the root is opened next; both ways recover. Starting the program is most of the cost of a kill. */
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
