import { test } from "vitest";
import { given, type Step } from "../../../../test/kernel/given.ts";
import { audit, dispatch } from "../../../../test/kernel/in-words.ts";
import { answer, pause, rollback } from "../../../../test/kernel/person.ts";
import { plan } from "../../../../test/kernel/plan.ts";
import {
  advanced,
  asked,
  checked,
  crashed,
  done,
  orderTo,
  passed,
  reverted,
  started,
  turnsEnded,
  wantsToDelete,
  worked,
} from "../../../../test/kernel/steps.ts";

test("tasks without dependencies begin, the others wait", () => {
  given(plan("a", "b after a")).wants(dispatch("a"));
  given(plan("a", "b after a"), done("a")).wants(dispatch("b"));
});

test("no task begins before everything it depends on is done", () => {
  given(plan("a", "b", "c after a b"), done("a"), started("b")).wantsNothing();
  given(plan("a", "b", "c after a b"), done("a"), done("b")).wants(dispatch("c"));
});

test("an agent that is being ended still holds what its task declares", () => {
  const story = given(
    plan("a : x.ts", "b after a : x.ts"),
    done("a"),
    started("b"),
    rollback("a"),
    reverted("a"),
    advanced,
  );
  story.wants("end b.1.1: it depends on a, which was reverted");
  story.when(turnsEnded).wants(dispatch("a"));
});

test("every slot is given away, and no more", () => {
  const three = plan({ active_developers: 2 }, "a", "b", "c");
  given(three, started("a")).wants(dispatch("b"));
  given(three, started("a"), started("b")).wantsNothing();
  given(three, started("a"), started("b"), done("a")).wants(dispatch("c"));
});

const orders: { title: string; lines: string[]; steps?: Step[]; wants: string }[] = [
  {
    title: "whoever holds up the most others, through others too",
    lines: ["z", "a", "b after a", "c after b"],
    wants: dispatch("a"),
  },
  { title: "then the plan's priority", lines: ["a low", "b", "c high", "d critical"], wants: dispatch("d") },
  { title: "then the order of the plan", lines: ["b", "a"], wants: dispatch("b") },
  {
    title: "what holds up more before what is more important",
    lines: ["a critical", "b low", "c after b"],
    wants: dispatch("b"),
  },
  {
    title: "work that was begun before what is new",
    lines: ["a", "b", "c after b"],
    steps: [crashed("a")],
    wants: dispatch("a"),
  },
  {
    title: "an audit before work that was begun",
    lines: ["a", "b audited", "c after a"],
    steps: [crashed("a"), checked("b")],
    wants: audit("b"),
  },
  {
    title: "of two audits the one that was due first",
    lines: ["a audited", "b audited", "c after a"],
    steps: [checked("b"), checked("a")],
    wants: audit("b"),
  },
];

test.each(orders)(
  "the first task to be dispatched: $title",
  ({ lines: [first = "", ...rest], steps = [], wants }) => {
    given(plan(first, ...rest), ...steps).wants(wants);
  },
);

test("two tasks that write one file never run together", () => {
  given(plan("a : x.ts", "b : x.ts"), started("a")).wantsNothing();
  given(plan("a : src/**", "b : src/x.ts"), started("a")).wantsNothing();
  given(plan("a : src/x.ts", "b : test/**"), started("a")).wants(dispatch("b"));
});

test("two tasks that share a resource never run together", () => {
  given(plan("a shares database", "b shares database"), started("a")).wantsNothing();
  given(plan("a shares database", "b shares browser"), started("a")).wants(dispatch("b"));
});

test("a declared file is free again only when the task that wrote it is integrated", () => {
  const two = plan("a : x.ts audited", "b : x.ts");
  given(two, checked("a")).wants(audit("a"));
  given(two, done("a")).wants(dispatch("b"));
});

test("a task that must wait for a file lets others pass", () => {
  given(plan("a : x.ts", "b : x.ts", "c after b", "d : y.ts"), started("a")).wants(dispatch("d"));
});

test("a task with a question gives up its file, and waits for it like any other afterwards", () => {
  const two = plan("a : x.ts", "b : x.ts");
  const held = given(two, asked("a"));
  held.wants(dispatch("b"));
  held.when(started("b"), answer("q1", "spaces")).wantsNothing();
  held.when(done("b")).wants(dispatch("a"));
});

test("two answered tasks that declare one file do not wait for each other", () => {
  const two = plan("a : x.ts", "b : x.ts");
  given(two, asked("a"), asked("b"), answer("q1", "1"), answer("q2", "2")).wants(dispatch("a"));
});

test("a task that waits for a confirmation keeps its file, because its work is already there", () => {
  given(plan("a : x.ts", "b : x.ts"), wantsToDelete("a")).wantsNothing();
});

test("an order to dispatch that comes too late is refused", () => {
  const one = plan({ active_developers: 1 }, "a : x.ts", "b : y.ts");
  given(one, started("a")).refuses(orderTo("a"), { refused: "illegal-transition", from: "working" });
  given(one, started("a")).refuses(orderTo("b"), { refused: "not-possible-now" });
  given(one, pause()).refuses(orderTo("a"), { refused: "not-possible-now" });
  given(plan("a : x.ts", "b : x.ts"), started("a")).refuses(orderTo("b"), { refused: "not-possible-now" });
  given(plan("a", "b after a")).refuses(orderTo("b"), { refused: "illegal-transition", from: "waiting" });
  given(plan("a"), checked("a")).refuses(orderTo("a", "auditor"), { refused: "illegal-transition" });
});

test("finished work comes first: while more of it waits than there are slots, no new task begins", () => {
  const tasks = plan({ active_developers: 1 }, "a audited", "b", "c", "d after c");
  given(tasks, passed("a")).wants(dispatch("c"), "merge a onto base");
  given(tasks, passed("a"), worked("b")).wants("merge a onto base", "verify b");
  given(tasks, passed("a"), worked("b"), done("a")).wants(dispatch("c"), "verify b");
});

test("begun tasks and audits continue, however much finished work waits", () => {
  const tasks = plan({ active_developers: 1 }, "a", "b", "c", "d audited");
  given(tasks, crashed("c"), checked("d"), passed("a"), passed("b")).wants(audit("d"), "merge a onto base");
  given(tasks, crashed("c"), passed("a"), passed("b")).wants(dispatch("c"), "merge a onto base");
});

test("levels are a barrier where the plan says so", () => {
  const lines = ["a", "b", "c after a"] as const;
  given(plan({ schedule: "levels" }, ...lines), done("a"), started("b")).wantsNothing();
  given(plan({ schedule: "flow" }, ...lines), done("a"), started("b")).wants(dispatch("c"));
  given(plan({ schedule: "levels" }, ...lines), done("a"), done("b")).wants(dispatch("c"));
});

test("a task that was done before the run holds no other up", () => {
  given(plan("a done", "b after a")).wants(dispatch("b"));
});

test("a dependency that is named twice is waited for once", () => {
  given(plan("a", "b after a a"), done("a")).wants(dispatch("b"));
});
