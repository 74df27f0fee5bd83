import { expect, test } from "vitest";
import { someTree } from "../../../test/kernel/some-object-ids.ts";
import { by, type Story, story } from "../../../test/view/story.ts";
import type { QuestionId, TurnId } from "../../kernel/event.ts";
import type { RecordedChangeset } from "../../kernel/recorded-changeset.ts";
import type { TaskId } from "../../plan/plan.ts";
import { RunProgress } from "./run-progress.ts";

function progress(told: Story): string {
  const progress = new RunProgress();
  for (const event of told.events) progress.add(event);
  return progress.text(told.state);
}

test("progress.md says for each task what happened, when, how it was verified and what it changed", () => {
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
**Status**: waiting for you
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

### ❓ docs: Make docs

- 2026-01-16 10:01:05 ▶ started by backend (attempt 1)
- 2026-01-16 10:01:05 ⚠️ reply rejected: no JSON
- 2026-01-16 10:01:05 ❌ failed: 3 replies in a row could not be used
- 2026-01-16 10:01:05 ❓ "3 replies in a row could not be used. What now?"   cox answer q1

… 1 task not started

**Summary**: 2/4 tasks successful, 0 failed, 0 working, 1 waiting for a person, 1 waiting

## File operations

none yet
`);
});

test("in progress.md an agent's words make no heading, no picture and no markup", () => {
  const text = progress(story("a").asks("a", "x\n### ✅ b\n![p](http://x/p.png) <script>`"));
  expect(text.split("\n").filter((line) => line.startsWith("###"))).toEqual(["### ❓ a: Make a"]);
  expect(text).toContain("!\\[p\\](http://x/p.png) \\<script>\\`");
});

test("progress.md shows only the last events of a task that was tried a hundred times", () => {
  const told = story({ task: "a" as TaskId, attempts: 1000 });
  for (let at = 1; at <= 100; at++) {
    told
      .works("a")
      .replies("a")
      .tell("task_incomplete", { task: "a" as TaskId, attempt: at, reason: `reason ${at}` });
  }
  const lines = progress(told).split("\n");
  expect(lines).toContain("- … 160 earlier (all of them: cox log)");
  expect(lines.filter((line) => line.includes("the agent gave up"))).toHaveLength(20);
});

test("of ten thousand tasks progress.md shows only those with events, and of them the newest", () => {
  const told = story(...Array.from({ length: 10_000 }, (_, at) => `t${at}`));
  for (let at = 0; at < 300; at++) told.commits(`t${at}`);
  const text = progress(told);
  expect(text).toContain("… 9,700 tasks not started");
  expect(text).toContain("… 100 more tasks done (all of them: cox log)");
  expect(text.split("\n").filter((line) => line.includes("committed"))).toHaveLength(200);
  expect(text.split("\n").filter((line) => line.startsWith("### "))).toHaveLength(200);
});

test("of hundreds of failed tasks progress.md shows some, and counts the others", () => {
  const told = story(...Array.from({ length: 300 }, (_, at) => `t${at}`));
  for (let at = 0; at < 300; at++) told.works(`t${at}`).replies(`t${at}`).fails(`t${at}`, "no");
  const text = progress(told);
  expect(text).toContain("… 100 more tasks started and not done (all of them: cox log)");
  expect(text.split("\n").filter((line) => line.startsWith("### ❓"))).toHaveLength(200);
});

const a = "a" as TaskId;
const hash = "0123456789abcdef".repeat(4);

function entries(told: Story): string {
  const text = progress(told);
  return text.slice(text.indexOf("## File operations\n") + "## File operations\n".length).trim();
}

/** Work that is handed in, with what the log records of it. */
function handedIn(told: Story, task: string, changeset: RecordedChangeset): Story {
  const { facts, attempt } = told.works(task).replies(task).task(task);
  return told.tell("developer_ready_for_audit", {
    task: facts.task,
    attempt,
    tree: someTree("t1"),
    files: changeset.operations.map(({ path }) => path),
    summary: "did it",
    outputs: [],
    changeset,
  });
}

