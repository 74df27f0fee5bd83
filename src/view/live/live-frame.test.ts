import fc from "fast-check";
import { expect, test } from "vitest";
import { type Story, story } from "../../../test/view/story.ts";
import type { TurnId } from "../../kernel/event.ts";
import type { LastSign, Liveness } from "../status/liveness.ts";
import { noPaint, type Paint } from "../text/paint.ts";
import { widthOf } from "../text/width.ts";
import { liveFrame } from "./live-frame.ts";

function heard(told: Story, signs: Record<string, { silent: number; action?: string }>): Liveness {
  const turns = new Map<TurnId, LastSign>(
    Object.entries(signs).map(([task, { silent, ...rest }]) => [
      told.turnOf(task),
      { heard: told.now.time - silent, ...rest },
    ]),
  );
  return { isAlive: true, turns, checks: new Map() };
}

interface Shape {
  readonly columns?: number;
  readonly rows?: number;
  readonly ascii?: boolean;
  readonly paint?: Paint;
  readonly keys?: string;
}

function frame(told: Story, liveness: Liveness, shape: Shape = {}): string[] {
  const screen = { columns: 90, rows: 24, ascii: false, paint: noPaint, ...shape };
  return liveFrame({ state: told.state, now: told.now, liveness }, screen);
}

const told = story("bucket", "store", "docs", "middleware after bucket", "changelog after middleware")
  .commits("bucket")
  .works("docs")
  .after(17_000)
  .works("store")
  .asks("middleware", "What is the default limit per key?")
  .after(31_000);
const liveness = heard(told, {
  store: { silent: 2000, action: "editing src/limiter/store/memory.ts" },
  docs: { silent: 5000, action: "reading README.md" },
});

test("the live view shows how far the run is, who works at what, what needs you and what waits", () => {
  expect(frame(told, liveness, { keys: "Ctrl-C hold" })).toEqual([
    "─".repeat(90),
    " Rate-limit the public API · r7k2                                      48s · 2 of 3 agents",
    " ████▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░  1 of 5 done · 2 working · 1 for you · 1 waiting",
    " ▶ docs        backend  48s     reading README.md                             heard 5s ago",
    " ▶ store       backend  31s     editing src/limiter/store/memory.ts           heard 2s ago",
    ' ? middleware  31s  What is the default limit per key?                   cox answer q1 "…"',
    " · changelog   after middleware",
    " Ctrl-C hold",
  ]);
});

test("the live view shows the same on a narrow terminal, shorter", () => {
  expect(frame(told, liveness, { columns: 40 })).toEqual([
    "─".repeat(40),
    " Rate-limit the pu…  48s · 2 of 3 agents",
    " ███████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░░░░",
    " 1 of 5 done · 2 working · 1 for you",
    " 1 waiting",
    " ▶ docs       48s     reading README.md",
    " ▶ store      31s     editing src/limit…",
    ' ? midd…ware  cox answer q1 "…"',
    " · changelog  after middleware",
  ]);
});

const marked: Paint = (style, text) => `<${style}>${text}</${style}>`;

test.each<[number, RegExp]>([
  [59_000, /<dim>heard 59s ago<\/dim>/],
  [60_000, /<yellow>silent 1m00s<\/yellow>/],
  [240_000, /<red>maybe stuck: silent 4m00s of 5m00s<\/red>/],
])("after %i ms of silence a row of the live view says so, in its colour", (silent, pattern) => {
  const row = story("a").works("a").after(250_000);
  expect(frame(row, heard(row, { a: { silent } }), { paint: marked }).join("\n")).toMatch(pattern);
});

test("the live view numbers an attempt that is not the first", () => {
  const again = story("a")
    .works("a")
    .replies("a")
    .tell("task_incomplete", { task: "a" as never, attempt: 1, reason: "no" })
    .works("a");
  expect(frame(again, heard(again, { a: { silent: 0 } })).at(-1)).toMatch(/heard 0s ago {2}attempt 2$/);
});

test("the live view folds and counts what does not fit, and keeps some room for questions", () => {
  const many = story(...Array.from({ length: 1000 }, (_, at) => (at < 40 ? `t${at}` : `t${at} after t0`)));
  for (let at = 0; at < 20; at++) many.works(`t${at}`);
  for (let at = 20; at < 26; at++) many.asks(`t${at}`, "Which?");
  const lines = frame(many, heard(many, {}), { rows: 18 });
  expect(lines).toHaveLength(10);
  expect(lines.filter((line) => line.startsWith(" ▶"))).toHaveLength(4);
  expect(lines.filter((line) => line.startsWith(" ?"))).toHaveLength(2);
  expect(lines.at(-1)).toBe(" … 16 more at work · 4 more for you · 974 more waiting");
});

const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });

test("no frame of the live view is higher or wider than it may be, on any terminal, with names in any script", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(names, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 220 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      names,
      (tasks, columns, rows, ascii, words) => {
        const any = story(...tasks.map((task, at) => ({ task: task as never, key: `t${at}` })));
        const [first = "", second, third] = tasks;
        any.works(first);
        if (second !== undefined) any.asks(second, words);
        if (third !== undefined) any.works(third).replies(third).fails(third, words);
        const lines = frame(any, heard(any, { [first]: { silent: 0, action: words } }), {
          columns,
          rows,
          ascii,
          keys: words,
        });
        expect(lines.length).toBeLessThanOrEqual(Math.max(0, rows - 8));
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(columns);
          if (ascii) expect(line).toMatch(/^[ -~]*$/);
        }
      },
    ),
  );
});
