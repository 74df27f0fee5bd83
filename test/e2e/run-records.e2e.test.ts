/** What a run records for people: its changesets, requested deletes, refused rollbacks, leftovers. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Crew, held, work } from "./crew.ts";

const fenced = (operations: readonly object[]) => ({
  say: `\`\`\`json $COX_FENCE\n${JSON.stringify({ file_operations: operations })}\n\`\`\`\nREADY FOR AUDIT: $COX_TASK`,
});
const create = {
  operation: "create",
  file_path: "made.txt",
  content: "made\n",
  description: "Make the file that is wanted",
};
const edit = {
  operation: "edit",
  file_path: "nowhere.txt",
  edits: [{ old_string: "a", new_string: "b" }],
  description: "Change a file that is not there",
};
const old = Array.from({ length: 30 }, (_, at) => `old line ${at + 1}\n`).join("");

const progress = (crew: Crew) => readFileSync(crew.path("progress.md"), "utf8");
const state = (crew: Crew) => JSON.parse(readFileSync(crew.path("state.json"), "utf8"));

test("progress.md has a block for each changeset, desk changes and refusals included, and each delete with its first lines", async () => {
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two\n  - depends on: one\n  - deletes: gone.txt",
    script: {
      one: [
        [fenced([create, edit])],
        [{ write: { path: "desk.txt", content: "by hand\n" } }, fenced([create])],
      ],
      two: [[{ run: ["rm", "gone.txt", "old.txt"] }, ...work("two.txt")]],
    },
    files: { "old.txt": old, "gone.txt": "token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'\n" },
    config: ['verify: "true"', "confirm-deletes: declared"],
  });
  const waits = await crew.cox("run", "plan.md", "--yes");
  expect(waits.exitCode, waits.stderr).toBe(3);

  const text = progress(crew);
  expect(text).toMatch(/File Operations Not Executed\n\n\*\*Specialist\*\*: @dev\n\*\*Task\*\*: one\n/);
  expect(text).toMatch(
    /1\. ❌ create made\.txt[\s\S]*2\. ❌ edit nowhere\.txt[\s\S]*0\/2 operations successful/,
  );
  expect(text).toMatch(
    /1\. ✅ create made\.txt \(5 B\)\n {3}- Description: Make the file that is wanted\n {3}- Verified: read back from the desk, 5 bytes, sha256 [0-9a-f]{12}…\n2\. ✅ create desk\.txt \(8 B\)[\s\S]*2\/2 operations successful, 0 failed/,
  );
  expect(text).toMatch(/⚠️ DELETE REQUESTED: old\.txt \(\d+ B\)[\s\S]*a person is asked/);
  expect(text).toContain("**Content preview** (first 20 of 30 lines):\n\n    old line 1\n");
  expect(text).toContain("    old line 20\n");
  expect(text).not.toContain("old line 21");
  expect(text).toMatch(/DELETE REQUESTED: gone\.txt[\s\S]*yes, by policy \(confirm-deletes: declared\)/);
  expect(text).not.toContain("ghp_");
  expect(JSON.stringify(crew.eventsOf("delete_requested"))).not.toContain("ghp_");
  expect((await crew.cox("log")).stdout).toMatch(/delete requested: gone\.txt \(\d+ B\), old\.txt \(\d+ B\)/);

  await crew.cox("confirm", "q1");
  const ended = await crew.cox("resume");
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(progress(crew)).toMatch(/✅ q1 confirmed[\s\S]*- ✅ DELETE CONFIRMED: old\.txt/);
  expect(progress(crew)).toMatch(/✅ delete old\.txt\n.*\n {3}- Verified: gone from the desk/);
  // What a person allowed was logged when it was requested, and is not requested again.
  expect(
    crew
      .eventsOf("delete_requested")
      .map(({ files }) => (files as { path: string }[]).map(({ path }) => path)),
  ).toEqual([["gone.txt", "old.txt"]]);
  expect(state(crew)).toMatchObject({
    session_resume_count: 1,
    validation_complete: true,
    plan_complete: true,
  });
});

test("a refused rollback is logged with who asked, whether or not a process works on the run; a dry run is not logged", async () => {
  const crew = new Crew({
    tasks:
      "- [ ] one\n- [ ] two\n  - depends on: one\n- [ ] three\n  - depends on: two\n- [ ] four\n  - depends on: two",
    script: {
      one: [work("shared.txt", "1\n")],
      two: [work("shared.txt", "2\n")],
      three: [[held("three"), ...work("three.txt")]],
      four: [[held("three"), ...work("four.txt")]],
    },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("task_complete", 2);
  await crew.recorded("agent_dispatched", 4);
  expect((await crew.cox("rollback", "one", "--yes")).stderr).toContain("ROLLBACK_BLOCKED");
  expect((await crew.cox("rollback", "three", "--yes")).stderr).toMatch(/ROLLBACK_NO_COMMIT[\s\S]*not done/);
  crew.release("three");
  expect((await running.ended).exitCode).toBe(0);

  const by = { door: "command" };
  expect(crew.eventsOf("rollback_blocked")).toMatchObject([{ task: "one", dependents: ["two"], by }]);
  expect(crew.eventsOf("rollback_failed")).toMatchObject([
    { task: "three", reason: "no_commit_recorded", by },
  ]);

  await crew.cox("rollback", "one", "--dry-run");
  expect(crew.eventsOf("rollback_blocked")).toHaveLength(1);
  const alone = await crew.cox("rollback", "two", "--yes");
  expect(alone.stderr).toContain("ROLLBACK_BLOCKED");
  expect(crew.eventsOf("rollback_blocked")).toHaveLength(2);
  expect((await crew.cox("log")).stdout).toMatch(/two +not reverted: four, three depend on it/);
});

test("a half-written state file is removed and logged by its name; a session that only records is not counted as a resume", async () => {
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two\n  - depends on: one",
    script: { one: [[held("paused"), ...work("one.txt")]], two: [work("two.txt")] },
    config: ['verify: "true"'],
  });
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("agent_dispatched");
  expect((await crew.cox("pause")).exitCode).toBe(0);
  crew.release("paused");
  expect((await running.ended).exitCode).toBe(4);
  for (const name of ["state.json.new", "progress.md.new"]) writeFileSync(crew.path(name), "{ half");
  expect((await crew.cox("stop")).exitCode).toBe(0);
  expect(crew.eventsOf("state_recovery_needed")).toEqual([
    { reason: "temp_file_exists: state.json.new" },
    { reason: "temp_file_exists: progress.md.new" },
  ]);
  expect(existsSync(crew.path("state.json.new"))).toBe(false);
  expect((await crew.cox("log")).stdout).toContain("removed after a crash: state.json.new");
  expect((await crew.cox("resume")).exitCode).toBe(0);
  expect(state(crew)).toMatchObject({ session_resume_count: 1 });
  const sessions = crew.eventsOf("session_started");
  expect(sessions.map(({ resumes, only_records }) => [resumes, only_records])).toEqual([
    [0, undefined],
    [0, true],
    [1, undefined],
  ]);
  expect((await crew.cox("resume")).stderr).toContain("Nothing is left to do");
  expect(crew.eventsOf("session_started")).toHaveLength(3);
});