test("progress.md has a block for accepted work: time, specialist, task, each operation, what was read back, how many", () => {
  const told = handedIn(story("a").after(32 * 60_000), "a", {
    operations: [
      {
        number: 1,
        operation: "create",
        path: "src/auth.ts",
        description: "Add it",
        bytes: 2300,
        sha256: hash,
      },
      { number: 2, operation: "delete", path: "src/old.ts", description: "Not needed any more" },
      { number: 3, operation: "edit", path: "src/app.ts", bytes: 10, sha256: hash },
      {
        number: 4,
        operation: "create",
        path: "dist/a.js",
        description: "Build it",
        bytes: 1,
        sha256: hash,
        is_outside_work: true,
      },
    ],
    total: 4,
  });
  expect(entries(told)).toBe(`### [2026-01-16 10:32] File Operations Executed

**Specialist**: @backend
**Task**: a: Make a

**Operations**:
1. ✅ create src/auth.ts (2.3 KB)
   - Description: Add it
   - Verified: read back from the desk, 2,300 bytes, sha256 0123456789ab…
2. ✅ delete src/old.ts
   - Description: Not needed any more
   - Verified: gone from the desk
3. ✅ edit src/app.ts (10 B)
   - Description: (changed at the desk by the agent itself)
   - Verified: read back from the desk, 10 bytes, sha256 0123456789ab…
4. ✅ create dist/a.js (1 B)
   - Description: Build it
   - Verified: read back from the desk, 1 byte, sha256 0123456789ab…; not part of the work: git ignores it, or it is unchanged

**Summary**: 4/4 operations successful, 0 failed`);
});

test("progress.md has a block for a refused reply: each operation with its reason, or that of the whole", () => {
  const told = story("a").works("a").replies("a");
  const [turn] = [...told.state.replies.keys()];
  told.tell("reply_refused", {
    task: a,
    turn: turn as TurnId,
    problems: [{ code: "OPS_MISSING", message: "operation 2: there is no src/b.ts" }],
    changeset: {
      operations: [
        { number: 1, operation: "create", path: "src/a.ts", description: "Add it" },
        {
          number: 2,
          operation: "edit",
          path: "src/b.ts",
          description: "Use it",
          failure: "there is no src/b.ts",
        },
      ],
      total: 302,
    },
  });
  expect(entries(told)).toBe(`### [2026-01-16 10:00] File Operations Not Executed

**Specialist**: @backend
**Task**: a: Make a

**Operations**:
1. ❌ create src/a.ts
   - Description: Add it
   - Not executed: the reply was refused as a whole: operation 2: there is no src/b.ts
2. ❌ edit src/b.ts
   - Description: Use it
   - Not executed: there is no src/b.ts
- … 300 more operations, none executed

**Summary**: 0/302 operations successful, 302 failed`);
});

test("in progress.md a reply without readable operations says why", () => {
  const told = story("a").works("a").replies("a");
  const [turn] = [...told.state.replies.keys()];
  told.tell("reply_refused", {
    task: a,
    turn: turn as TurnId,
    problems: [{ code: "JSON_SYNTAX", message: "no JSON" }],
    changeset: { operations: [], total: 0 },
  });
  expect(entries(told)).toContain("- ❌ none: the reply was refused as a whole: no JSON");
  expect(entries(told)).toContain("**Summary**: 0/0 operations successful, 0 failed");
});

function asksToDelete(answer: "asked" | "allowed" | "refused" | "dropped"): Story {
  const told = story("a").works("a").replies("a");
  const [turn] = [...told.state.replies.keys()];
  return told.tell("delete_requested", {
    task: a,
    turn: turn as TurnId,
    policy: "declared",
    files: [
      {
        path: "src/old.ts",
        bytes: 842,
        sha256: hash,
        answer,
        preview: ["# not a heading", "~~~", "\\<b>"],
        lines: 48,
      },
      { path: "logo.png", bytes: 9, sha256: hash, answer, is_binary: true },
      { path: ".env", bytes: 9, sha256: hash, answer },
    ],
    total: 3,
  });
}

test("progress.md shows a requested delete with its first lines, whoever answers", () => {
  const text = entries(asksToDelete("asked"));
  expect(text).toContain(
    `### [2026-01-16 10:00] ⚠️ DELETE REQUESTED: src/old.ts (842 B)

**Specialist**: @backend
**Task**: a: Make a
**Confirm deletion?** a person is asked (confirm-deletes: declared)
**Content preview** (first 3 of 48 lines):

    # not a heading
    ~~~
    \\<b>
`,
  );
  expect(text).toMatch(/DELETE REQUESTED: logo.png[\s\S]*none, it is binary/);
  expect(text).toMatch(/DELETE REQUESTED: .env[\s\S]*none, it is not shown/);
  expect(entries(asksToDelete("allowed"))).toContain("yes, by policy (confirm-deletes: declared)");
  expect(entries(asksToDelete("refused"))).toContain("no, by policy (confirm-deletes: declared)");
  expect(entries(asksToDelete("dropped"))).toContain("not asked, because the reply was refused");
});

