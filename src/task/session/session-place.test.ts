import { expect, test } from "vitest";
import { TaskList } from "../../document/task-list.ts";
import { placeIn } from "./session-place.ts";

const list = (...tasks: readonly string[]) =>
  placeIn(TaskList.read(`# Coordinator Tasks\n\n## Tasks\n\n${tasks.join("\n\n")}\n`));

const first = "### One\n- Status: completed\n- Main-Workflow: bug-hunt\n\nText.";

test("a session's current task is the one in progress, even if an earlier one is open", () => {
  const place = list(first, "### Two\n- Status: pending", "### Three\n- Status: in_progress\n\nDo it.");
  expect(place).toEqual({
    task: { slug: "three", title: "Three", text: expect.stringContaining("Do it.") },
    isStarted: true,
    done: 1,
    total: 3,
    next: ["Two"],
    mainWorkflow: "bug-hunt",
  });
});

test("without a task in progress, the session's current task is the first that is not done", () => {
  expect(list(first, "### Two\n- Workflow: release", "### Three")).toMatchObject({
    task: { slug: "two", workflow: "release" },
    isStarted: false,
    next: ["Three"],
  });
});

test("a task's Main-Workflow holds for later tasks until one of them names another", () => {
  const other = "### Two\n- Main-Workflow: release";
  expect(list(first, other, "### Three\n- Status: in_progress")?.mainWorkflow).toBe("release");
  expect(
    list(first, "### Two\n- Status: in_progress", "### Three\n- Main-Workflow: release")?.mainWorkflow,
  ).toBe("bug-hunt");
});

test("a task list that is done, empty or missing has no current task", () => {
  expect(list(first)).toBeUndefined();
  expect(list()).toBeUndefined();
  expect(placeIn(TaskList.read("just words\n"))).toBeUndefined();
});
