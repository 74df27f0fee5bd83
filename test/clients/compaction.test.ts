/**
 * Claude Code with our plugin through a real compaction: the conversation is gone but for a summary, and yet the model
 * is told which task it is at.
 */
import { expect, test } from "vitest";
import type { ModelScript, ModelStep } from "../../src/model-server/script.ts";
import type { ServedRequest } from "../../src/model-server/server.ts";
import { scriptInPrompt } from "../doubles/script-in-prompt.ts";
import { documents } from "../mcp/scenarios.ts";
import { claudeCode, claudeCodeStart, withServer } from "./claude-code.ts";
import { ask } from "./client.ts";
import type { Talk } from "./run.ts";
import { setting } from "./setting.ts";
import { sixTools } from "./six-tools.ts";
import { plugin } from "./task-server.ts";

/** The summary says nothing of the task: whatever the model knows of it afterwards, it was told anew. */
const script: ModelScript = {
  conversations: {
    summary: {
      when: { prompt: "Your task is to create a detailed summary" },
      steps: [{ text: "<summary>Some files were looked for.</summary>" }],
    },
    after: {
      when: { prompt: "This session is being continued from a previous conversation" },
      steps: [{ text: "I go on." }],
    },
  },
};

const [create, start] = sixTools as readonly [ModelStep, ModelStep];
const title = "Research authentication approaches";

/** What is kept of the conversation is its end, and in this one the end does not name the task. */
const look = (input: number): ModelStep => ({ tool: "Glob", input: { pattern: "*.none" }, usage: { input } });
const begin = `Begin.\n${scriptInPrompt({ steps: [create, start, look(100), look(100), { text: "Begun." }] })}`;
const tooMuch = [
  create,
  start,
  look(100_000),
  look(180_000),
  look(190_000),
  look(190_000),
  { text: "Begun." },
];

const asked: Talk = {
  says: [begin, "/compact", "Go on."].map(
    (content) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`,
  ),
  isAnswer: (line) => JSON.parse(line).type === "result",
};

const compactions = {
  "that was asked for": { prompt: asked, args: ["--input-format", "stream-json"], trigger: "manual" },
  "that it needs": {
    prompt: `Begin.\n${scriptInPrompt({ steps: tooMuch })}`,
    args: ["--autocompact", "100000"],
    trigger: "auto",
  },
};

for (const [which, { prompt, args, trigger }] of Object.entries(compactions)) {
  test(`after a compaction ${which}, the plugin shows the model its current task again`, async ({ skip }) => {
    const { place, model } = await setting(claudeCode, { script, files: documents, skip });
    const start = ["--tools", "Glob", "--plugin-dir", plugin.folder, "--allowedTools", plugin.tools, ...args];
    const ended = await ask(place, claudeCodeStart(place, start), prompt);
    expect(ended, ended.stderr + ended.stdout).toMatchObject({ exitCode: 0, signal: null });
    expect(ended.stdout).toContain(`"trigger":"${trigger}"`);
    expect(saidAfterwards(model.seen)).toContain(title);
    expect(saidAfterwards(model.seen)).toContain("Compare JWT vs session-based auth");
  });

  test(`after a compaction ${which}, a session without the plugin knows nothing of its task`, async ({
    skip,
  }) => {
    const { place, model } = await setting(claudeCode, { script, files: documents, skip });
    const start = ["--tools", "Glob", ...withServer(place), ...args];
    const ended = await ask(place, claudeCodeStart(place, start), prompt);
    expect(ended, ended.stderr + ended.stdout).toMatchObject({ exitCode: 0, signal: null });
    expect(ended.stdout).toContain(`"trigger":"${trigger}"`);
    expect(saidAfterwards(model.seen)).not.toContain(title);
  });
}

/** All that the model is sent in the first request after the summary. */
function saidAfterwards(seen: readonly ServedRequest[]): string {
  const summary = seen.findLastIndex(({ conversation }) => conversation === "summary");
  const after = seen.slice(summary).find(({ conversation }) => conversation === "after");
  expect(after, "the model is asked again after the summary").toBeDefined();
  return JSON.stringify([after?.system, after?.turns]);
}