const asked = (told: Story) => {
  const [turn] = [...told.state.replies.keys()];
  return told.tell("confirmation_requested", {
    question: "q1" as QuestionId,
    task: a,
    turn: turn as TurnId,
    digest: hash,
    items: [
      { code: "CONFIRM_DELETE", message: "would be deleted", path: "src/old.ts", sha256: hash },
      { code: "CONFIRM_CI", message: "is run by others", path: "ci.yml", sha256: hash },
    ],
    changeset: {
      operations: [{ number: 1, operation: "delete", path: "src/old.ts", description: "Not needed" }],
      total: 1,
    },
  });
};

test("progress.md says what to type for a waiting question, and shows the person's answer below it", () => {
  const waiting = asked(asksToDelete("asked"));
  expect(entries(waiting)).toContain(
    "1. ❓ delete src/old.ts\n   - Description: Not needed\n   - Waiting: for a person: cox confirm q1, or cox deny q1",
  );
  expect(entries(waiting)).toContain("**Summary**: 0/1 operations successful, 0 failed, 1 waiting");
  const given = asked(asksToDelete("asked")).tell("confirmation_given", {
    question: "q1" as QuestionId,
    digest: hash,
    by,
  });
  expect(entries(given)).toContain(`### [2026-01-16 10:00] ✅ q1 confirmed

**Task**: a: Make a
**Answer**: by ana (terminal)
- ✅ DELETE CONFIRMED: src/old.ts
- ✅ ci.yml`);
  const denied = asked(asksToDelete("asked")).tell("confirmation_denied", {
    question: "q1" as QuestionId,
    reason: "still used",
    by,
  });
  expect(entries(denied)).toContain(
    "**Answer**: by ana (terminal): still used\n- ❌ DELETE DENIED: src/old.ts",
  );
});

test("in progress.md an operation's text makes no line, heading or markup", () => {
  const evil = "x\n### ✅ b\n![p](http://x/p.png) <script>`\u001b[2J";
  const text = entries(
    handedIn(story("a"), "a", {
      operations: [{ number: 1, operation: "create", path: evil, description: evil, failure: evil }],
      total: 1,
    }),
  );
  expect(text.split("\n").filter((line) => line.startsWith("###"))).toHaveLength(1);
  expect(text).not.toContain("\u001b");
  expect(text).not.toMatch(/(?<!\\)<script/);
  expect(text).not.toMatch(/(?<!\\)!\[p/);
});

test("progress.md of an older log, which kept no operations, has no changeset blocks", () => {
  expect(entries(story("a").commits("a"))).toBe("none yet");
});

test("progress.md stays small, however many changesets there were", () => {
  const count = 400;
  const told = story(...Array.from({ length: count }, (_, at) => `t${at}`));
  const operations = Array.from({ length: 5 }, (_, at) => ({
    number: at + 1,
    operation: "create" as const,
    path: `src/${"x".repeat(100)}${at}.ts`,
    description: "y".repeat(200),
    bytes: 1,
    sha256: hash,
  }));
  for (let at = 0; at < count; at++) handedIn(told, `t${at}`, { operations, total: 5 });
  const progress = new RunProgress();
  for (const event of told.events) progress.add(event);
  const text = progress.text(told.state);
  const shown = text.slice(text.indexOf("## File operations"));
  expect(shown.length).toBeLessThan(140 * 1024);
  expect(shown).toContain("… earlier ones: progress/0001.md to progress/00");
  const pages = progress.pages.unwritten.map((page) => page.text).join("");
  const blocks = (part: string) => part.split("File Operations Executed").length - 1;
  expect(blocks(pages)).toBeGreaterThan(300);
  // The last full page is both shown and written.
  const lastPage = blocks(progress.pages.unwritten.at(-1)?.text ?? "");
  expect(blocks(pages) + blocks(shown) - lastPage).toBe(count);
});
