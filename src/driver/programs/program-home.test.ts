import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeUtf8 } from "../../std/utf8.ts";
import { nodePlainFiles } from "../../world/files/node-plain-files.ts";
import { startProgram } from "../../world/processes/start-program.ts";
import { holdsHere, sandboxes } from "../../world/sandbox/confine.ts";
import type { Sandbox } from "../../world/sandbox/sandbox.ts";
import { confinementOf } from "../confinement.ts";
import type { TurnRequest } from "../driver.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { makeKeptFolders } from "./program-home.ts";

const clients = [claudeCode, codex, gemini, opencode];
const cases = sandboxes.flatMap((sandbox) => clients.map((client) => [client.name, sandbox.name] as const));

let all: string;
let home: string;

beforeAll(() => {
  all = realpathSync(mkdtempSync(join(tmpdir(), "cox-program-home-")));
});

beforeEach(() => {
  home = mkdtempSync(join(all, "home-"));
});

afterAll(() => rmSync(all, { recursive: true, force: true }));

describe.each(cases)("an agent in %s, with %s", (clientName, sandboxName) => {
  const client = clients.find(({ name }) => name === clientName) ?? claudeCode;
  const sandbox = sandboxes.find(({ name }) => name === sandboxName) as Sandbox;

  beforeEach((context) => {
    if (!holdsHere(sandbox)) context.skip(`${sandboxName} does not confine on this machine`);
  });

  test("leaves nothing behind that the program obeys, whether it was there before or not", async () => {
    const desk = join(home, "desk");
    const { obeyed } = client.home({ HOME: home }, desk);
    const files = obeyed.flatMap((path) => [path, join(path, "planted")]);
    expect(await tryToWrite(files, desk)).toEqual([]);
    // The same when all of it exists already, as folders that keep their content.
    for (const path of obeyed) put(join(path, "own"), "own");
    const inside = obeyed.flatMap((path) => [join(path, "planted"), join(path, "own")]);
    expect(await tryToWrite(inside, desk)).toEqual([]);
    for (const path of obeyed) expect(readFileSync(join(path, "own"), "utf8")).toBe("own");
  });

  test("leaves nothing behind in the other folders that the program writes to", async () => {
    const desk = join(home, "desk");
    const { written } = client.home({ HOME: home }, desk);
    for (const path of written) if (path.endsWith(".json")) put(path, "own");
    const others = written.map((path) => (path.endsWith(".json") ? path : join(path, "other.json")));
    const keepsAll = client === opencode ? [join(written[0] ?? "", "other.json")] : [];
    expect(await tryToWrite(others, desk)).toEqual(keepsAll);
  });

  test("keeps its own conversations and a renewed sign-in, and no other folder's", async () => {
    const desk = join(home, "desk");
    const { keptFolders, keptFiles } = client.home({ HOME: home }, desk);
    for (const path of keptFiles) put(path, "old");
    const conversations = keptFolders.map((path) => join(path, "conversation.jsonl"));
    const kept = [...conversations, ...keptFiles];
    expect(await tryToWrite(kept, desk)).toEqual(kept);
    const elsewhere = client.home({ HOME: home }, join(home, "project")).keptFolders;
    const remembered = elsewhere
      .filter((path) => !keptFolders.includes(path))
      .map((path) => join(path, "memory/x"));
    expect(await tryToWrite(remembered, desk)).toEqual([]);
    expect(remembered.length).toBe(client === claudeCode ? 1 : 0);
  });

  /** Runs an agent that writes its mark wherever it can. Returns the paths that have the mark after the turn. */
  async function tryToWrite(paths: readonly string[], desk: string): Promise<string[]> {
    const programHome = client.home({ HOME: home }, desk);
    const [scratch, layers] = [join(home, "scratch"), join(all, "layers")];
    for (const folder of [desk, scratch, ...programHome.written.filter((path) => !path.endsWith(".json"))])
      mkdirSync(folder, { recursive: true });
    makeKeptFolders(nodePlainFiles, programHome);
    const turn = { role: "developer", mode: "desk", desk, scratch, readOnly: [] } as unknown as TurnRequest;
    const script = 'for f in "$@"; do mkdir -p "$(dirname "$f")"; echo mark > "$f"; done; echo tried';
    const ended = await startProgram(
      {
        argv: ["sh", "-c", script, "sh", ...paths],
        folder: desk,
        environment: { HOME: home, PATH: "/usr/bin:/bin" },
        keepBytes: 100_000,
        bytesMax: 1_000_000,
        graceMs: 5_000,
        confinement: confinementOf(turn, programHome),
      },
      { layers, choose: () => sandbox },
    ).ended;
    expect([ended.isConfined, decodeUtf8(ended.stdout)]).toEqual([true, "tried\n"]);
    return paths.filter((path) => read(path) === "mark\n");
  }
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** `undefined` when there is no file. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
