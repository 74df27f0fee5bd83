import { expect, test } from "vitest";
import { type Story, storyWith } from "../../../test/view/story.ts";
import type { TurnSpending } from "../../kernel/event.ts";
import { agentTestDocument, agentTestText } from "../agents/agent-test.ts";
import { figuresDocument, runStats } from "../end/run-stats.ts";
import { runStatsText } from "../end/run-stats-text.ts";
import { stateFile } from "../end/state-file.ts";
import { summaryText } from "../end/summary.ts";
import { liveFrame } from "../live/live-frame.ts";
import { LogReader } from "../log/log-line.ts";
import { RunProgress } from "../progress/run-progress.ts";
import { RunTimes } from "../run-times.ts";
import { noLiveness } from "../status/liveness.ts";
import { statusDocument } from "../status/status.ts";
import { statusText } from "../status/status-text.ts";
import { noPaint } from "../text/paint.ts";

/** Two turns, each with its reported usage. */
function told(...turns: readonly [TurnSpending, TurnSpending]): Story {
  return storyWith({ budget: { usdMicros: 1_000_000 } }, "a", "b")
    .works("a")
    .works("b")
    .replies("a", turns[0])
    .replies("b", turns[1]);
}

const look = { columns: 120, rows: 40, paint: noPaint, ascii: false };

/** Every text that shows a cost to a person. */
const texts: Record<string, (of: Story) => string> = {
  status: (of) => statusText(seen(of), look),
  "live view": (of) => liveFrame(seen(of), look).join("\n"),
  "end of the run": (of) => summaryText(seen(of), look),
  "progress.md": (of) => {
    const progress = new RunProgress();
    for (const event of of.events) progress.add(event);
    return progress.text(of.state);
  },
  stats: (of) => runStatsText(runStats(of.events), look),
};

/** Every document that shows a cost to a program. */
const documents: Record<string, (of: Story) => unknown> = {
  "status --json, MCP run_status": (of) => statusDocument(seen(of)).spent,
  "state.json": (of) => {
    const times = new RunTimes();
    for (const event of of.events) times.add(event);
    return stateFile({ state: of.state, now: of.now, times }).spent;
  },
  "stats --json": (of) => figuresDocument(runStats(of.events).total),
};

function seen({ state, now }: Story) {
  return { state, now, liveness: noLiveness(true) };
}

const unknown = told({ ms: 1 }, { ms: 1, unpriced: ["who-knows"] });
const part = told({ ms: 1 }, { ms: 1, usd_micros: 150_000, usd_estimated: true });
const known = told({ ms: 1, usd_micros: 0 }, { ms: 1, usd_micros: 150_000 });

test.each(Object.keys(texts))("%s shows an unknown cost in words, never as zero", (name) => {
  const text = texts[name] ?? (() => "");
  expect(text(unknown)).toMatch(/unknown/);
  expect(text(unknown)).not.toMatch(/\$0/);
  expect(text(part)).toMatch(/at least ~\$0\.15/);
  expect(text(known)).toMatch(/\$0\.15/);
  expect(text(known)).not.toMatch(/unknown|at least/);
});

test.each(Object.keys(documents))("%s has null for an unknown cost, and marks a lower bound", (name) => {
  const document = documents[name] ?? (() => undefined);
  expect(document(unknown)).toMatchObject({ usd_micros: null, usd_known: false });
  expect(document(part)).toMatchObject({ usd_micros: 150_000, usd_known: false });
  expect(document(known)).toMatchObject({ usd_micros: 150_000, usd_known: true });
});

test("the log says for each turn what is known of its cost", () => {
  const reader = new LogReader();
  const lines = part.events.map((event) => reader.read(event).words);
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/replied after 0s, cost unknown$/),
    expect.stringMatching(/replied after 0s, ~\$0\.15$/),
  ]);
});

test("the test of an agent says that its cost is unknown too", () => {
  const agent = { agent: "dev", driver: "command", reply: "ready", session: undefined, failure: undefined };
  expect(agentTestText({ ...agent, spent: { ms: 1 } }, noPaint)).toContain("cost unknown");
  expect(agentTestText({ ...agent, spent: { ms: 1, tokens: 5 } }, noPaint)).toContain(
    "5 tokens, cost unknown",
  );
  expect(agentTestDocument({ ...agent, spent: { ms: 1 } }).spent).toMatchObject({ usd_micros: null });
});
