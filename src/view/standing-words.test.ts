import { expect, test } from "vitest";
import { type Story, story } from "../../test/view/story.ts";
import type { QuestionId } from "../kernel/event.ts";
import type { TaskId } from "../plan/plan.ts";
import { noLiveness } from "./liveness.ts";
import { noPaint } from "./paint.ts";
import { RunTimes } from "./run-times.ts";
import { stateFile } from "./state-file.ts";
import { statusDocument } from "./status.ts";
import { statusText } from "./status-text.ts";
import { why } from "./why.ts";

const liveness = noLiveness(true);
const seen = ({ state, now }: Story) => ({ state, now, liveness });
const a = "a" as TaskId;
const q1 = "q1" as QuestionId;

const rested = () =>
  story("a", "b").tell("agent_rested", { agent: "backend", code: "AGENT_RATE_LIMIT", for_ms: 310_000 });
const ruledOut = () =>
  story("a", "b")
    .tell("agent_ruled_out", { agent: "backend", code: "AGENT_NOT_SIGNED_IN", message: "it has no key" })
    .tell("question_asked", { question: q1, task: a, text: "Sign in.", options: [], agents: ["backend"] });

test("who rests is named with how long and why, wherever a run is looked at", () => {
  const told = rested().after(60_000);
  const text = statusText(seen(told), { columns: 80, rows: 40, ascii: false, paint: noPaint });
  expect(text).toContain("resting · ");
  expect(text).toContain("! backend rests for another 4m10s (rate limit)");
  expect(text).toContain("ready, backend rests for another 4m10s (rate limit)");
  expect(why(told.task("a"), seen(told)).answer).toBe(
    "everything it depends on is verified; backend rests for another 4m10s (rate limit)",
  );
  expect(statusDocument(seen(told)).away).toEqual([
    { agent: "backend", standing: "resting", code: "AGENT_RATE_LIMIT", left_ms: 250_000, message: null },
  ]);
  const file = stateFile({ state: told.state, now: told.now, times: new RunTimes() });
  expect(file.session_resets_at).toBe("2026-01-16T10:05:10.000Z");
});

test("a rest that is over leaves no trace", () => {
  const told = rested().after(310_000).tell("agent_returned", { agent: "backend" });
  expect(statusDocument(seen(told))).toMatchObject({ away: [], headline: { words: "running" } });
  expect(why(told.task("a"), seen(told)).answer).toContain("a slot is free, so it is next");
});

test("of who is out it is said why, and which question is to be answered", () => {
  const told = ruledOut();
  expect(statusDocument(seen(told))).toMatchObject({
    headline: { words: "waits for you" },
    away: [{ agent: "backend", standing: "out", message: "it has no key" }],
  });
  expect(why(told.task("b"), seen(told))).toMatchObject({
    answer: "everything it depends on is verified; backend is out: not signed in",
    next: [{ command: 'cox answer q1 "…"' }],
  });
  expect(why(told.task("a"), seen(told)).answer).toContain(
    "it waits for you: q1 was asked by the coordinator",
  );
});
