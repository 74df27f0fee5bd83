import { expect, test } from "vitest";
import { abilitiesOf } from "./abilities-of.ts";
import { clients } from "./programs/clients.ts";

const driver = { modes: ["desk", "proposal"] as const, canResume: true };

test("every agent program can be kept from writing and tells what it used", () => {
  for (const { name } of clients)
    expect(abilitiesOf({ ...driver, name })).toMatchObject({ "read-only": "yes", usage: "yes", desk: "yes" });
});

test.each([
  ["claude-code", "yes"],
  ["codex", "no"],
  ["command", "unknown"],
  ["of-tomorrow", "unknown"],
])("whether %s tells its cost: %s", (name, cost) => {
  expect(abilitiesOf({ ...driver, name }).cost).toBe(cost);
});

test("what a driver says of itself is taken as it is", () => {
  expect(abilitiesOf({ name: "x", modes: ["proposal"], canResume: false })).toMatchObject({
    desk: "no",
    proposal: "yes",
    resume: "no",
  });
});
