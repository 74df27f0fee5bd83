/** What happens to what a reply leaves open: nothing is dropped, and no task is complete until it is answered. */
import { expect, test } from "vitest";
import { memoryJournal } from "../../../test/doubles/memory-journal.ts";
import { MemoryRepository, textFile } from "../../../test/doubles/memory-repository.ts";
import { ana } from "../../../test/kernel/person.ts";
import { plan } from "../../../test/kernel/plan.ts";
import { quickPorts } from "../../../test/runtime/quick-ports.ts";
import type { WorkMode } from "../../driver/work-modes.ts";
import type { Event, EventName, EventOf, QuestionId } from "../../kernel/event.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { Coordinator } from "../loop/coordinator.ts";
import type { Ports } from "../loop/ports.ts";

interface Played {
  readonly reply: unknown;
  /** Plain text instead of an object. */
  readonly words?: string;
  readonly writes?: readonly string[];
  readonly toolUses?: number;
}

/** A run of the single task `a`, whose agents give these replies, one turn after another. */
async function played(turns: readonly Partial<Played>[], { mode = "desk" as WorkMode, task = "a" } = {}) {
  const repository = new MemoryRepository({ "base.txt": "base\n" });
  const { commit: base } = await repository.head();
  await repository.beginRun("r1", base);
  const ports = quickPorts(repository);
  const prompts: string[] = [];
  const ended: string[] = [];
  const files = () => repository.filesAt({ run: "r1", name: "a" });
  const driver: ReturnType<Ports["crew"]["member"]>["driver"] = {
    name: "played",
    modes: [mode],
    canResume: false,
    start({ prompt, fence, role }) {
      const { reply, words, writes = [], toolUses } = turns[prompts.length] ?? {};
      prompts.push(prompt);
      if (role === "developer") for (const path of writes) files().set(path, textFile(path));
      const text = words ?? `\`\`\`${fence}\n${JSON.stringify(reply)}\n\`\`\`\n`;
      const outcome = {
        ...{ ended: { kind: "replied" } as const, reply: encodeUtf8(text), lastLine: "", misconduct: [] },
        ...(toolUses !== undefined && { toolUses }),
      };
      return { outcome: Promise.resolve(outcome), cancel: () => {} };
    },
  };
  const carried: string[] = [];
  const equipped: Ports = {
    ...ports,
    crew: { member: () => ({ driver, settings: { driver: "played" }, mode, instructions: "" }) },
    workbench: {
      carryOut: async ({ id, operations }) => {
        carried.push(id);
        for (const { filePath } of operations) files().set(filePath, textFile(filePath));
        return { kind: "done", operations: [] };
      },
    },
    archive: {
      ...ports.archive,
      lines: () => ({ add: (line) => void ended.push(String(line)), end() {} }),
    },
  };
  const recorded: Event[] = [];
  const coordinator = new Coordinator({ clock: ports.clock, journal: memoryJournal().open() });
  coordinator.connect(equipped);
  coordinator.watch({ onRecorded: (more) => void recorded.push(...more) });
  const run = { ...plan(task), base, base_tree: await repository.treeOf(base) };
  coordinator.submit({ command: "start", run });
  const go = () => coordinator.run({ leaveWhenWaiting: true });
  const answer = (question: string, words: string) => {
    coordinator.submit({ command: "resume", by: ana });
    coordinator.submit({ command: "answer", question: question as QuestionId, answer: words, by: ana });
    return go();
  };
  const all = <Name extends EventName>(name: Name) =>
    recorded.flatMap((one) => (one.event === name ? [one.data as EventOf<Name>["data"]] : []));
  return { how: await go(), answer, all, prompts, carried, files, coordinator, ended };
}

const note = {
  description: "emails are compared without regard to case",
  context: "the login page does it",
  category: "requirements",
  escalation_reason: "the specification is silent",
};
const ready = { specialist_summary: "the table is there", signal: "READY FOR AUDIT" };
const delegation = { agent: "db-expert", request_type: "advice", request: "which index?" };

test.each(["open", "escalated", undefined])(
  "work with a note whose status is %s is put to the user, and done only after the answer",
  async (status) => {
    const reply = { ...ready, notes: [{ ...note, status }] };
    const turns = [{ reply, writes: ["a.txt"] }, { reply }];
    const { how, all, answer, prompts, coordinator } = await played(turns);
    expect(how).toBe("waiting");
    expect(all("task_complete")).toEqual([]);
    const [asked] = all("agent_seeks_guidance");
    for (const words of Object.values(note)) expect(asked?.text).toContain(words);
    expect(coordinator.state.tasks.values().next().value?.desk).toMatchObject({ keep: true });

    expect(await answer("q1", "yes, without regard")).toBe("done");
    expect(prompts[1]).toContain("yes, without regard");
    expect(prompts[1]).toContain(note.description);
    expect(all("task_complete")).toHaveLength(1);
    expect(all("agent_seeks_guidance")).toHaveLength(1);
    expect(all("task_commit_recorded")).toMatchObject([{ files_modified: ["a.txt"] }]);
  },
);

