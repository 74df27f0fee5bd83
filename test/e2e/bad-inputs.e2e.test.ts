/** Every bad input and every control, through the library and through the program, against a real folder. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { NotPossibleHere, type Place, type Row, type RowOptions } from "../bad-inputs/row.ts";
import { rows } from "../bad-inputs/rows.ts";
import { type Answer, throughLibrary } from "../bad-inputs/through-library.ts";
import { sized } from "../sized.ts";
import { cox } from "./program.ts";
import { snapshot } from "./snapshot.ts";

type Door = (bytes: Uint8Array, place: Place, options: RowOptions) => Promise<Answer>;

const library: Door = (bytes, { root }, options) => throughLibrary(bytes, root, options);

const program: Door = async (bytes, { root, outside }, { writes = [], fence }) => {
  const options = [...writes.flatMap((glob) => ["--writes", glob]), ...(fence ? ["--fence", fence] : [])];
  const ended = await cox(["apply", "--json", "--root", root, ...options], { cwd: outside, stdin: bytes });
  expect(ended.stderr).toBe("");
  const { ok, errors, warnings, applied, operations } = JSON.parse(ended.stdout);
  const outcome = ({ 0: "applied", 1: "refused", 3: "waiting" } as const)[ended.exitCode ?? -1];
  if (!outcome) throw new Error(`unexpected exit code ${ended.exitCode}: ${ended.stdout}`);
  expect(ok).toBe(outcome === "applied");
  expect(applied).toBe(outcome === "applied" ? operations.length : 0);
  for (const { message, hint } of errors) expect([message, hint]).not.toContain("");
  return { outcome, codes: errors.map(codeOf), warnings: warnings.map(codeOf) };
};

test("every bad input has an id of its own", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

describe("through the library", () => {
  for (const row of rows) test(titleOf(row), (context) => hold(row, library, context));
});

/** The library judges every row. Starting the program for each is expensive, so a sample has one row per verdict. */
const rowsForProgram = sized({ sample: firstOfEachVerdict(), campaign: rows });

describe.concurrent("through the program", () => {
  for (const row of rowsForProgram) test(titleOf(row), (context) => hold(row, program, context));
});

async function hold(row: Row, door: Door, context: TestContext): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "cox-bad-"));
  const place = { root: join(top, "root"), outside: join(top, "outside") };
  try {
    for (const folder of [place.root, place.outside]) mkdirSync(folder);
    writeFileSync(join(place.root, "canary"), "inside\n");
    writeFileSync(join(place.outside, "canary"), "outside\n");
    if (!isSetUp(row, place, context)) return;
    await holdIn(place, row, door);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function isSetUp(row: Row, place: Place, context: TestContext): boolean {
  try {
    row.setUp?.(place);
    return true;
  } catch (error) {
    if (!(error instanceof NotPossibleHere)) throw error;
    context.skip(error.message);
    return false;
  }
}

async function holdIn(place: Place, row: Row, door: Door): Promise<void> {
  const before = snapshot(place.root);
  const outside = snapshot(place.outside);
  try {
    const reply = row.reply(place);
    const bytes = typeof reply === "string" ? new TextEncoder().encode(reply) : reply;
    const answer = await door(bytes, place, row.options ?? {});
    judge(row, answer, place);
    if (answer.outcome !== "applied") expect(snapshot(place.root)).toEqual(before);
    expect(snapshot(place.outside)).toEqual(outside);
  } finally {
    row.tearDown?.(place);
  }
}

function judge({ expect: wanted }: Row, answer: Answer, place: Place): void {
  if ("refused" in wanted) {
    expect(answer).toMatchObject({ outcome: "refused", codes: expect.arrayContaining([wanted.refused]) });
    return;
  }
  if ("waiting" in wanted) {
    expect(answer).toMatchObject({ outcome: "waiting", codes: expect.arrayContaining([wanted.waiting]) });
    return;
  }
  expect(answer).toMatchObject({ outcome: "applied", codes: [] });
  for (const [path, content] of Object.entries(wanted.applied)) {
    if (content === null) expect(existsSync(join(place.root, path))).toBe(false);
    else
      expect(
        readFileSync(join(place.root, path), "utf8") === content,
        `${path} is byte for byte as given`,
      ).toBe(true);
  }
  if (wanted.warning === "any") expect(answer.warnings).not.toEqual([]);
  else if (wanted.warning !== undefined) expect(answer.warnings).toContain(wanted.warning);
  wanted.check?.(place);
}

function firstOfEachVerdict(): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(verdictOf(row))) first.set(verdictOf(row), row);
  return [...first.values()];
}

function titleOf(row: Row): string {
  return `${row.id}: ${row.about} ${verdictOf(row)}`;
}

function verdictOf({ expect: wanted }: Row): string {
  if ("refused" in wanted) return `is refused (${wanted.refused})`;
  return "waiting" in wanted ? `waits (${wanted.waiting})` : "is applied";
}

function codeOf({ code }: { code: string }): string {
  return code;
}
