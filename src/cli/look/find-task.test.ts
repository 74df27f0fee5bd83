import { expect, test } from "vitest";
import { story } from "../../../test/view/story.ts";
import { findRunTask } from "./find-task.ts";

const { state } = story("build", "docs after build");
const id = [...state.tasks.values()][0]?.facts.task_id ?? "";

test.each(["build", "#build", id])("%s is the task build", (wanted) => {
  expect(findRunTask(state, wanted)).toMatchObject({ task: { facts: { task: "build" } } });
});

test("an unknown task name is refused with the names that exist", () => {
  expect(findRunTask(state, "#bild")).toEqual({
    refused: "unknown-task",
    task: "bild",
    known: ["build", "docs"],
  });
});
