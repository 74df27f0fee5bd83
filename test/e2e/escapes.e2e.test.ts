/** Every attempt to escape, with every sandbox of this machine and without one, as an ordinary user and as root. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sandboxes } from "../../src/world/sandbox/confine.ts";
import { markOf } from "../escape/attempt.ts";
import { allAttempts } from "../escape/attempts.ts";
import { expected } from "../escape/expected.ts";
import { cellsIn, columns, foundCells, pageOf, playedOn } from "../escape/page.ts";
import type { Results } from "../escape/play.ts";
import { noSandbox, playAs } from "../escape/play-as.ts";

const house = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${house}docs/escapes.md`, "utf8");

test("more than sixty escapes are attempted, each with a mark of its own", () => {
  expect(new Set(allAttempts.map(markOf)).size).toBe(allAttempts.length);
  expect(allAttempts.length).toBeGreaterThan(60);
});

test("the page of escapes lists every attempt with its explanation", () => {
  expect(pageOf(cellsIn(page))).toBe(page);
  expect(allAttempts.filter(({ name }) => !cellsIn(page).has(name))).toEqual([]);
});

test("every escape that fails even without a sandbox has a control, in which a careless coordinator allows it", () => {
  const careful = allAttempts.filter(
    ({ withoutSandbox }) => withoutSandbox?.ordinary !== undefined && withoutSandbox.root !== undefined,
  );
  expect(careful.filter(({ control }) => !control)).toEqual([]);
  expect(careful.filter(({ control }) => control?.isStarted).length).toBeGreaterThanOrEqual(2);
});

test("the files that agent programs obey are attacked in the home of each, where they exist and where they do not", () => {
  for (const agent of ["claude-code", "codex", "gemini", "opencode"]) {
    const tried = allAttempts.filter((attempt) => attempt.agent === agent && !attempt.notHeld);
    const [bare, there] = [true, undefined].map((is) => tried.filter(({ isHomeBare }) => isHomeBare === is));
    expect(bare?.length, agent).toBeGreaterThanOrEqual(3);
    expect(there?.length, agent).toBe(bare?.length);
  }
});

test("the page of escapes names the system of each column, and keeps the old name where no result changed", () => {
  const cells = cellsIn(page);
  const [column = { sandbox: noSandbox, user: "root" }] = columns;
  expect(pageOf(playedOn(cells, cells, column, "Plan 9"))).toBe(page);
  const [name = ""] = allAttempts.map((attempt) => attempt.name);
  const changed = foundCells(cells, column, { [name]: "worked" });
  expect(pageOf(playedOn(changed, cells, column, "Plan 9"))).toContain("| unshare: ordinary | Plan 9 |");
  expect(page).not.toContain(": ordinary | – |");
});

describe.each(columns)("with the sandbox $sandbox, as $user:", (column) => {
  const sandbox = sandboxes.find(({ name }) => name === column.sandbox);

  const claim =
    column.sandbox === noSandbox
      ? "works, except those listed as failing"
      : "is prevented, except those listed as not prevented";
  test(`every escape ${claim}, and the page says so`, async (context) => {
    if (process.platform !== "linux") context.skip("there are sandboxes on Linux only");
    const played = await playAs(column, house);
    if ("impossible" in played) return context.skip(played.impossible);
    const tried = allAttempts.filter(({ name }) => typeof played.results[name] === "string");
    const wanted = Object.fromEntries(
      tried.map((attempt) => [attempt.name, expected(attempt, sandbox, column.user)]),
    );
    expect(stringsOf(played.results)).toEqual(wanted);
    expect(tried.length).toBeGreaterThan(60);
    expect(pageOf(foundCells(cellsIn(page), column, triedThere(played.results)))).toBe(page);
  });

  /** An attempt that the page's machine could not try is not a difference. */
  function triedThere(results: Results): Results {
    const at = columns.indexOf(column);
    return Object.fromEntries(
      Object.entries(results).filter(([name]) => cellsIn(page).get(name)?.[at] !== "–"),
    );
  }
});

function stringsOf(results: Results): Results {
  return Object.fromEntries(Object.entries(results).filter(([, result]) => typeof result === "string"));
}
