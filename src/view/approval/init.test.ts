import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { type InitFacts, initDocument, initDoneText, initPlanText } from "./init.ts";

const facts: InitFacts = {
  root: "/srv/api",
  write: [{ path: ".coxswain/config.yaml", text: "a\nb\n" }],
  kept: ["plan.md"],
  found: { verify: { command: "npm test", from: "package.json" } },
  written: [".coxswain/config.yaml"],
  mcp: "there",
  agents: ["dev"],
  plan: "plan.md",
  programs: [],
};

const programs = [
  { driver: "claude-code", title: "Claude Code", version: "2.1.325" },
  { driver: "codex", title: "Codex", version: "0.166.0" },
];

test("cox init names the installed agent programs, and makes the example crew of them", () => {
  expect(initPlanText({ ...facts, programs }, noPaint)).toContain(
    "  Agents      Claude Code 2.1.325  (driver: claude-code)\n              Codex 0.166.0",
  );
  const bare = initDoneText({ ...facts, programs, agents: [] }, noPaint);
  expect(bare).toContain("dev:    { role: developer, driver: claude-code }");
  expect(bare).toContain("tester: { profile: auditor, driver: codex }");
  expect(bare).not.toContain("driver: command");
  const alone = initDoneText({ ...facts, programs: programs.slice(0, 1), agents: [] }, noPaint);
  expect(alone).toContain("tester: { profile: auditor, driver: claude-code }");
});

test("cox init shows what was found, what it would write and what exists before it does anything", () => {
  expect(initPlanText(facts, noPaint)).toBe(`/srv/api
  Tests       npm test  (from package.json)
  Will write  + .coxswain/config.yaml  2 lines
  Exists      = plan.md  not changed
`);
});

test("cox init says how to configure an agent if there is none, and how to name a test if none was found", () => {
  expect(initDoneText(facts, noPaint)).not.toContain("No agent is configured");
  const bare = initDoneText({ ...facts, agents: [], found: {}, plan: undefined }, noPaint);
  for (const words of ["No agent is configured", "driver: command", "verify: …", "cox init --plan build"])
    expect(bare).toContain(words);
});

test("the JSON of cox init names the next steps only if init succeeded", () => {
  expect(initDocument(facts).next).toContainEqual({ does: "Run it", command: "cox run plan.md" });
  const problem = { code: "NEEDS_YES", message: "m", hint: "h" };
  expect(initDocument(facts, problem)).toMatchObject({ ok: false, next: [], errors: [problem] });
});

test("cox init says what it did with the MCP server and how to add it for all projects, but not after a no", () => {
  const told = (mcp: InitFacts["mcp"]) => initDoneText({ ...facts, mcp }, noPaint);
  expect(told("added")).toContain('the MCP server "coxswain" was added to .mcp.json  (undo: cox undo)');
  expect(told("not-asked")).toContain("cox init --mcp");
  for (const mcp of ["added", "replaced", "not-asked"] as const)
    expect(told(mcp)).toContain("claude mcp add --scope user coxswain -- npx -y coxswain mcp");
  expect(told("there")).toContain("is in .mcp.json already");
  for (const mcp of ["declined", "left"] as const) expect(told(mcp)).not.toContain("MCP");
});
