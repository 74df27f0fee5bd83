import { expect, test } from "vitest";
import { type InitFacts, initDocument, initDoneText, initPlanText } from "./init.ts";
import { noPaint } from "./paint.ts";

const facts: InitFacts = {
  root: "/srv/api",
  write: [{ path: ".coxswain/config.yaml", text: "a\nb\n" }],
  kept: ["plan.md"],
  found: { verify: { command: "npm test", from: "package.json" } },
  written: [".coxswain/config.yaml"],
  mcp: "there",
  agents: ["dev"],
  plan: "plan.md",
};

test("what was found, what would be written and what is there are told before anything is done", () => {
  expect(initPlanText(facts, noPaint)).toBe(`/srv/api
  Tests       npm test  (from package.json)
  Will write  + .coxswain/config.yaml  2 lines
  Is there    = plan.md  left as it is
`);
});

test("where no agent is configured, the way to one is shown, and where no test was found, how to say it", () => {
  expect(initDoneText(facts, noPaint)).not.toContain("No agent is configured");
  const bare = initDoneText({ ...facts, agents: [], found: {}, plan: undefined }, noPaint);
  for (const words of ["No agent is configured", "driver: command", "verify: …", "cox init --plan build"])
    expect(bare).toContain(words);
});

test("the document says what is next only when it was done", () => {
  expect(initDocument(facts).next).toContainEqual({ does: "Run it", command: "cox run plan.md" });
  const problem = { code: "NEEDS_YES", message: "m", hint: "h" };
  expect(initDocument(facts, problem)).toMatchObject({ ok: false, next: [], errors: [problem] });
});

test("what became of the MCP server is told, with the way for all projects; a no and a yes of long ago are not", () => {
  const told = (mcp: InitFacts["mcp"]) => initDoneText({ ...facts, mcp }, noPaint);
  expect(told("added")).toContain(
    'the MCP server "coxswain" was added to .mcp.json  (take it back: cox undo)',
  );
  expect(told("not-asked")).toContain("cox init --mcp");
  for (const mcp of ["added", "replaced", "not-asked"] as const)
    expect(told(mcp)).toContain("claude mcp add --scope user coxswain -- npx -y coxswain mcp");
  for (const mcp of ["there", "declined", "left"] as const) expect(told(mcp)).not.toContain("MCP");
});