test("a note other than the answered one is put to the user too", async () => {
  const other = { description: "passwords have 8 characters" };
  const turns = [
    { reply: { ...ready, notes: [note] }, writes: ["a.txt"] },
    { reply: { ...ready, notes: [note, other] } },
  ];
  const { answer, all } = await played(turns);
  expect(await answer("q1", "yes")).toBe("waiting");
  const [, second] = all("agent_seeks_guidance");
  expect(second?.text).toContain(other.description);
  expect(second?.text).not.toContain(note.description);
  expect(all("task_complete")).toEqual([]);
});

test("a resolved note does not hold its task up, and is kept with the work", async () => {
  const resolved = { ...note, status: "resolved", resolution: "as the login page" };
  const { how, all, coordinator } = await played([
    { reply: { ...ready, notes: [resolved] }, writes: ["a.txt"] },
  ]);
  expect(how).toBe("done");
  const kept = [{ description: note.description, status: "resolved", resolution: "as the login page" }];
  expect(all("developer_ready_for_audit")).toMatchObject([{ notes: kept }]);
  expect([...coordinator.state.tasks.values()]).toMatchObject([{ work: { notes: kept } }]);
});

test.each([
  ["in the object", { reply: { ...ready, delegations: [delegation] } }],
  ["as a line", { words: "DELEGATION REQUEST: db-expert (advice): which index?\n" }],
  ["in the field", { reply: { ...ready, signal: "DELEGATION REQUEST: db-expert (advice): which index?" } }],
])("a delegation %s is put to the user, and is no finished work", async (_, turn) => {
  const { how, all, answer, prompts } = await played([{ ...turn, writes: ["a.txt"] }, turn]);
  expect(how).toBe("waiting");
  expect(all("developer_ready_for_audit")).toEqual([]);
  expect(all("agent_seeks_guidance")[0]?.text).toContain("db-expert (advice): which index?");
  expect(await answer("q1", "the one on email")).toBe("done");
  expect(prompts[1]).toContain("the one on email");
});

test.each(["AGENT COMPLETE: a", "OUT_OF_SCOPE: x -> y", "ROLLBACK REQUIRED: a", "HEALTH AUDIT: HEALTHY"])(
  "%s from a developer is no finished work: the agent is asked again, and a clear reply is accepted",
  async (signal) => {
    const turns = [
      { words: `Done.\n${signal}\n`, writes: ["a.txt"] },
      { reply: { ...ready, signal } },
      { reply: ready },
    ];
    const { how, all, prompts } = await played(turns);
    expect(all("reply_refused").map(({ problems }) => problems[0]?.code)).toEqual([
      "SIGNAL_ROLE",
      "SIGNAL_ROLE",
    ]);
    expect(prompts[1]).toContain("READY FOR AUDIT: a | TASK INCOMPLETE: a | INFRA BLOCKED: a");
    expect(how).toBe("done");
    expect(all("agent_complete")).toHaveLength(3);
  },
);

test("a question that stands in a note reaches the user as that question, and is not asked twice", async () => {
  const asking = { description: "Question: tabs or spaces?\nOptions: tabs | spaces", status: "escalated" };
  const seeking = { specialist_summary: "I stopped.", signal: "SEEKING DIVINE CLARIFICATION" };
  const turns = [
    { reply: { ...seeking, notes: [asking] }, writes: ["a.txt"] },
    { reply: { ...seeking, notes: [asking] } },
  ];
  const { all, answer } = await played(turns);
  expect(all("agent_seeks_guidance")).toMatchObject([
    { text: "tabs or spaces?", options: ["tabs", "spaces"] },
  ]);
  expect(await answer("q1", "tabs")).toBe("done");
});

test("the reason of a task given up beside a note is in the question", async () => {
  const reply = { signal: "TASK INCOMPLETE: there is no disk", notes: [note] };
  const { all } = await played([{ reply }]);
  expect(all("agent_seeks_guidance")[0]?.text).toContain("TASK INCOMPLETE: there is no disk");
  expect(all("task_incomplete")).toEqual([]);
});

test("a note alone, without any work, is put to the user, and does not count as work afterwards", async () => {
  const turn = { reply: { notes: [note] } };
  const { all, answer } = await played([turn, turn, turn, turn]);
  await answer("q1", "yes");
  expect(all("reply_refused")[0]?.problems).toMatchObject([{ code: "WORK_EMPTY" }]);
  expect(all("agent_seeks_guidance")).toHaveLength(1);
});

