/** Nothing is offered that changes nothing: a walk over every table of what users and models can write. */
import { expect, test } from "vitest";
import { z } from "zod";
import { extraKeys, profileKeys } from "../src/config/crew/profile.ts";
import { agentKeys } from "../src/config/file/read-agents.ts";
import { blockKeys } from "../src/config/file/read-config.ts";
import { fieldNames } from "../src/plan/read/field.ts";
import { offeredSettingKeys, settingKeys, settingSpellings } from "../src/plan/settings.ts";
import { auditShape, envelopeShape, operationShape } from "../src/reply/schema.ts";
import { lineNames } from "../src/reply/signal/signal.ts";
import { noEffectYet } from "../src/std/no-effect-yet.ts";
import { runSettings } from "../src/view/run-settings.ts";
import { shownBy } from "./effects/shown-by.ts";
import { type EffectTables, effectsAreShown, type JsonSchema, schemaProperties } from "./tidy/effects.ts";
import { tree } from "./tidy/tree.ts";

const replyShape = z.object({ ...envelopeShape.shape, file_operations: z.array(operationShape) });

function propertiesOf(shape: z.ZodType): string[] {
  return schemaProperties(z.toJSONSchema(shape, { io: "input" }) as JsonSchema);
}

const tables: EffectTables = {
  read: {
    setting: settingKeys,
    field: fieldNames,
    "profile key": [...profileKeys, ...extraKeys],
    "agent key": agentKeys,
    "configuration block": blockKeys,
    signal: lineNames,
    "reply property": propertiesOf(replyShape),
    "auditor property": propertiesOf(auditShape),
  },
  noEffectYet,
  shownBy,
};

test("every setting, field and key that a user can write has a test that shows its effect, or is listed as having none yet", () => {
  expect(effectsAreShown(tree(), tables)).toEqual([]);
});

test("the check of effects reads every table", () => {
  for (const [kind, names] of Object.entries(tables.read)) {
    expect(names.length, kind).toBeGreaterThan(2);
    expect(new Set(names).size, kind).toBe(names.length);
  }
  expect(tables.read["reply property"]).toContain("file_operations[].edits[].old_string");
  expect(tables.read["auditor property"]).toContain("findings[].line");
});

test("cox status --settings has a row for each setting with an effect, and for no other", () => {
  const settings = Object.fromEntries([...settingSpellings.keys()].map((name) => [name, "x"]));
  const rows = runSettings({ settings: { ...settings, budget: { turns: 1 } }, origins: {}, budget: {} });
  expect(rows.map(({ setting }) => setting)).toEqual(offeredSettingKeys.toSorted());
});

const files = [{ path: "a.test.ts", text: 'test("it works", () => {});\nconst rows = ["one row"];' }];
const good: EffectTables = {
  read: { setting: ["a", "b", "b[].c"] },
  noEffectYet: { setting: { b: "nothing happens" } },
  shownBy: { setting: { a: ["a.test.ts", "it works", "one row"] } },
};

test.each<[string, Partial<EffectTables>, RegExp]>([
  ["a setting without a test", { read: { setting: ["a", "b", "new"] } }, /setting new has no test/],
  ["a test file that is not there", shows("b.test.ts", "it works"), /there is no b\.test\.ts/],
  ["a title that is not there", shows("a.test.ts", "it fails"), /has no test "it fails"/],
  ["a row that is not there", shows("a.test.ts", "it works", "two"), /has no row "two"/],
  ["a row of a setting that is gone", { read: { setting: ["b"] } }, /there is no setting a/],
  ["a setting without effect that is gone", { read: { setting: ["a"] } }, /there is no setting b/],
  [
    "a setting that has an effect, and is said to have none",
    { noEffectYet: { setting: { a: "", b: "" } } },
    /setting a has a row in .*: take it out/,
  ],
  ["a table that nobody walks", { noEffectYet: { setting: { b: "" }, word: {} } }, /called word/],
])("the check of effects finds %s", (_what, wrong, finding) => {
  expect(effectsAreShown(files, good)).toEqual([]);
  expect(effectsAreShown(files, { ...good, ...wrong })).toEqual([expect.stringMatching(finding)]);
});

function shows(...test: readonly [string, string, string?]): Partial<EffectTables> {
  return { shownBy: { setting: { a: test } } };
}
