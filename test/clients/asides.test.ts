/** What a client asks on its own account is answered, and disturbs no script. */
import { expect, test } from "vitest";
import { scriptInPrompt } from "../doubles/script-in-prompt.ts";
import { documents } from "../mcp/scenarios.ts";
import { ask } from "./client.ts";
import { gemini } from "./gemini.ts";
import { setting } from "./setting.ts";

test("the Gemini CLI asks a router which model to use, and then uses that model", async ({ skip }) => {
  const { place, model } = await setting(gemini, { files: documents, skip });
  const { args, ...start } = gemini.start(place);
  const routed = args.map((arg) => (arg.startsWith("gemini-") ? "auto" : arg));
  const steps = [{ tools: [{ tool: "glob", input: { pattern: "*" } }] }, { text: "Looked." }];
  const ended = await ask(place, { ...start, args: routed }, `Look.\n${scriptInPrompt({ steps })}\n`);
  expect(ended, ended.stderr + ended.stdout).toMatchObject({ exitCode: 0, signal: null });
  expect(ended.stdout).toContain('"status":"success"');
  expect(model.seen.map(({ isAside = false, turn }) => ({ isAside, turn }))).toEqual([
    { isAside: true, turn: 0 },
    { isAside: false, turn: 0 },
    { isAside: false, turn: 1 },
  ]);
});
