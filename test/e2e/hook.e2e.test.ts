/** The hooks of the Claude Code plugin, called as Claude Code does: a session keeps its place and is never broken. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./folder.ts";
import { cox } from "./program.ts";

const active = `# Coordinator Tasks

## Tasks

### Research
- Status: completed
- Main-Workflow: tdd-incremental-orchestration

### Build it
- Status: in_progress

As it was decided.

### Test it
- Status: pending
`;
const files = { ".git/HEAD": "", ".coxswain/coordinator/active.md": active };

async function hook(
  name: string,
  cwd: string,
  event: object = {},
  env: Readonly<Record<string, string>> = {},
) {
  const stdin = JSON.stringify({ session_id: "s-1", transcript_path: "/nowhere", cwd, ...event });
  const { exitCode, stdout, stderr } = await cox(["hook", name], { cwd: "/", stdin, env });
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

test("after a compaction the hook shows the current task and its Main-Workflow again, and counts the compaction", async () => {
  const root = folderWith(files);
  expect(await hook("pre-compact", root, { hook_event_name: "PreCompact", trigger: "auto" })).toBeUndefined();
  expect(await hook("pre-compact", root, { trigger: "manual" })).toBeUndefined();
  const answer = await hook("session-start", root, { hook_event_name: "SessionStart", source: "compact" });
  expect(answer.hookSpecificOutput.hookEventName).toBe("SessionStart");
  for (const words of [
    "compacted 2 times",
    "Task in progress: Build it (#build-it). 1 of 3 tasks done.",
    "As it was decided.",
    "Main-Workflow: tdd-incremental-orchestration\n\n# Test-driven, in small increments",
    "## The completion note",
  ])
    expect(answer.hookSpecificOutput.additionalContext).toContain(words);
  expect(JSON.parse(readFileSync(join(root, ".coxswain/sessions/s-1.json"), "utf8"))).toMatchObject({
    compactions: 2,
    compacted: [
      { trigger: "auto", task: "build-it", at: expect.stringMatching(/^\d{4}-.*Z$/) },
      { trigger: "manual" },
    ],
  });
  expect(readFileSync(join(root, ".coxswain/sessions/.gitignore"), "utf8")).toBe("*\n");
});

test("the stop hook reminds of a task in progress once a session, and never in reply to its own reminder", async () => {
  const root = folderWith(files);
  expect(await hook("stop", root, { stop_hook_active: true })).toBeUndefined();
  expect(await hook("stop", root, { stop_hook_active: false })).toMatchObject({ decision: "block" });
  expect(await hook("stop", root, { stop_hook_active: false })).toBeUndefined();
  expect(await hook("stop", root, { session_id: "s-2" })).toMatchObject({ decision: "block" });
});

test("the stop hook shows each open question to the person once, and blocks nothing", async () => {
  const state = (...ids: string[]) =>
    JSON.stringify({ pending_divine_questions: ids.map((question_id) => ({ question_id })) });
  const root = folderWith({
    ".git/HEAD": "",
    ".coxswain/runs/r1/events.jsonl": "",
    ".coxswain/runs/r1/state.json": state("q1"),
  });
  const answer = await hook("stop", root);
  expect(answer).toEqual({ systemMessage: "1 question of a run waits for you (q1): cox questions" });
  expect(await hook("stop", root)).toBeUndefined();
});

test("a hook uses the project of the session, whatever folder the agent is in", async () => {
  const root = folderWith(files);
  const elsewhere = folderWith({ ".git/HEAD": "" });
  expect(await hook("session-start", elsewhere)).toBeUndefined();
  expect(await hook("session-start", elsewhere, {}, { CLAUDE_PROJECT_DIR: root })).toBeDefined();
  expect(await hook("session-start", join(root, ".coxswain"))).toBeDefined();
});

test("a hook does not give the coordinator's list to a crew member at its desk", async () => {
  expect(await hook("session-start", folderWith(files), {}, { COX_TURN: "build.1.1" })).toBeUndefined();
});

test.each([
  ["no .coxswain folder", { ".git/HEAD": "" }],
  ["an empty list", { ...files, ".coxswain/coordinator/active.md": "" }],
  ["a list that is no text", { ...files, ".coxswain/coordinator/active.md": "\u0000\u0001" }],
  ["a list that is a folder", { ".coxswain/coordinator/active.md/a.txt": "" }],
  ["a list that is far too long", { ".coxswain/coordinator/active.md": active.repeat(4000) }],
  ["a file where the folder should be", { ".coxswain": "" }],
  ["a state that is no JSON", { ".coxswain/runs/r1/events.jsonl": "", ".coxswain/runs/r1/state.json": "{" }],
])("with %s every hook says nothing, writes nothing and exits 0", async (_what, content) => {
  const root = folderWith(content);
  for (const name of ["session-start", "pre-compact", "stop"]) expect(await hook(name, root)).toBeUndefined();
  expect(existsSync(join(root, ".coxswain/sessions"))).toBe(false);
});

test.each([
  ["nothing", ""],
  ["no JSON", "hello"],
  ["a list", "[]"],
  ["null", "null"],
  ["fields of other types", '{ "cwd": 7, "session_id": {}, "stop_hook_active": "no" }'],
  ["a folder that is not there", '{ "cwd": "/nowhere/at/all", "session_id": "s" }'],
  ["two megabytes", "x".repeat(2_000_000)],
])("given %s on stdin every hook exits 0 with nothing", async (_what, stdin) => {
  for (const name of ["session-start", "pre-compact", "stop", "another", "stop again"])
    expect(await cox(["hook", ...name.split(" ")], { cwd: "/", stdin })).toMatchObject({
      exitCode: 0,
      stdout: "",
    });
});

test.each(["../../escape", "", "a/b", "x".repeat(500), ".."])(
  "a session named %j leaves no file anywhere, and no reminder",
  async (session_id) => {
    const root = folderWith(files);
    await hook("pre-compact", root, { session_id });
    expect(await hook("stop", root, { session_id })).toBeUndefined();
    expect(existsSync(join(root, ".coxswain/sessions"))).toBe(false);
    expect(readdirSync(root).sort()).toEqual([".coxswain", ".git"]);
  },
);
