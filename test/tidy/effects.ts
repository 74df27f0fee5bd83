/**
 * Everything that a user or a model can write has a test that shows what it changes, or is known to change nothing yet.
 * So a new setting, field, key, signal or property cannot be forgotten, and none is offered that does nothing.
 */
import type { Shown } from "../effects/shown-by.ts";
import type { Finding, TextFile } from "./rule.ts";
import { testTitles } from "./test-titles.ts";

export interface EffectTables {
  /** Every name that is read, by kind. */
  readonly read: Readonly<Record<string, readonly string[]>>;
  readonly noEffectYet: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly shownBy: Readonly<Record<string, Readonly<Record<string, Shown>>>>;
}

const table = "test/effects/shown-by.ts";
const list = "src/std/no-effect-yet.ts";

export function effectsAreShown(
  files: readonly TextFile[],
  { read, noEffectYet, shownBy }: EffectTables,
): Finding[] {
  const wrongTest = testCheck(files);
  const findings = Object.entries(read).flatMap(([kind, names]) => {
    const without = noEffectYet[kind] ?? {};
    const shown = shownBy[kind] ?? {};
    return [
      ...names.flatMap((name) => {
        const test = shown[name];
        const isWithout = Object.keys(without).some((one) => one === name || name.startsWith(`${one}[`));
        if (isWithout) return test ? [`${kind} ${name} has a row in ${table}: take it out of ${list}`] : [];
        if (!test) return [`${kind} ${name} has no test that shows what it changes: name one in ${table}`];
        return wrongTest(test).map((why) => `${table}: ${kind} ${name}: ${why}`);
      }),
      ...gone(shown, names).map((name) => `${table}: there is no ${kind} ${name}`),
      ...gone(without, names).map((name) => `${list}: there is no ${kind} ${name}`),
    ];
  });
  const unknown = [...Object.keys(noEffectYet), ...Object.keys(shownBy)].filter((kind) => !(kind in read));
  return [...findings, ...unknown.map((kind) => `nobody walks what is called ${kind}`)];
}

function gone(rows: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  return Object.keys(rows).filter((name) => !names.includes(name));
}

function testCheck(files: readonly TextFile[]): (test: Shown) => string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const titles = new Map<TextFile, readonly string[]>();
  return ([path, title, row]) => {
    const file = byPath.get(path);
    if (!file) return [`there is no ${path}`];
    const known = titles.get(file) ?? testTitles(file);
    titles.set(file, known);
    if (!known.includes(title)) return [`${path} has no test "${title}"`];
    return row === undefined || file.text.includes(`"${row}"`) ? [] : [`${path} has no row "${row}"`];
  };
}

/** The paths of all properties in a JSON Schema: `findings[].file`. */
export function schemaProperties(schema: JsonSchema, at = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => [
    `${at}${name}`,
    ...schemaProperties(value, `${at}${name}.`),
    ...schemaProperties(value.items ?? {}, `${at}${name}[].`),
  ]);
}

export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}
