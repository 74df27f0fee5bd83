/** Ctrl-C at any moment of a large reply: either nothing changed and it says so, or everything is there. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { create, edit, replyOf } from "../bad-inputs/row.ts";
import { Random } from "../crash/random.ts";
import { sized } from "../sized.ts";
import { folderWith } from "./folder.ts";
import { appliedIds } from "./ledger.ts";
import { cox, type Ended, program, start } from "./program.ts";
import { snapshot } from "./snapshot.ts";

const fileCount = 500;
const operations = Array.from({ length: fileCount - 1 }, (_, at) =>
  create(`new/${at % 20}/${at}.txt`, `${at}\n`),
);
const files = {
  "a.txt": "one\n",
  "reply.md": replyOf(edit("a.txt", ["one", "two"]), ...operations),
};
const applying = ["apply", "reply.md", "--json", "--id", "k"];

/** When to interrupt it: some time after its start, or when there are so many files in that folder. */
type Moment = { readonly afterMs: number } | { readonly folder: string; readonly files: number };

const staged = ".coxswain/changesets/k/after";
const placed = "new";

const moments = sized({ sample: 6, campaign: 20 });

test(`Ctrl-C at ${moments} moments leaves all of a reply or nothing, and the exit code says which`, async () => {
  const random = new Random(20);
  const before = snapshot(folderWith(files));
  const { after, tookMs } = await uninterrupted();
  const ends = { nothing: 0, everything: 0 };
  for (let round = 0; round < moments; round++) {
    // Alternating: times hit the program's start and end, file counts hit both sides of the commit point.
    const moment: Moment = [
      { afterMs: random.below(tookMs * 1.2) },
      { folder: staged, files: random.below(fileCount) },
      { folder: placed, files: random.below(fileCount / 2) },
    ][round % 3] ?? { afterMs: 0 };
    const cwd = folderWith(files);
    const ended = await interruptedAt(cwd, moment);
    const tree = snapshot(cwd);
    const told = `${JSON.stringify(moment)}: exit ${ended.exitCode}, ${ended.signal}, ${ended.stdout.slice(0, 300)}`;
    if (ended.exitCode === 0) {
      expect(tree, told).toEqual(after);
      expect(appliedIds(cwd)).toEqual(["k"]);
      ends.everything++;
    } else {
      // Before the program handles signals, the signal itself ends it, which a shell also reports as 130.
      if (ended.signal !== "SIGINT") expect(ended.exitCode, told).toBe(130);
      expect(tree, told).toEqual(before);
      expect(appliedIds(cwd)).toEqual([]);
      ends.nothing++;
    }
  }
  expect(ends.nothing).toBeGreaterThan(0);
  expect(ends.everything).toBeGreaterThan(0);
});

async function uninterrupted() {
  const cwd = folderWith(files);
  const started = performance.now();
  expect((await cox(applying, { cwd })).exitCode).toBe(0);
  return { after: snapshot(cwd), tookMs: performance.now() - started };
}

async function interruptedAt(cwd: string, moment: Moment): Promise<Ended> {
  const { child, ended } = start(applying, { cwd });
  if ("afterMs" in moment) await Promise.race([sleep(moment.afterMs), ended]);
  else while (child.exitCode === null && filesIn(join(cwd, moment.folder)) < moment.files) await sleep(1);
  child.kill("SIGINT");
  return ended;
}

function filesIn(folder: string): number {
  if (!existsSync(folder)) return -1;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).length;
}

test("Ctrl-C twice while the report is still being read ends cox apply with the exit code of what was done", async () => {
  // More than a pipe or a socket holds, so the program must wait for its reader.
  const wide = `${"wide ".repeat(30)}\n`.repeat(10);
  const many = Array.from({ length: 600 }, (_, at) => create(`wide/${at}.txt`, wide));
  const cwd = folderWith({ "reply.md": replyOf(...many) });
  const child = spawn(process.execPath, [program, ...applying], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", (...how) => resolve(how)));
  await new Promise((resolve) => child.stdout.once("readable", resolve));
  child.kill("SIGINT");
  child.kill("SIGINT");
  // Two signals at once may be delivered as one.
  while (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGINT");
    await sleep(5);
  }
  expect(await ended).toEqual([0, null]);
  expect(appliedIds(cwd)).toEqual(["k"]);
  expect(filesIn(join(cwd, "wide"))).toBe(600);
  child.stdout.destroy();
});
