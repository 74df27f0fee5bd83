import { expect, test } from "vitest";
import { given } from "../../../../test/kernel/given.ts";
import { audit, dispatch } from "../../../../test/kernel/in-words.ts";
import { answer, resume, retry, stop } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import { someTree } from "../../../../test/kernel/some-object-ids.ts";
import {
  auditing,
  auditorRefused,
  cancelled,
  checked,
  crashed,
  done,
  killed,
  orderTo,
  refusedReply,
  replied,
  replyOf,
  started,
  timedOut,
  turnOf,
  turnsEnded,
  worked,
} from "../../../../test/kernel/steps.ts";

test("a dispatch is recorded before the agent is started, and says who, for what, and how long at most", () => {
  const run = plan({ turn_timeout_ms: 60_000 }, { line: "a", timeout_ms: 5000 }, "b");
  const story = given(run);
  story.records(orderTo("a"), "developer_dispatched", "agent_dispatched").wants(dispatch("b"), "turn a");
  expect(story.log.at(-1)?.data).toMatchObject({
    turn: "a.1.1",
    agent: "dev",
    attempt: 1,
    fence_tag: "tag",
    timeout_ms: 5000,
    stall_ms: 300_000,
  });
  expect(story.log.at(-2)?.data).toMatchObject({ base: "base" });
});

test("a turn may take as long as its task says, else as its agent's profile says, else as all turns", () => {
  const agents = [
    { name: "dev", kind: "x", timeout_ms: 30_000 },
    { name: "auditor", kind: "y" },
  ];
  const run = { ...plan({ turn_timeout_ms: 60_000 }, { line: "a", timeout_ms: 5000 }, "b audited"), agents };
  const timeoutOf = (...steps: Parameters<typeof given>[1][]) => {
    const dispatched = given(run, ...steps).log.filter(({ event }) => event === "agent_dispatched");
    return dispatched.at(-1)?.data;
  };
  expect(timeoutOf(started("a"))).toMatchObject({ agent: "dev", timeout_ms: 5000 });
  expect(timeoutOf(started("b"))).toMatchObject({ agent: "dev", timeout_ms: 30_000 });
  expect(timeoutOf(auditing("b"))).toMatchObject({ agent: "auditor", timeout_ms: 60_000 });
});

test("a reply is collected before anything else is done with the task", () => {
  given(plan("a"), replied("a")).wants("collect a");
});

const losses = { crash: crashed("a"), timeout: timedOut("a"), silence: timedOut("a", "stall") };

test.each(Object.entries(losses))(
  "after a %s the task is tried again, at the desk as it was left",
  (_, loss) => {
    const story = given(plan("a"), loss).wants(dispatch("a"));
    expect(story.task("a").desk).toMatchObject({ keep: true });
    expect(story.task("a").counts).toMatchObject({ turnsLost: 1, roundsFailed: 0 });
    expect(story.task("a").attempt).toBe(1);
  },
);

test.each(Object.entries(losses))(
  "after as many as are allowed, a %s fails the task and asks a person",
  (_, loss) => {
    const story = given(plan("a", "b after a", "c"), loss, loss, loss);
    expect(story.phases()).toEqual({ a: "failed", b: "waiting", c: "ready" });
    expect(story.events().slice(-2)).toEqual(["task_failed", "question_asked"]);
    expect(story.question("q1").text).toMatch(/^3 turns in a row ended without a reply; the last one: /);
    story.wants(dispatch("c"));
  },
);

test("failed turns are counted in a row: a reply in between resets the count", () => {
  const story = given(plan("a"), crashed("a"), crashed("a"), refusedReply("a"), crashed("a"), crashed("a"));
  story.wants(dispatch("a"));
  story.when(crashed("a"));
  expect(story.phase("a")).toBe("failed");
});

test("each turn has a name of its own", () => {
  const story = given(
    plan("a audited"),
    crashed("a"),
    refusedReply("a"),
    crashed("a"),
    auditing("a"),
    crashed("a"),
  );
  story.when(auditing("a"));
  const names = story.log.flatMap(({ event, data }) => (event === "agent_dispatched" ? [data.turn] : []));
  expect(names).toEqual(["a.1.1", "a.1.2", "a.1.3", "a.1.4", "a.1.a1", "a.1.a2"]);
});

test("a turn lost by the coordinator itself is no failed attempt, however often", () => {
  const story = given(plan("a"));
  for (let round = 0; round < 9; round += 1) story.when(started("a"), killed);
  expect(story.task("a").counts.turnsLost).toBe(0);
  story.wants(dispatch("a"));
  expect(story.events().slice(-3)).toEqual(["session_started", "state_reconstructed", "agent_crashed"]);
});

