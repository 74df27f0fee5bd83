import { expect, test } from "vitest";
import { runSettings, runSettingsText } from "./run-settings.ts";
import { noPaint } from "./text/paint.ts";

const look = { columns: 80, paint: noPaint, ascii: false };

test.each<[string, Parameters<typeof runSettings>[0]["settings"], string]>([
  ["a time limit says all of it", { turnTimeoutMs: 5_430_500 }, "turn-timeout  1 h 30 m 30 s 500 ms"],
  ["commands stand in their order", { verify: ["npm ci", "npm test"] }, "verify  npm ci; npm test"],
  ["a flag is a word", { verifyBase: false }, "verify-base  false"],
  [
    "a budget is written as one would write it",
    { budget: { usdMicros: 2_500_000, tokens: 12_000, turns: 3, timeMs: 3_600_000 } },
    "budget  2.5 USD, 12,000 tokens, 3 turns, 1 h",
  ],
  ["what would act on a terminal is written out", { verify: ["echo \u001b[2J"] }, "verify  echo \\u001b[2J"],
])("%s", (_, settings, words) => {
  const told = runSettings({ settings, origins: {}, budget: settings.budget ?? {} });
  expect(runSettingsText(told, look)).toBe(`${words}  not known\n`);
});

test("a setting without an effect yet has no row, wherever it is set", () => {
  const settings = { tick: true, loopThreshold: 2, land: "ask" } as const;
  const told = runSettings({ settings, origins: { tick: "plan" }, budget: {} });
  expect(told.map(({ setting }) => setting)).toEqual(["land"]);
});

test("each setting of a run is shown with where it is set, ordered by name", () => {
  const told = runSettings({
    settings: { schedule: "flow", land: "ask", activeDevelopers: 2 },
    origins: { schedule: "plan", activeDevelopers: "command line" },
    budget: {},
  });
  expect(told.map(({ setting, origin }) => [setting, origin])).toEqual([
    ["active-developers", "command line"],
    ["land", null],
    ["schedule", "plan"],
  ]);
});

test("a budget raised when the run was resumed is the one that is shown", () => {
  const given = { settings: { budget: { turns: 2 } }, origins: { budget: "config" } };
  expect(runSettings({ ...given, budget: { turns: 2 } })[0]).toMatchObject({ origin: "config" });
  expect(runSettings({ ...given, budget: { turns: 9 } })[0]).toMatchObject({
    text: "9 turns",
    value: { turns: 9 },
    origin: "resume",
  });
});

test("a long command among a run's settings is not cut, so that it can be copied", () => {
  const verify = ["x".repeat(300)];
  const text = runSettingsText(runSettings({ settings: { verify }, origins: {}, budget: {} }), look);
  expect(text).toContain(verify[0]);
});
