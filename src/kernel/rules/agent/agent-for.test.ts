import { expect, test } from "vitest";
import { given, type Step, type Story } from "../../../../test/kernel/given.ts";
import { audit, dispatch } from "../../../../test/kernel/in-words.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import { checked, crashed, later, orderTo, worked } from "../../../../test/kernel/steps.ts";

const two = { line: "a", agent: "one", agents: ["one", "two"] };
const judged = { ...two, auditor: "two", auditors: ["two", "three", "one"] };
const crew = (task: typeof two) => ({
  ...plan(task),
  agents: [
    { name: "one", kind: "x" },
    { name: "two", kind: "y" },
    { name: "three", kind: "y" },
  ],
});

function sent({ log }: Story): string[] {
  return log.flatMap(({ event, data }) =>
    event === "agent_dispatched" ? [`${data.role} ${data.agent}`] : [],
  );
}

test.each([
  "AGENT_RATE_LIMIT",
  "AGENT_NOT_INSTALLED",
  "AGENT_NOT_SIGNED_IN",
  "AGENT_CONTEXT",
  "AGENT_REFUSED",
])("after %s the next agent takes over at once, and no attempt is counted", (code) => {
  const story = given(crew(two), crashed("a", code)).wants(dispatch("a"));
  expect(story.task("a").counts.turnsLost).toBe(0);
  story.when(worked("a"));
  expect(sent(story)).toEqual(["developer one", "developer two"]);
  expect(story.task("a").work?.author).toBe("two");
});

test.each(["AGENT_EXIT", "AGENT_LIMIT", "AGENT_NO_RESULT", "AGENT_SIGNAL"])(
  "after %s the same agent tries again, and it is counted",
  (code) => {
    const story = given(crew(two), crashed("a", code), worked("a"));
    expect(sent(story)).toEqual(["developer one", "developer one"]);
  },
);

test("an agent whose server failed once or twice is waited for; then others take over", () => {
  const back: Step = (story) => story.tell({ command: "return-agent", agent: "one" });
  const story = given(plan({ turn_attempts: 9 }, two), crashed("a", "AGENT_API")).wantsNothing();
  story.when(later(5_000), back, crashed("a", "AGENT_API")).wantsNothing();
  story.when(later(10_000), back, crashed("a", "AGENT_API")).wants(dispatch("a"));
});

test("an agent that is back comes first again in the fallback order", () => {
  const story = given(crew(two), crashed("a", "AGENT_RATE_LIMIT"), crashed("a"), later(30_000));
  story.tell({ command: "return-agent", agent: "one", account: "one" });
  story.when(worked("a"));
  expect(sent(story)).toEqual(["developer one", "developer two", "developer one"]);
});

test("no agent audits its own work, whoever stepped in", () => {
  const story = given(crew(judged), crashed("a", "AGENT_RATE_LIMIT"), checked("a")).wants(audit("a"));
  expect(story.decide().order).toMatchObject({ agent: "three" });
  story.refuses(orderTo("a", "auditor", "two"), { refused: "not-possible-now" });
});

test("if the expected agent did the work, the auditors come in the plan's order", () => {
  expect(given(crew(judged), checked("a")).decide().order).toMatchObject({ agent: "two" });
});

test("if another agent stepped in, auditors of another kind come first", () => {
  const both = { ...judged, auditors: ["three", "one"], auditor: "three" };
  const story = given(crew(both), crashed("a", "AGENT_REFUSED"), checked("a"));
  expect(story.decide().order).toMatchObject({ agent: "one" });
});

test("the next auditor stands in for one that is away", () => {
  const story = given(crew(judged), checked("a"), crashed("a", "AGENT_RATE_LIMIT")).wants(audit("a"));
  expect(story.decide().order).toMatchObject({ agent: "three" });
});

test("an agent that does not fit one task still does others", () => {
  const story = given(
    plan(two, { ...two, line: "b" }),
    crashed("a", "AGENT_REFUSED"),
    worked("a"),
    worked("b"),
  );
  expect(sent(story)).toEqual(["developer one", "developer two", "developer one"]);
});
