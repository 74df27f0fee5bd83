/** Run logs written by earlier versions: they are read as they are, and keep their meaning. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { FileJournal } from "../../src/journal/file-journal.ts";
import { verifyLog } from "../../src/journal/verify-log.ts";
import { decide } from "../../src/kernel/decide.ts";
import { toSnapshot } from "../../src/kernel/snapshot.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { replay } from "../golden/replay.ts";
import { folderWith } from "./folder.ts";
import { snapshot } from "./snapshot.ts";

const golden = fileURLToPath(new URL("../golden/", import.meta.url));
const names = readdirSync(golden).filter((name) => statSync(join(golden, name)).isDirectory());

test("the golden log of the first version has more than 25 kinds of events", () => {
  const events = readFileSync(join(golden, "0.1.0/events.jsonl"), "utf8").matchAll(/"event":"(\w+)"/g);
  const kinds = new Set([...events].map(([, kind]) => kind));
  expect(kinds.size).toBeGreaterThan(25);
});

describe.each(names)("the log of %s", (name) => {
  const folder = join(golden, name);

  test("is sound", () => {
    expect(verifyLog({ files: openFiles(), folder })).toMatchObject({ tornBytes: 0, head: "sound" });
    expect(verifyLog({ files: openFiles(), folder }).damage).toBeUndefined();
  });

  test("replays to the state that it led to then, and replaying it changes nothing", async () => {
    const before = snapshot(golden);
    const state = await replay(folder);
    // Fields added later appear beside the state recorded then.
    expect(toSnapshot(state)).toMatchObject(JSON.parse(readFileSync(join(folder, "state.json"), "utf8")));
    expect(decide(state, state.time)).toMatchObject({ effects: [] });
    expect(snapshot(golden)).toEqual(before);
  });

  test("can be continued by this version", async () => {
    const copy = join(folderWith(), "run");
    mkdirSync(copy);
    cpSync(folder, copy, { recursive: true });
    const journal = FileJournal.open({ files: openFiles(), chance: nodeChance, folder: copy });
    expect(journal.recovered).toEqual([]);
    const last = journal.recorded.at(-1);
    const data = { pid: 1, version: "next", resumes: 9 };
    const [added] = journal.append([{ event: "session_started", data }], { at: 0, time: last?.time ?? 0 });
    expect(added?.seq).toBe((last?.seq ?? 0) + 1);
    await journal.close();
    expect(verifyLog({ files: openFiles(), folder: copy }).damage).toBeUndefined();
  });
});