test("a turn that the coordinator ended is no failed attempt", () => {
  const story = given(plan("a"), cancelled("a"), cancelled("a"), cancelled("a"), cancelled("a"));
  expect(story.task("a").counts.turnsLost).toBe(0);
  story.wants(dispatch("a"));
});

test("a desk that cannot be opened is no failed attempt and pauses the run, so that it is not retried for ever", () => {
  const story = given(plan("a"), crashed("a", "DESK_FAILED")).wantsNothing();
  expect(story.state.status).toMatchObject({ name: "paused", reason: "trouble" });
  expect(story.task("a").counts.turnsLost).toBe(0);
  story.when(resume()).wants(dispatch("a"));
});

test("a failure that keeps several tasks from a desk pauses the run once, and each task is tried again", () => {
  const story = given(plan("a", "b"), started("a"), started("b"));
  story.when(crashed("a", "DESK_FAILED"), crashed("b", "DESK_FAILED")).wantsNothing();
  expect(story.log.filter(({ event }) => event === "run_paused")).toHaveLength(1);
  story.when(resume()).wants(dispatch("a"));
  story.when(started("a")).wants(dispatch("b"));
});

test("an auditor's crash is not a failed audit, and its work is not done again", () => {
  const story = given(plan("a audited"), checked("a"), crashed("a"));
  story.wants(audit("a"));
  expect(story.task("a").counts).toMatchObject({ auditTurnsLost: 1, auditsFailed: 0, roundsFailed: 0 });
  story.when(crashed("a"), timedOut("a"));
  expect(story.phase("a")).toBe("failed");
  story.when(answer("q1", "retry")).wants(audit("a"));
  expect(story.task("a")).toMatchObject({ attempt: 1, counts: { auditTurnsLost: 0 } });
  story.when(done("a"));
});

test("a retry from the beginning does the work again, even if only the audit failed", () => {
  const story = given(plan("a audited"), checked("a"), crashed("a"), crashed("a"), crashed("a"));
  story.when(retry("a", { afresh: true })).wants(dispatch("a"));
  expect(story.task("a")).toMatchObject({ attempt: 2, work: undefined, desk: undefined });
});

test("a rejected reply is asked for again with what was wrong, a limited number of times", () => {
  const story = given(plan("a", "b"), refusedReply("a")).wants(dispatch("a"));
  expect(story.task("a").feedback).toMatchObject([{ code: "REPLY_UNCLEAR" }]);
  story.when(refusedReply("a"), refusedReply("a")).wants(dispatch("b"));
  expect(story.task("a").phase).toMatchObject({
    name: "failed",
    reason: "3 replies in a row were rejected; the last one: no operations were found",
  });
});

test("an auditor's rejected reply is asked for again, and is no failed audit", () => {
  const story = given(plan({ reply_attempts: 2, turn_attempts: 9 }, "a audited"), auditorRefused("a"));
  story.wants(audit("a"));
  expect(story.task("a").feedback).toMatchObject([{ message: "no verdict was found" }]);
  story.when(auditorRefused("a"));
  expect(story.phase("a")).toBe("failed");
  expect(story.task("a").counts).toMatchObject({ auditsFailed: 0, roundsFailed: 0 });
  story.when(answer("q1", "it is fine, just say so")).wants(audit("a"));
});

test("findings about a developer's reply are not given to the auditor", () => {
  expect(given(plan("a audited"), refusedReply("a"), checked("a")).task("a").feedback).toEqual([]);
});

test("a reply with another role's result is rejected", () => {
  const story = given(plan("a"), replied("a"));
  const { turn } = replyOf(story, "a");
  story.records(
    { command: "collected", turn, result: { kind: "pass", summary: "I say so" } },
    "reply_refused",
  );
  story.wants(dispatch("a"));
  const other = given(plan("a audited"), checked("a"), replied("a"));
  const { turn: its } = replyOf(other, "a");
  const result = { kind: "work", tree: someTree("t"), files: [], summary: "", outputs: [] } as const;
  other.records({ command: "collected", turn: its, result }, "reply_refused").wants(audit("a"));
});

test("a checkpoint is kept with the tree it was captured in, for the next turn", () => {
  const story = given(plan("a"), started("a"));
  const { turn } = turnOf(story, "a");
  story.records(
    { command: "turn-checkpoint", turn, text: "half of it", tree: someTree("half") },
    "agent_checkpoint",
    "developer_checkpoint",
  );
  story.when(crashed("a"));
  expect(story.task("a")).toMatchObject({ checkpoint: "half of it", desk: { tree: "half", keep: true } });
});

