import { expect, test } from "vitest";
import { eventVersion, type Upcasters, upcast, upcasters } from "./upcast.ts";

/** Two invented steps: a renamed event, then a field that was split. */
const invented: Upcasters = {
  1: ({ event, data }) => ({ event: event === "task_done" ? "task_complete" : event, data }),
  2: ({ event, data }) => {
    if (event !== "task_complete") return { event, data };
    const { who } = data as { who: string };
    const [agent = "", summary = ""] = who.split(": ");
    return { event, data: { agent, summary } };
  },
};

test("an event of an old version is upcast through every step to today's version", () => {
  const to = { version: 3, upcasters: invented };
  const today = { event: "task_complete", data: { agent: "ana", summary: "done" } };
  expect(upcast({ v: 1, event: "task_done", data: { who: "ana: done" } }, to)).toEqual(today);
  expect(upcast({ v: 2, event: "task_complete", data: { who: "ana: done" } }, to)).toEqual(today);
  expect(upcast({ v: 3, ...today }, to)).toEqual(today);
});

test("an event of a newer version, or older than the first upcast step, cannot be upcast", () => {
  const to = { version: 3, upcasters: invented };
  expect(upcast({ v: 4, event: "task_complete", data: {} }, to)).toBeUndefined();
  expect(upcast({ v: 0, event: "task_complete", data: {} }, to)).toBeUndefined();
});

test("every event version that was ever written has an upcast step", () => {
  expect(Object.keys(upcasters).map(Number)).toEqual(
    Array.from({ length: eventVersion - 1 }, (_, index) => index + 1),
  );
});
