import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DocumentPath } from "../../src/document/address.ts";
import type { Deed } from "../../src/document/store.ts";
import { FileStore } from "../../src/document-store/file-store.ts";
import { verifyHistory } from "../../src/document-store/verify-history.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { nodeClock } from "../../src/world/time/clock.ts";

const clients = 8;
const changes = 200;
const kills = 16;
const clientProgram = fileURLToPath(new URL("../../dist/test/e2e/documents-client.js", import.meta.url));

let root: string;
let running: Set<ChildProcess>;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clients-"));
  running = new Set();
});

afterEach(async () => {
  await Promise.all([...running].map(kill));
  rmSync(root, { recursive: true, force: true });
});

test(`${clients} clients make ${changes} changes each and are killed at random: every acknowledged change is there once`, async () => {
  const acknowledged = new Map<string, Set<number>>();
  const killer = { left: kills };
  await Promise.all(
    Array.from({ length: clients }, async (_, at) => {
      const name = `c${at}`;
      const told = new Set<number>();
      acknowledged.set(name, told);
      await liveOn(name, told, killer);
    }),
  );
  expect(killer.left).toBe(0);

  const store = FileStore.open({ files: openFiles(), root, clock: nodeClock, chance: nodeChance });
  await store.change({ name: "last", door: "terminal" }, () => ({
    answer: undefined,
    edits: [{ do: "create", path: "/last.md" as DocumentPath, text: "last\n" }],
    done: { tool: "test", about: "last" },
  }));
  const deeds = store.history();
  holdOnce(deeds, acknowledged);
  holdDocuments(store, deeds);
  await store.close();

  const report = verifyHistory(openFiles(), root);
  expect(report).toMatchObject({ changes: deeds.length, tornBytes: 0 });
  expect(report.damage).toBeUndefined();
  // A process killed while waiting left a marker, which counts for some seconds.
  const kept = readdirSync(join(root, ".coxswain/documents")).filter((name) => !name.startsWith("waits-"));
  expect(kept.sort()).toEqual([".gitignore", "head", "lock", "log.jsonl", "staged"]);
  expect(readdirSync(join(root, ".coxswain/documents/staged"))).toEqual([]);
});

/** Restarts the client after each kill, skipping the change whose outcome is unknown. */
async function liveOn(name: string, told: Set<number>, killer: { left: number }): Promise<void> {
  for (let first = 1; first <= changes; ) {
    const child = spawn(process.execPath, [clientProgram, root, name, String(first), String(changes)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    let rest = "";
    let isDoomed = false;
    // Counted in acknowledged changes, not in time, so that it is killed in the middle of its work on any machine.
    const until = first + 20 + Math.floor(Math.random() * 60);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) told.add(Number(line));
      if (isDoomed || killer.left === 0 || Math.max(...told) < until) return;
      isDoomed = true;
      killer.left -= 1;
      setTimeout(() => child.kill("SIGKILL"), Math.random() * 30);
    });
    const signal = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
    running.delete(child);
    const last = Math.max(0, ...told);
    if (signal === null) expect(child.exitCode).toBe(0);
    first = signal === null ? changes + 1 : last + 2;
  }
}

/** An acknowledged change is recorded once; any other at most once. */
function holdOnce(deeds: readonly Deed[], acknowledged: ReadonlyMap<string, ReadonlySet<number>>): void {
  const recorded = deeds.map(({ about }) => about.split(" ")[1] ?? about);
  expect(new Set(recorded).size).toBe(recorded.length);
  const missing = [...acknowledged].flatMap(([name, told]) =>
    [...told].map((number) => `${name}.${number}`).filter((change) => !recorded.includes(change)),
  );
  expect(missing).toEqual([]);
}

/** The documents contain what the history says, in its order, and nothing else. */
function holdDocuments(store: FileStore, deeds: readonly Deed[]): void {
  const expected = new Map<string, string>();
  for (const { about, files } of deeds) {
    const [what = "", which = ""] = about.split(" ");
    const [path = "", removed = ""] = files.map((file) => file.path);
    if (what === "add") expected.set(path, `${expected.get(path) ?? "# List\n"}- ${which}\n`);
    if (what === "make") expected.set(path, `${which}\n`);
    if (what === "archive") expected.set(path, expected.get(removed) ?? "");
    if (what === "archive") expected.delete(removed);
    if (what === "last") expected.set(path, "last\n");
  }
  const found = [...store.list(), ...store.archive()].map(({ path }) => [
    path,
    store.read(path).document?.text,
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await ended;
}