const operation = {
  operation: "create",
  file_path: "a.txt",
  description: "make the file",
  content: "a.txt",
};

test("operations beside a note are carried out once, whether they are repeated or left out", async () => {
  const reply = { ...ready, notes: [note], file_operations: [operation] };
  for (const again of [reply, { ...ready, notes: [note] }]) {
    const { answer, carried, all, files } = await played([{ reply }, { reply: again }], { mode: "proposal" });
    expect(carried).toEqual(["a-1-1"]);
    expect(files().has("a.txt")).toBe(true);
    expect(await answer("q1", "yes")).toBe("done");
    expect(carried).toEqual(["a-1-1"]);
    expect(all("task_commit_recorded")).toMatchObject([{ files_modified: ["a.txt"] }]);
  }
});

test("operations beside a question or an incomplete signal are carried out too", async () => {
  const question = { text: "tabs or spaces?" };
  const asked = await played([{ reply: { question, file_operations: [operation] } }], { mode: "proposal" });
  expect(asked.carried).toHaveLength(1);
  expect(asked.all("agent_seeks_guidance")).toMatchObject([{ text: "tabs or spaces?" }]);
  const left = { signal: "TASK INCOMPLETE: the rest", file_operations: [operation] };
  const part = await played([{ reply: left }, { reply: left }, { reply: left }], { mode: "proposal" });
  expect(part.files().has("a.txt")).toBe(true);
});

const pass = { verdict: "PASS", summary: "as it should be", evidence: [], findings: [] };

test.each([
  ["an open note", { reply: { ...pass, notes: [note] } }, note.description],
  [
    "work that it wants taken back",
    { words: `ROLLBACK REQUIRED: a - the table is lost\n\`\`\`json\n${JSON.stringify(pass)}\n\`\`\`\n` },
    "the table is lost",
  ],
])("an auditor's PASS with %s is put to the user before the task is done", async (_, audit, words) => {
  const turns = [{ reply: ready, writes: ["a.txt"] }, audit, audit];
  const { how, all, answer, prompts } = await played(turns, { task: "a audited" });
  expect(how).toBe("waiting");
  expect(all("audit_passed")).toEqual([]);
  const [asked] = all("agent_seeks_guidance");
  expect(asked?.text).toContain(words);
  expect(asked?.text).toContain("PASS: as it should be");
  expect(await answer("q1", "leave it so")).toBe("done");
  expect(prompts[2]).toContain("leave it so");
  // The work is not done again.
  expect(all("developer_ready_for_audit")).toHaveLength(1);
});

test("an auditor is shown what the developer noted", async () => {
  const resolved = { ...note, status: "resolved", resolution: "as the login page" };
  const turns = [{ reply: { ...ready, notes: [resolved] }, writes: ["a.txt"] }, { reply: pass }];
  const { how, prompts } = await played(turns, { task: "a audited" });
  expect(how).toBe("done");
  expect(prompts[1]).toContain("What the developer noted");
  expect(prompts[1]).toContain(note.description);
  expect(prompts[1]).toContain("as the login page");
});

test("a turn that had tools, used none and says that it worked is flagged, to the agent too", async () => {
  const claim = "I have created src/users.ts with the table.\nREADY FOR AUDIT: a\n";
  const turns = [
    { words: claim, toolUses: 0 },
    { reply: ready, writes: ["a.txt"], toolUses: 3 },
  ];
  const { how, all, prompts, ended } = await played(turns);
  expect(all("agent_complete").map(({ tool_uses }) => tool_uses)).toEqual([0, 3]);
  const [refused] = all("reply_refused");
  expect(refused?.problems.map(({ code }) => code)).toEqual(["TURN_WITHOUT_TOOLS", "REPLY_CLAIM_ONLY"]);
  expect(prompts[1]).toContain("the agent used none of its tools");
  expect(ended.filter((line) => line.includes("it used none of its tools"))).toHaveLength(1);
  expect(how).toBe("done");
});

test.each([
  ["nobody knows how many it used", {}, ["REPLY_CLAIM_ONLY"]],
  ["it used some", { toolUses: 1 }, ["REPLY_CLAIM_ONLY"]],
])("if %s, only the claims are reported, not the missing use of tools", async (_, known, codes) => {
  const words = "I have created src/users.ts with the table.\nREADY FOR AUDIT: a\n";
  const { all } = await played([{ words, ...known }]);
  expect(all("reply_refused")[0]?.problems.map(({ code }) => code)).toEqual(codes);
});

test("a turn without tools that proposes or changes something is not flagged", async () => {
  const proposing = { reply: { ...ready, file_operations: [operation] }, toolUses: 0 };
  expect((await played([proposing])).how).toBe("done");
  expect((await played([{ reply: ready, writes: ["a.txt"], toolUses: 0 }])).how).toBe("done");
});
