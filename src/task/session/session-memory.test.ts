import { expect, test } from "vitest";
import { claude, codes, codex, create, fine, Shelf, wrong } from "../../../test/mcp/shelf.ts";
import { activeList } from "../../document/address.ts";
import { completeCoordinatorTask } from "../coordinator/complete-coordinator-task.ts";
import { coordinatorTasks } from "../coordinator/coordinator-tasks.ts";
import { startCoordinatorTask } from "../coordinator/start-coordinator-task.ts";
import { SessionMemory } from "./session-memory.ts";

const main = "- Main-Workflow: tdd-incremental-orchestration";

async function shelfWith(...titles: string[]) {
  const shelf = new Shelf();
  const operations = titles.map((title, at) => create(title, at === 0 ? main : ""));
  fine(await coordinatorTasks(shelf.room(), operations));
  const session = () => shelf.room(claude, undefined, new SessionMemory());
  return { shelf, session };
}

test("a session's memory never completes a task that a parallel session of its name has begun meanwhile", async () => {
  const { shelf, session } = await shelfWith("Third", "Second", "Last");
  const [a, b] = [session(), session()];
  expect(fine(await startCoordinatorTask(a)).isResumed).toBe(false);
  expect(fine(await startCoordinatorTask(b))).toMatchObject({ isResumed: true, task: { slug: "third" } });
  fine(await completeCoordinatorTask(b, { note: "by B" }));
  const [problem] = wrong(await completeCoordinatorTask(a, { note: "by A" }));
  expect(problem?.code).toBe("TASK_NOT_GIVEN");
  expect(problem?.message).toBe(
    'this session was last given #third, which was completed at 2025-10-14T15:30:45Z by claude-code 2.1.325 ("by B"); in progress is "Second" (#second), which it was not given. Nothing was completed',
  );
  expect(problem?.hint).toContain("call start_coordinator_task");
  expect(shelf.text(activeList)).not.toContain("by A");
  // The hint's suggestion works.
  expect(fine(await completeCoordinatorTask(a, { note: "by A", task: "second" })).next?.task.slug).toBe(
    "last",
  );
  expect(codes(await completeCoordinatorTask(b, { note: "by B" }))).toEqual(["TASK_NOT_GIVEN"]);
  fine(await startCoordinatorTask(b));
  expect(fine(await completeCoordinatorTask(b, { note: "by B" })).archivedTo).toBeDefined();
  const [archived] = wrong(await completeCoordinatorTask(a, { note: "by A" }));
  expect(archived?.message).toMatch(/given #last, which was completed .*; nothing is in progress/);
});

test("a session without memory, after a compaction or in a new process, completes what is in progress", async () => {
  const { session } = await shelfWith("One", "Two", "Three");
  fine(await startCoordinatorTask(session()));
  expect(fine(await completeCoordinatorTask(session(), { note: "a" })).next?.task.slug).toBe("two");
  const one = session();
  fine(await completeCoordinatorTask(one, { note: "b" }));
  expect(fine(await completeCoordinatorTask(one, { note: "c" })).archivedTo).toBeDefined();
});

test("completing a task that was reopened or renamed away says so", async () => {
  const { shelf, session } = await shelfWith("One", "Two");
  const a = session();
  fine(await startCoordinatorTask(a));
  shelf.put(activeList, (shelf.text(activeList) ?? "").replace("### One", "### Uno"));
  const [problem] = wrong(await completeCoordinatorTask(a, { note: "x" }));
  expect(problem?.message).toContain("given #one, which is no longer a task of the list; in progress is");
  expect(codes(await completeCoordinatorTask(shelf.room(codex), { note: "x" }))).toEqual(["LEASE_TAKEN"]);
});

test.each(["third", "#third", "/coordinator/active.md#third"])(
  "a coordinator task can be completed by the name %s",
  async (task) => {
    const { session } = await shelfWith("Third", "Second");
    const room = session();
    fine(await startCoordinatorTask(room));
    expect(fine(await completeCoordinatorTask(room, { note: "x", task })).next?.task.slug).toBe("second");
    expect(codes(await completeCoordinatorTask(room, { note: "x", task: "/w.md#second" }))).toEqual([
      "TASK_ELSEWHERE",
    ]);
  },
);
