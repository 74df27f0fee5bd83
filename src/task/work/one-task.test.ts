import { expect, test } from "vitest";
import { codes, type create, fine, Shelf, wrong } from "../../../test/mcp/shelf.ts";
import { activeList, type DocumentPath } from "../../document/address.ts";
import { changeSections } from "../../document/section/change-sections.ts";
import { completeCoordinatorTask } from "../coordinator/complete-coordinator-task.ts";
import { startCoordinatorTask } from "../coordinator/start-coordinator-task.ts";
import { subagentTasks } from "../subagent/subagent-tasks.ts";
import { addNote } from "./add-note.ts";
import { completeTask } from "./complete-task.ts";
import { startTask } from "./start-task.ts";
import { viewTask } from "./view-task.ts";

const path = "/a.md" as DocumentPath;
const tasks = (...lines: string[]) => `# A\n\n## Tasks\n\n${lines.join("\n\n")}\n`;

/** Everything that can be done to one task, by its name. */
async function changes(shelf: Shelf, slug: string) {
  const room = shelf.room();
  const address = { path, slug };
  return [
    await startTask(room, { address }),
    await completeTask(room, { address, note: "x" }),
    await addNote(room, { path, slug, note: "x" }),
    await subagentTasks(room, { document: path, operations: [{ operation: "edit", slug, title: "Y" }] }),
    await subagentTasks(room, { document: path, operations: [{ operation: "note", slug, note: "x" }] }),
  ].map((answer) => codes(answer)[0]);
}

/** Makes the call that a hint names: `operations [...]`. */
async function follow(shelf: Shelf, hint = "") {
  const [, given = "[]"] = /operations (\[\{.*?\}\])/.exec(hint) ?? [];
  const room = shelf.room();
  const done = await changeSections(room.store, room.author, {
    path: hint.includes(activeList) ? activeList : path,
    operations: JSON.parse(given),
    tool: "section",
  });
  fine(done);
}

test("of several tasks with one slug none is changed, and the suggested call distinguishes them", async () => {
  const shelf = new Shelf({
    [path]: tasks("### Same\n\nfirst", "### Same\n\nsecond", "### Last\n- Depends-On: same"),
  });
  for (const slug of ["same", "same-1"]) {
    expect(await changes(shelf, slug)).toEqual(new Array(5).fill("TASK_AMBIGUOUS"));
  }
  expect(shelf.changes).toBe(0);
  const [problem] = wrong(await startTask(shelf.room(), { address: { path, slug: "same" } }));
  expect(problem?.message).toBe("/a.md has 2 tasks that are called #same (lines 5, 9); which one is meant?");
  const listed = fine(
    await subagentTasks(shelf.room(), { document: path, operations: [{ operation: "list" }] }),
  );
  expect(listed.rows?.tasks).toMatchObject([{ same_slug: 2 }, { same_slug: 2 }, { slug: "last" }]);
  await follow(shelf, problem?.hint);
  fine(await completeTask(shelf.room(), { address: { path, slug: "another-title" }, note: "x" }));
  expect(shelf.text(path)).toMatch(/### Same\n\nfirst\n\n### ANOTHER TITLE\n\n- Status: completed/);
  // A dependency on the name means the task that kept it.
  expect(shelf.text(path)).toContain("- Depends-On: same\n");
});

test("a task without a usable title cannot be changed by its number", async () => {
  const shelf = new Shelf({ [path]: tasks("### 🚀\n\nrocket", "### 🎉\n\nparty") });
  expect(await changes(shelf, "task-2")).toEqual(new Array(5).fill("TASK_NAMELESS"));
  expect(viewTask(shelf.room(), "/a.md#task-2")).toMatchObject({ title: "🎉" });
  const [problem] = wrong(await startTask(shelf.room(), { address: { path, slug: "task-2" } }));
  await follow(shelf, problem?.hint);
  expect(
    fine(await startTask(shelf.room(), { address: { path, slug: "another-title" } })).task.content,
  ).toContain("party");
  shelf.put(path, tasks("### 🚀\n- Id: task-1\n\nrocket"));
  expect(fine(await startTask(shelf.room(), { address: { path, slug: "task-1" } })).task.title).toBe("🚀");
});

test.each([
  ["nameless", "### 🎉", "TASK_NAMELESS"],
  ["doubled", "### Same\n\n### Same", "TASK_AMBIGUOUS"],
])("a next coordinator task that is %s is reported with the way out", async (_what, lines, code) => {
  const first = "### One\n- Main-Workflow: tdd-incremental-orchestration";
  const shelf = new Shelf({ [activeList]: tasks(first, lines) });
  const room = shelf.room();
  fine(await startCoordinatorTask(room));
  const done = fine(await completeCoordinatorTask(room, { note: "x" }));
  expect(done.waiting).toMatchObject({ code });
  expect(codes(await startCoordinatorTask(room))).toEqual([code]);
  await follow(shelf, done.waiting?.hint);
  fine(await startCoordinatorTask(room));
});

test("tasks of a document with merge conflict markers are not changed, and are listed with a warning", async () => {
  const conflict = "<<<<<<< HEAD\n### One\n=======\n### Uno\n>>>>>>> theirs";
  const shelf = new Shelf({ [path]: tasks("### Zero", conflict) });
  expect(await changes(shelf, "zero")).toEqual(new Array(5).fill("DOC_CONFLICT"));
  const on = (operation: "list" | "create") =>
    subagentTasks(shelf.room(), {
      document: path,
      operations: [{ operation, ...(operation === "create" && { title: "T" }) }],
    });
  expect(codes(await on("create"))).toEqual(["DOC_CONFLICT"]);
  expect(fine(await on("list")).warnings).toMatchObject([
    { code: "DOC_CONFLICT", message: expect.stringContaining("line 7") },
  ]);
  shelf.put(path, tasks("### Zero\n\n```\n<<<<<<< HEAD\n=======\n>>>>>>> theirs\n```"));
  fine(await startTask(shelf.room(), { address: { path, slug: "zero" } }));
});

test.each(["one", "#one", "/a.md#one", "/docs/a.md#one"])(
  "a task operation names its task by %s",
  async (slug) => {
    const shelf = new Shelf({ [path]: tasks("### One") });
    const on = (operation: object) =>
      subagentTasks(shelf.room(), { document: path, operations: [operation as ReturnType<typeof create>] });
    fine(await on({ operation: "edit", slug, title: "First" }));
    fine(await on({ operation: "note", slug, note: "seen" }));
    expect(shelf.text(path)).toContain("### First\n- Id: one\n- Note: seen\n");
    expect(codes(await on({ operation: "edit", slug: "/b.md#one", title: "X" }))).toEqual(["TASK_ELSEWHERE"]);
  },
);