test("the end of a turn that is not running is refused", () => {
  const story = given(plan("a"), started("a"));
  const { turn } = turnOf(story, "a");
  story.when(crashed("a"));
  const ended = { how: "replied", replySha256: "" } as const;
  const stale = { refused: "stale", key: `turn:${turn}` } as const;
  story.refuses({ command: "turn-ended", turn, ended, spent: { ms: 1 } }, stale);
  story.refuses({ command: "turn-started", turn, pid: 1, started: "" }, stale);
  story.refuses({ command: "turn-checkpoint", turn, text: "" }, stale);
  story.refuses(
    { command: "collected", turn, result: { kind: "incomplete", reason: "" } },
    { refused: "stale", key: `collect:${turn}` },
  );
});

test("a reply is collected once", () => {
  const story = given(plan("a"), replied("a"));
  const { turn } = replyOf(story, "a");
  story.when(worked("a"));
  const result = { kind: "work", tree: someTree("t"), files: [], summary: "", outputs: [] } as const;
  story.refuses({ command: "collected", turn, result }, { refused: "stale" });
});

test("a stopped turn is ended, whatever it still says, and its task continues after a resume", () => {
  const story = given(plan("a"), started("a"), stop());
  story.wants("end a.1.1: the run was stopped");
  const { turn } = turnOf(story, "a");
  const ended = { how: "replied", replySha256: "" } as const;
  story.records({ command: "turn-ended", turn, ended, spent: { ms: 1 } }, "agent_cancelled").wantsNothing();
  story.when(resume()).wants(dispatch("a"));
  expect(story.task("a").counts.turnsLost).toBe(0);
});

test("a run that is resumed before a stopped turn has ended waits for that end", () => {
  const story = given(plan("a"), started("a"), stop(), resume());
  story.wants("end a.1.1: the run was stopped");
  story.when(turnsEnded).wants(dispatch("a"));
});

test("misconduct in a turn is recorded, and changes nothing else", () => {
  const story = given(plan("a"), started("a"));
  const { turn } = turnOf(story, "a");
  story.records(
    { command: "report", turn, code: "WS_HEAD_MOVED", message: "it moved HEAD" },
    "agent_overstepped",
  );
  expect(story.phase("a")).toBe("working: turn");
});

test("a turn that wrote outside its desk is lost with all its work, and the next one is told", () => {
  const story = given(plan("a"), refusedReply("a"), started("a"));
  expect(story.task("a").desk?.keep).toBe(true);
  const { turn } = turnOf(story, "a");
  const items = [{ code: "WS_FOREIGN_WRITE", path: ".git/config", message: ".git/config was written" }];
  story.records({ command: "outside-changed", turn, items }, "outside_changed");
  expect(story.state.outside).toMatchObject({
    count: 1,
    items: [{ task: "a", agent: "dev", finding: items[0] }],
  });
  const ended = {
    how: "crashed",
    code: "WS_FOREIGN_WRITE",
    message: "it wrote .git/config",
    lastLine: "",
  } as const;
  story.records({ command: "turn-ended", turn, ended, spent: { ms: 1 } }, "agent_crashed");
  expect(story.task("a").desk?.keep).toBe(false);
  expect(story.task("a").counts.turnsLost).toBe(1);
  expect(story.task("a").feedback.at(-1)).toMatchObject({ code: "WS_FOREIGN_WRITE", message: ended.message });
  story.wants(dispatch("a"));
});

test("a turn that was not watched is lost with all its work, and is no failed attempt", () => {
  const story = given(plan("a"), started("a"));
  const { turn } = turnOf(story, "a");
  const ended = { how: "crashed", code: "AGENT_UNWATCHED", message: "nobody watched", lastLine: "" } as const;
  story.records({ command: "turn-ended", turn, ended, spent: { ms: 1 } }, "agent_crashed");
  expect(story.task("a").desk?.keep).toBe(false);
  expect(story.task("a").counts.turnsLost).toBe(0);
});

test("the confinement of agents is recorded when it changes", () => {
  const story = given(plan("a"));
  expect(story.state.isConfined).toBe(true);
  const finds = (holds: boolean, hasLayers: boolean, ...events: "confinement_found"[]) =>
    story.records({ command: "find-confinement", holds, hasLayers }, ...events);
  finds(true, true);
  finds(false, false, "confinement_found");
  expect(story.state.isConfined).toBe(false);
  finds(false, true);
  finds(true, false, "confinement_found");
  expect(story.state).toMatchObject({ isConfined: true, isWithoutLayers: true });
  finds(true, false);
  finds(true, true, "confinement_found");
  expect(story.state).toMatchObject({ isConfined: true, isWithoutLayers: false });
});
