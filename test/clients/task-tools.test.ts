/** Each real program, driven by a scripted model, calls the six task tools of our MCP server. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptInPrompt } from "../doubles/script-in-prompt.ts";
import { coordinatorNotes, documents, subagentNote } from "../mcp/scenarios.ts";
import { claudeCode } from "./claude-code.ts";
import { ask, type Client } from "./client.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { saw } from "./seen.ts";
import { setting } from "./setting.ts";
import { sixTools } from "./six-tools.ts";

const clients: readonly Client[] = [claudeCode, codex, gemini, opencode];

for (const client of clients) {
  test(`${client.title} ${client.version} works through a coordinator's list to its archive, and does a task of a document`, async ({
    skip,
  }) => {
    const { place, model } = await setting(client, { files: documents, skip });
    const prompt = `Work the list.\n${scriptInPrompt({ steps: sixTools })}\n`;
    const ended = await ask(place, client.start(place), prompt);
    expect(ended, ended.stderr + ended.stdout).toMatchObject({ exitCode: 0, signal: null });
    expect(ended.stdout).toContain("All six tools were called.");

    const inFolder = (...path: string[]) => join(place.folder, ".coxswain", ...path);
    expect(existsSync(inFolder("coordinator/active.md"))).toBe(false);
    const archives = readdirSync(inFolder("archived/coordinator")).filter((name) => name.endsWith(".md"));
    expect(archives).toHaveLength(1);
    const archive = readFileSync(inFolder("archived/coordinator", archives[0] ?? ""), "utf8");
    expect(archive.match(/^- Status: completed/gm)).toHaveLength(3);
    for (const note of coordinatorNotes) expect(archive).toContain(note);
    const document = readFileSync(inFolder("docs/api/authentication.md"), "utf8");
    expect(document).toContain(subagentNote);
    expect(document).toMatch(/^- Status: completed/m);

    const asked = model.seen.filter(({ isAside }) => !isAside);
    expect(asked.map(({ turn }) => turn)).toEqual(sixTools.map((_, at) => at));
    const results = asked.at(-1)?.turns.flatMap((turn) => (turn.role === "user" ? turn.results : [])) ?? [];
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    for (const [at, words] of expected.entries()) expect.soft(results[at]?.text).toContain(words);
    saw(client, { MCP: "yes" });
  });
}

/** What the model must be told, after each call. */
const expected = [
  "", // How a creation is told is the server's own affair.
  "Research authentication approaches",
  "Research authentication approaches",
  "Implement chosen auth system",
  "Write integration tests",
  "archived",
  "",
  "Implement JWT signing",
  "implement-jwt-signing",
];
