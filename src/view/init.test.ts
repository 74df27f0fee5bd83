import { expect, test } from "vitest";
import { type InitFacts, initDocument, initDoneText, initPlanText } from "./init.ts";
import { noPaint } from "./paint.ts";

const facts: InitFacts = {
  root: "/srv/api",
  write: [{ path: ".coxswain/config.yaml", text: "a\nb\n" }],
  kept: ["plan.md"],
  found: { verify: { command: "npm test", from: "package.json" } },
  written: [".coxswain/config.yaml"],
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
