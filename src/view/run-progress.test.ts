import { expect, test } from "vitest";
import { type Story, story } from "../../test/view/story.ts";
import type { TaskId } from "../plan/plan.ts";
import { RunProgress } from "./run-progress.ts";

function progress(told: Story): string {
  const progress = new RunProgress();
  for (const event of told.events) progress.add(event);
  return progress.text(told.state);
}

test("each task says what happened to it, when, how it was verified and what it changed", () => {
  const told = story("flag", { task: "done" as TaskId, done: true }, "docs", "late after docs")
    .after(5000)
    .commits("flag", ["src/cli.ts", "src/main.ts"])
    .after(60_000)
    .works("docs")
    .replies("docs")
    .fails("docs", "3 replies in a row could not be used");
  expect(progress(told)).toBe(`# Rate-limit the public API

**Run**: r7k2 on cox/r7k2, of plans/limits.md
**Began**: 2026-01-16 10:00 UTC
**Status**: waits for you
**Spent**: 1m05s

## Tasks

### ✅ flag: Make flag

- 2026-01-16 10:00:05 ▶ started by backend (attempt 1)
- 2026-01-16 10:00:05 ✅ verified: npm test → 0
- 2026-01-16 10:00:05 ✅ passed, by verify commands: good
- 2026-01-16 10:00:05 ✅ committed c0ffee0, 2 files
  - src/cli.ts
  - src/main.ts

### ✅ done: Make done

- ✅ was done before the run

### ❌ docs: Make docs

- 2026-01-16 10:01:05 ▶ started by backend (attempt 1)
- 2026-01-16 10:01:05 ⚠️ its reply could not be used: no JSON
- 2026-01-16 10:01:05 ❌ failed: 3 replies in a row could not be used
- 2026-01-16 10:01:05 ❓ "3 replies in a row could not be used. What now?"   cox answer q1

… 1 task not begun

**Summary**: 2/4 tasks successful, 1 failed, 0 working, 0 waiting for a person, 1 waiting
`);
});

test("words of an agent make no heading, no picture and no markup", () => {
  const text = progress(story("a").asks("a", "x\n### ✅ b\n![p](http://x/p.png) <script>`"));
  expect(text.split("\n").filter((line) => line.startsWith("###"))).toEqual(["### ❓ a: Make a"]);
  expect(text).toContain("!\\[p\\](http://x/p.png) \\<script>\\`");
});

test("a task that was tried a hundred times is told by its end", () => {
  const told = story({ task: "a" as TaskId, attempts: 1000 });
  for (let at = 1; at <= 100; at++) {
    told
      .works("a")
      .replies("a")
      .tell("task_incomplete", { task: "a" as TaskId, attempt: at, reason: `reason ${at}` });
  }
  const lines = progress(told).split("\n");
  expect(lines).toContain("- … 160 earlier (all of them: cox log)");
  expect(lines.filter((line) => line.includes("given up"))).toHaveLength(20);
});

test("of ten thousand tasks only what happened is told", () => {
  const told = story(...Array.from({ length: 10_000 }, (_, at) => `t${at}`));
  for (let at = 0; at < 300; at++) told.commits(`t${at}`);
  const text = progress(told);
  expect(text).toContain("… 9,700 tasks not begun");
  expect(text.split("\n").filter((line) => line.includes("committed"))).toHaveLength(200);
});
