import { expect, test } from "vitest";
import { abilitiesOf } from "./abilities-of.ts";
import { clients } from "./programs/clients.ts";

const driver = { modes: ["desk", "proposal"] as const, canResume: true };

test("every agent program can be kept from writing and reports its usage", () => {
  for (const { name } of clients)
    expect(abilitiesOf({ ...driver, name })).toMatchObject({ "read-only": "yes", usage: "yes", desk: "yes" });
});

test.each([
  ["claude-code", "yes"],
  ["codex", "no"],
  ["command", "unknown"],
  ["of-tomorrow", "unknown"],
])("does %s report its cost? %s", (name, cost) => {
  expect(abilitiesOf({ ...driver, name }).cost).toBe(cost);
});

test("the work modes and resuming that a driver declares are taken as they are", () => {
  expect(abilitiesOf({ name: "x", modes: ["proposal"], canResume: false })).toMatchObject({
    desk: "no",
    proposal: "yes",
    resume: "no",
  });
});
