/** Each real program, driven by a scripted model, calls the six task tools of our MCP server. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptInPrompt } from "../../src/model-server/prompt-script.ts";
import { ModelServer } from "../../src/model-server/server.ts";
import { nodeChance } from "../../src/world/node-chance.ts";
import { nodeClock } from "../../src/world/node-clock.ts";
import { nodeLoopbackServers } from "../../src/world/node-loopback-server.ts";
import { claudeCode } from "./claude-code.ts";
import { ask, type Client } from "./client.ts";
import { codex } from "./codex.ts";
import { fetched } from "./fetched.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { documents, sixTools } from "./six-tools.ts";
import { taskServer } from "./task-server.ts";

const clients: readonly Client[] = [claudeCode, codex, gemini, opencode];

for (const client of clients) {
  test(`${client.title} ${client.version} works a coordinator's list to its archive, and a document's task`, async ({
    skip,
  }) => {
    const found = await fetched(client);
    if ("missing" in found) return skip(found.missing);
    const world = { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance };
    const model = await ModelServer.start(world, { script: {} });
    onTestFinished(() => model.close());
    const home = temporary();
    const folder = temporary(documents);
    const place = { program: found.path, home, folder, model: model.url, server: taskServer };
    const ended = await ask(client, place, `Work the list.\n${scriptInPrompt({ steps: sixTools })}\n`);
    console.log(client.title, ended.ms, model.seen.length, ended.exitCode);
    writeFileSync(`/tmp/cox-clients/${client.program}.json`, JSON.stringify({ ended, seen: model.seen }, null, 1));
    expect(ended.exitCode, ended.stderr + ended.stdout).toBe(0);
    expect(readdirSync(join(folder, ".coxswain/coordinator"))).toEqual([]);
    const archive = join(folder, ".coxswain/archived/coordinator");
    const [list = ""] = readdirSync(archive);
    const text = readFileSync(join(archive, list), "utf8");
    expect(text.match(/Status: completed/g)).toHaveLength(3);
    expect(readFileSync(join(folder, ".coxswain/docs/api/authentication.md"), "utf8")).toContain("RS256");
  });
}

function temporary(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-client-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
