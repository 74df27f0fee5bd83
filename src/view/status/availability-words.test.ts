import { expect, test } from "vitest";
import { type Story, story, storyWith } from "../../../test/view/story.ts";
import type { QuestionId } from "../../kernel/event.ts";
import type { TaskId } from "../../plan/plan.ts";
import { stateFile } from "../end/state-file.ts";
import { RunTimes } from "../run-times.ts";
import { noPaint } from "../text/paint.ts";
import { noLiveness } from "./liveness.ts";
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

test("a resting agent is shown with how long and why, in every view of a run", () => {
  const told = rested().after(60_000);
  const text = statusText(seen(told), { columns: 80, rows: 40, ascii: false, paint: noPaint });
  expect(text).toContain("resting · ");
  expect(text).toContain("! backend rests for another 4m10s (rate limit)");
  expect(text).toContain("ready, backend rests for another 4m10s (rate limit)");
  expect(why(told.task("a"), seen(told)).answer).toBe(
    "everything it depends on is done; backend rests for another 4m10s (rate limit)",
  );
  expect(statusDocument(seen(told)).away).toEqual([
    {
      agent: "backend",
      standing: "resting",
      code: "AGENT_RATE_LIMIT",
      account: null,
      left_ms: 250_000,
      message: null,
    },
  ]);
  const file = stateFile({ state: told.state, now: told.now, times: new RunTimes() });
  expect(file.session_resets_at).toBe("2026-01-16T10:05:10.000Z");
});

test("a rest that is over is no longer shown", () => {
  const told = rested().after(310_000).tell("agent_returned", { agent: "backend" });
  expect(statusDocument(seen(told))).toMatchObject({ away: [], headline: { words: "running" } });
  expect(why(told.task("a"), seen(told)).answer).toContain("a slot is free, so it is next");
});

test("for an agent that is out, the reason and the question to answer are shown", () => {
  const told = ruledOut();
  expect(statusDocument(seen(told))).toMatchObject({
    headline: { words: "waiting for you" },
    away: [{ agent: "backend", standing: "out", message: "it has no key" }],
  });
  expect(why(told.task("b"), seen(told))).toMatchObject({
    answer: "everything it depends on is done; backend is out: not signed in",
    next: [{ command: 'cox answer q1 "…"' }],
  });
  expect(why(told.task("a"), seen(told)).answer).toContain(
    "it waits for you: q1 was asked by the coordinator",
  );
});

const agents = [
  { name: "backend", kind: "x", account: "claude-code" },
  { name: "tester", kind: "y", account: "claude-code" },
];
const held = () =>
  storyWith({ agents, active_developers: 4 }, "a", "b").tell("agent_rested", {
    ...{ agent: "tester", code: "AGENT_RATE_LIMIT", for_ms: 310_000 },
    ...{ account: "claude-code", at_once: 2 },
  });

test("an account that rests is named once, for all of its agents", () => {
  const told = held().after(60_000);
  const text = statusText(seen(told), { columns: 80, rows: 40, ascii: false, paint: noPaint });
  const words = "held: account claude-code rests for another 4m10s (rate limit)";
  expect(text.split("\n").filter((line) => line.startsWith("! held: account"))).toEqual([`! ${words}`]);
  expect(why(told.task("a"), seen(told)).answer).toBe(`everything it depends on is done; ${words}`);
  expect(statusDocument(seen(told)).away).toMatchObject([
    { agent: "tester", account: "claude-code" },
    { agent: "backend", account: "claude-code" },
  ]);
});

test("an account that takes fewer turns says how many, in status and why", () => {
  const told = held().after(310_000).tell("agent_returned", { agent: "tester", account: "claude-code" });
  told.works("a");
  const words = "account claude-code at 2 of 4 after a rate limit";
  const text = statusText(seen(told), { columns: 80, rows: 40, ascii: false, paint: noPaint });
  expect(text).toContain(`! ${words}`);
  expect(statusDocument(seen(told)).accounts).toEqual([
    { account: "claude-code", at_once: 2, slots: 4, in_flight: 1 },
  ]);
  const full = storyWith({ agents, active_developers: 4 }, "a", "b").tell("agent_rested", {
    ...{ agent: "tester", code: "AGENT_RATE_LIMIT", for_ms: 1, account: "claude-code", at_once: 1 },
  });
  full.tell("agent_returned", { agent: "tester", account: "claude-code" }).works("a");
  expect(why(full.task("b"), seen(full)).answer).toBe(
    "everything it depends on is done; held: account claude-code at 1 of 4 after a rate limit, and 1 turn of it under way; three replies allow one more",
  );
  expect(statusText(seen(full), { columns: 120, rows: 40, ascii: false, paint: noPaint })).toContain(
    "held: account claude-code at 1 of 4 after a rate limit",
  );
});
