import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import { anchorCrew } from "./anchor-crew.ts";
import type { CrewAgent } from "./crew.ts";

function repository(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cox-anchor-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "tools"));
  writeFileSync(join(root, "tools/agent.mjs"), "");
  writeFileSync(join(root, "node"), "");
  symlinkSync("agent.mjs", join(root, "tools/link.mjs"));
  return root;
}

function anchored(root: string, agent: Partial<CrewAgent>): CrewAgent | undefined {
  const whole = { name: "dev", role: "developer", driver: "command", instructions: "", ...agent };
  const crew = { agents: new Map([["dev", whole]]), assignments: new Map(), problems: [], notes: [] };
  return anchorCrew(openFiles(), root, crew).agents.get("dev");
}

test.each([
  ["a script behind its interpreter", ["node", "tools/agent.mjs"], ["node", "ROOT/tools/agent.mjs"]],
  ["with a dot before it", ["./tools/agent.mjs"], ["ROOT/tools/agent.mjs"]],
  ["a link", ["node", "tools/link.mjs"], ["node", "ROOT/tools/link.mjs"]],
  [
    "the value of an option",
    ["node", "--import=./tools/agent.mjs"],
    ["node", "--import=ROOT/tools/agent.mjs"],
  ],
  ["a program of PATH, though a file has its name", ["node", "-"], ["node", "-"]],
  ["a folder", ["agent", "--dir", "tools"], ["agent", "--dir", "tools"]],
  ["a file that is not there", ["agent", "tools/none.mjs"], ["agent", "tools/none.mjs"]],
  ["a path below a file", ["agent", "node/x"], ["agent", "node/x"]],
  ["words of another kind", ["agent", "", "--flag", "a\nb"], ["agent", "", "--flag", "a\nb"]],
])("a word of a command that names a file of the repository is bound to it: %s", (_, command, expected) => {
  const root = repository();
  const whole = expected.map((word) => word.replace("ROOT", root));
  expect(anchored(root, { command })?.command).toEqual(whole);
});

test("an argument of an agent program that names a file of the repository is bound to it", () => {
  const root = repository();
  const args = ["--mcp-config", "tools/agent.mjs", "--model"];
  expect(anchored(root, { args })?.args).toEqual(["--mcp-config", join(root, "tools/agent.mjs"), "--model"]);
});

test("an agent's script is always looked for in the repository, whether it exists or not", () => {
  const root = repository();
  expect(anchored(root, { script: "crew/play.yaml" })?.script).toBe(join(root, "crew/play.yaml"));
  expect(anchored(root, { script: "/abs/play.yaml" })?.script).toBe("/abs/play.yaml");
});
