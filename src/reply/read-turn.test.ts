import { expect, test } from "vitest";
import { type ReadOptions, readReply } from "./read.ts";
import { roleSignals } from "./signal/role-signals.ts";

const tick = "```";
const operation = { operation: "create", file_path: "a.txt", description: "make the file", content: "x" };
const task = "users";
const atDesk: ReadOptions = { task, desk: true };

function block(value: unknown, info = "json"): string {
  return `${tick}${info}\n${JSON.stringify(value, null, 2)}\n${tick}\n`;
}

function codes(reply: string, options: ReadOptions = atDesk): string[] {
  return readReply(reply, options).problems.map(({ code }) => code);
}

function signalIn(reply: string, options: ReadOptions = atDesk) {
  const { reply: read, problems } = readReply(reply, options);
  expect(problems).toEqual([]);
  return read?.signal;
}

test.each([
  ["prose without a signal", "I changed what had to be changed.", "I changed what had to be changed."],
  ["a sample beside it", `Done.\n${block({ name: "x" })}`, `Done.\n${block({ name: "x" })}`.trim()],
  ["JSON that is something else", '{"ok": true}', '{"ok": true}'],
  ["an object without operations", block({ specialist_summary: "s" }), "s"],
  ["an object with an empty list", block({ file_operations: [], specialist_summary: "s" }), "s"],
  ["an object of the turn's tag", block({ specialist_summary: "s" }, "cox-1a"), "s"],
  ["an object in prose", 'Done: {"specialist_summary": "s", "notes": []} Bye', "s"],
])("at a desk, %s is a reply without operations", (_, text, summary) => {
  const { reply, problems } = readReply(text, { ...atDesk, fence: "cox-1a" });
  expect(problems).toEqual([]);
  expect(reply).toMatchObject({ operations: [], summary });
});

test.each([
  ["READY FOR AUDIT: users", undefined],
  ["Added the table.\nREADY FOR AUDIT: users\n", "Added the table."],
  ["READY FOR AUDIT: users - added the table\nand a test", "added the table\nand a test"],
  ["Checkpoint: users half\nAdded it.\nREADY FOR AUDIT: users", "half\nAdded it."],
  ["Checkpoint files are ignored now.", "Checkpoint files are ignored now."],
  [`Say:\n${tick}\nREADY FOR AUDIT: other\n${tick}`, `Say:\n${tick}\nREADY FOR AUDIT: other\n${tick}`],
])(
  "the summary of %j, which becomes a commit's message, has no line that speaks to us alone",
  (text, summary) => {
    const { reply, problems } = readReply(text, atDesk);
    expect(problems).toEqual([]);
    expect(reply?.summary).toBe(summary);
  },
);

test("at a desk, an empty text is a reply too", () => {
  expect(readReply("", atDesk).reply).toEqual({
    operations: [],
    notes: [],
    outputs: [],
    delegations: [],
    checkpoints: [],
    claims: { sentences: [], files: [] },
  });
});

test("at a desk, operations in the reply still count", () => {
  expect(readReply(block({ file_operations: [operation] }), atDesk).reply?.operations).toHaveLength(1);
});

test("the texts of a reply's object are bounded where they are passed on", () => {
  const long = "x".repeat(100_000);
  const { reply } = readReply(
    block({ specialist_summary: long, signal: `TASK INCOMPLETE\n${long}` }),
    atDesk,
  );
  expect(reply?.summary).toHaveLength(10_001);
  expect(reply?.signal).toMatchObject({ name: "TASK INCOMPLETE", text: "x".repeat(8_000) });
});

test("a summary taken from prose is bounded, and never ends in half a character", () => {
  const { summary = "" } = readReply(`x${"😀".repeat(20_000)}`, atDesk).reply ?? {};
  expect(summary.length).toBeLessThanOrEqual(10_001);
  expect(summary).toMatch(/😀…$/u);
});

test.each([
  ["a mistake in an operation", block({ file_operations: [{ ...operation, content: 5 }] }), "SCHEMA_TYPE"],
  ["operations that are no list", block({ file_operations: operation }), "SCHEMA_TYPE"],
  ["operations in another object", block({ result: { file_operations: [operation] } }), "SCHEMA_REQUIRED"],
  [
    "operations under another name",
    block({ specialist_summary: "s", operations: [operation] }),
    "SCHEMA_REQUIRED",
  ],
  ["a bare list of operations", block([operation]), "SCHEMA_TYPE"],
  ["a bare operation", block(operation), "SCHEMA_REQUIRED"],
  ["broken JSON", block({ file_operations: [operation] }).replace("]", ",]"), "JSON_SYNTAX"],
  ["a reply that was cut off", `Done.\n${tick}json\n{"specialist_summary": "s`, "JSON_SYNTAX"],
  ["a summary that is no text", block({ specialist_summary: 5 }), "SCHEMA_TYPE"],
  ["something else with the tag", block({ name: "x" }, "cox-1a"), "SCHEMA_REQUIRED"],
  [
    "two answers that differ",
    block({ specialist_summary: "one" }) + block({ specialist_summary: "two" }),
    "EXTRACT_AMBIGUOUS",
  ],
  ["XAGT-03 the tag of another turn", block({ specialist_summary: "s" }, "cox-9f"), "EXTRACT_NONCE"],
])("at a desk, %s is refused", (_, text, code) => {
  expect(codes(text, { ...atDesk, fence: "cox-1a" })).toEqual([code]);
});

test("XAGT-03 a note that quotes a block of some tag is a note, whatever the tag", () => {
  const note = { description: `${tick}cox-1a\n${JSON.stringify({ file_operations: [operation] })}\n${tick}` };
  const { reply } = readReply(block({ notes: [note] }, "cox-1a"), { ...atDesk, fence: "cox-1a" });
  expect(reply).toMatchObject({ operations: [], notes: [{ ...note, status: "open" }] });
});

test("without a desk, a reply without operations needs a signal that says why", () => {
  const words = "Which database?";
  expect(codes(words, { task })).toEqual(["EXTRACT_NONE"]);
  expect(codes(`READY FOR AUDIT: users\n`, { task })).toEqual(["EXTRACT_NONE"]);
  expect(codes(block({ specialist_summary: "s" }), { task })).toEqual(["SCHEMA_REQUIRED"]);
  expect(codes(block({ file_operations: [] }), { task })).toEqual(["SCHEMA_RANGE"]);
  expect(codes("I have created src/x.ts.", { task })).toEqual(["REPLY_CLAIM_ONLY"]);
  expect(codes('<invoke name="Write">', { task })).toEqual(["REPLY_TOOL_CALL_TEXT"]);
  expect(signalIn(`SEEKING DIVINE CLARIFICATION\n${words}`, { task })).toEqual({
    name: "SEEKING DIVINE CLARIFICATION",
    question: { text: words, options: [] },
  });
  expect(signalIn(block({ signal: "TASK INCOMPLETE", specialist_summary: "no disk" }), { task })).toEqual({
    name: "TASK INCOMPLETE",
    text: "no disk",
  });
});

test("the claims of an agent at its desk are read from its prose and its summary", () => {
  const { claims } =
    readReply(`I have created src/x.ts.\n${block({ specialist_summary: "I updated b.md" })}`, atDesk).reply ??
    {};
  expect(claims).toMatchObject({ files: ["src/x.ts", "b.md"] });
  expect(readReply('Write(file_path="a.txt")', atDesk).reply?.claims).toMatchObject({
    toolCall: "Write(file_path",
  });
});

test("XAGT-06 an agent that claims to be another is warned, and nothing comes of it", () => {
  const { reply, warnings } = readReply(block({ specialist_summary: "s", agent: "B" }), atDesk);
  expect(reply).not.toHaveProperty("agent");
  expect(warnings).toMatchObject([{ code: "SCHEMA_UNKNOWN_KEY", field: "agent" }]);
});

test.each([
  ["READY FOR AUDIT: users", { name: "READY FOR AUDIT", text: "" }],
  ["All done.\n\nREADY FOR AUDIT: users\n", { name: "READY FOR AUDIT", text: "All done." }],
  ["READY FOR AUDIT: users\r\nAll done.\r\n", { name: "READY FOR AUDIT", text: "All done." }],
  ["TASK INCOMPLETE: users\nno disk", { name: "TASK INCOMPLETE", text: "no disk" }],
  ["TASK INCOMPLETE: users - no disk\nat all", { name: "TASK INCOMPLETE", text: "no disk\nat all" }],
  ["no disk\nTASK INCOMPLETE: users", { name: "TASK INCOMPLETE", text: "no disk" }],
  ["INFRA BLOCKED: users", { name: "INFRA BLOCKED", text: "" }],
  [
    "DELEGATION REQUEST: db-expert (advice): which index?",
    { name: "DELEGATION REQUEST", text: "db-expert (advice): which index?" },
  ],
  [
    "SEEKING DIVINE CLARIFICATION\nQuestion: a or b?\nOptions:\n- a\n- b\nContext: c",
    { name: "SEEKING DIVINE CLARIFICATION", question: { text: "a or b?", options: ["a", "b"], why: "c" } },
  ],
  [`READY FOR AUDIT: users\n${block({ specialist_summary: "s" })}`, { name: "READY FOR AUDIT", text: "s" }],
])("the line %j is one signal", (text, signal) => {
  expect(signalIn(text)).toEqual({ ...signal });
});

test.each([
  ["a sentence about signals", "I will write READY FOR AUDIT when I am done."],
  ["a signal of another task in a sentence", "It depends on READY FOR AUDIT: other-users"],
  ["a sample of another task", `${tick}\nREADY FOR AUDIT: other\n${tick}`],
  ["a feature that is called like one", "## Delegation request\n\nDelegation requests are parsed now."],
  [
    "a file that holds one",
    block({ file_operations: [{ ...operation, content: "READY FOR AUDIT: users" }] }),
  ],
  ["a checkpoint that is a sentence", "Checkpoint: the model is saved every hour"],
])("the line %s is no signal", (_, text) => {
  expect(signalIn(text)).toBeUndefined();
});

test.each([
  ["two of them", "READY FOR AUDIT: users\nTASK INCOMPLETE: users\nx", "SIGNAL_MANY"],
  ["the same twice", "READY FOR AUDIT: users\n\nREADY FOR AUDIT: users", "SIGNAL_MANY"],
  ["another task", "READY FOR AUDIT: other", "SIGNAL_TASK"],
  ["a task whose name begins the same", "READY FOR AUDIT: users-2", "SIGNAL_TASK"],
  ["no task", "READY FOR AUDIT", "SIGNAL_TASK"],
  ["no colon", "READY FOR AUDIT users", "SIGNAL_FORM"],
  ["an auditor's words", "AUDIT PASSED - users", "SIGNAL_ROLE"],
  ["a request to nobody", "DELEGATION REQUEST", "SIGNAL_EMPTY"],
  ["indented", "  READY FOR AUDIT: users", "SIGNAL_PLACE"],
  ["in bold", "**READY FOR AUDIT: users**", "SIGNAL_PLACE"],
  ["in a quote", "> TASK INCOMPLETE: users", "SIGNAL_PLACE"],
  ["in a list", "- READY FOR AUDIT: users", "SIGNAL_PLACE"],
  ["in small letters", "Ready for audit: users", "SIGNAL_PLACE"],
  ["behind a character nobody sees", "\u200bREADY FOR AUDIT: users", "SIGNAL_PLACE"],
  ["in a sentence", "The task is done. TASK INCOMPLETE: users", "SIGNAL_PLACE"],
  ["in a block", `${tick}\nTASK INCOMPLETE: users\n${tick}`, "SIGNAL_PLACE"],
  ["in a block that is never closed", `${tick}sh\nls\n\nTASK INCOMPLETE: users\n`, "SIGNAL_PLACE"],
  ["no question", "SEEKING DIVINE CLARIFICATION", "SIGNAL_EMPTY"],
  ["no reason", "TASK INCOMPLETE: users", "SIGNAL_EMPTY"],
  ["an unknown one in the object", block({ signal: "DONE" }), "SIGNAL_UNKNOWN"],
  ["another task in the object", block({ signal: "READY FOR AUDIT: other" }), "SIGNAL_TASK"],
  ["an auditor's in the object", block({ signal: "AUDIT PASSED" }), "SIGNAL_ROLE"],
  [
    "one thing in the object, another in the text",
    `TASK INCOMPLETE: users\n${block({ signal: "READY FOR AUDIT" })}`,
    "SIGNAL_CONFLICT",
  ],
  [
    "a question beside another signal",
    block({ signal: "READY FOR AUDIT", question: { text: "why?" } }),
    "SIGNAL_CONFLICT",
  ],
])("a signal with %s is unclear, and says what to write", (_, text, code) => {
  const { problems, reply } = readReply(text, atDesk);
  expect(reply).toBeUndefined();
  expect(problems).toMatchObject([{ code, hint: expect.stringMatching(/^(?:Write|Give|Say|Ask)\b/) }]);
});

test.each([
  ["AUDIT PASSED - users", "AUDIT PASSED"],
  ["AUDIT FAILED - users", "AUDIT FAILED"],
  ["AUDIT BLOCKED - users", "AUDIT BLOCKED"],
  ["ROLLBACK REQUIRED: users", "ROLLBACK REQUIRED"],
  ["AGENT COMPLETE: codex", "AGENT COMPLETE"],
  ["AGENT COMPLETE", "AGENT COMPLETE"],
  ["OUT_OF_SCOPE: sql → database", "OUT_OF_SCOPE"],
  ["HEALTH AUDIT: HEALTHY", "HEALTH AUDIT"],
])("a developer may not say %j: as a line and in the object it is refused by name", (written, name) => {
  const own = roleSignals.developer.allowed;
  for (const [text, where] of [
    [`Done.\n${written}\n${block({ specialist_summary: "s" })}`, { message: `line 2 says ${name}` }],
    [
      block({ file_operations: [operation], signal: written }),
      { message: `signal says ${name}`, field: "signal" },
    ],
  ] as const) {
    const { reply, problems } = readReply(text, atDesk);
    expect(reply).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      ...where,
      code: "SIGNAL_ROLE",
      message: expect.stringContaining(where.message),
    });
    for (const signal of own) expect(problems[0]?.hint).toContain(signal);
  }
});

test("a decorated signal of another role is refused for its role, not for its form", () => {
  expect(codes("**ROLLBACK REQUIRED: users**")).toEqual(["SIGNAL_ROLE"]);
});

test("a question in a note is asked word for word, with its options", () => {
  const description = "Question: tabs or spaces?\nOptions: tabs | spaces\nContext: the file has both";
  const note = { description, context: "src/a.ts", status: "escalated" };
  const other = { description: "names are in English", status: "resolved" };
  const text = block({
    specialist_summary: "I stopped there.",
    signal: "SEEKING DIVINE CLARIFICATION",
    notes: [other, note],
  });
  for (const options of [atDesk, { task }])
    expect(signalIn(text, options)).toEqual({
      name: "SEEKING DIVINE CLARIFICATION",
      question: { text: "tabs or spaces?", options: ["tabs", "spaces"] },
    });
});

test("a question after the signal wins over one in a note", () => {
  const notes = [{ description: "tabs or spaces?" }];
  expect(signalIn(block({ signal: "SEEKING DIVINE CLARIFICATION: which database?", notes }))).toMatchObject({
    question: { text: "which database?" },
  });
});

test("an open note or a delegation is a reason for a reply without operations; a resolved note is not", () => {
  const reply = (more: object) => readReply(block({ signal: "READY FOR AUDIT", ...more }), { task }).reply;
  expect(reply({ notes: [{ description: "which one?" }] })?.notes).toMatchObject([{ status: "open" }]);
  const delegation = { agent: "db", request_type: "advice", request: "which one?" };
  expect(reply({ delegations: [delegation] })?.delegations).toHaveLength(1);
  expect(reply({ notes: [{ description: "this one", status: "resolved" }] })).toBeUndefined();
});

test("if operations of an earlier reply are at the desk, a later reply needs none", () => {
  const text = block({ signal: "READY FOR AUDIT", specialist_summary: "as it was" });
  expect(readReply(text, { task }).reply).toBeUndefined();
  expect(readReply(text, { task, isWorkAtDesk: true }).reply).toMatchObject({ operations: [] });
});

test.each([
  ["READY FOR AUDIT", { name: "READY FOR AUDIT", text: "s" }],
  ["READY FOR AUDIT: users", { name: "READY FOR AUDIT", text: "s" }],
  ["TASK INCOMPLETE: users - no disk", { name: "TASK INCOMPLETE", text: "no disk" }],
  ["TASK INCOMPLETE: there is no disk", { name: "TASK INCOMPLETE", text: "there is no disk" }],
  ["TASK INCOMPLETE\nno disk", { name: "TASK INCOMPLETE", text: "no disk" }],
  ["", undefined],
])("the signal in the field %j follows the same grammar, and may leave the task out", (written, signal) => {
  expect(signalIn(block({ signal: written, specialist_summary: "s" }))).toEqual(signal);
});

test("a signal in the object and the same one in a line are one signal", () => {
  for (const line of ["READY FOR AUDIT: users", "READY FOR AUDIT"]) {
    expect(signalIn(`${line}\n${block({ signal: "READY FOR AUDIT" })}`)).toMatchObject({
      name: "READY FOR AUDIT",
    });
  }
});

test("a question in the reply's object needs no signal beside it", () => {
  const question = { text: "a or b?", options: ["a", "b"], why: "c" };
  expect(signalIn(block({ question }))).toEqual({ name: "SEEKING DIVINE CLARIFICATION", question });
});

test("an object in the prose is not part of the signal's text", () => {
  const text = 'READY FOR AUDIT: users\nIt works: {"specialist_summary": "s"} indeed.';
  expect(signalIn(text)).toEqual({ name: "READY FOR AUDIT", text: "It works:  indeed." });
});

test("any number of checkpoints may stand beside a signal", () => {
  const text = "Checkpoint: users tables\nmore\nCheckpoint: users - tests\nREADY FOR AUDIT: users\n";
  expect(readReply(text, atDesk).reply).toMatchObject({
    checkpoints: ["tables", "tests"],
    signal: { name: "READY FOR AUDIT" },
  });
});

test("without a task no signal is read: cox apply takes only operations", () => {
  const { reply, problems } = readReply(
    `READY FOR AUDIT: a\nREADY FOR AUDIT: b\n${block({ file_operations: [operation], signal: "whatever" })}`,
  );
  expect(problems).toEqual([]);
  expect(reply).not.toHaveProperty("signal");
});

test("problems with the signal and with the operations are reported at once", () => {
  const text = `READY FOR AUDIT: other\n${block({ file_operations: [{ ...operation, content: 5 }] })}`;
  expect(codes(text)).toEqual(["SCHEMA_TYPE", "SIGNAL_TASK"]);
});

test("no message about a signal carries a raw control character or a long text", () => {
  const evil = `\u001b[31m\u202e${"x".repeat(5_000)}`;
  for (const text of [
    `READY FOR AUDIT: ${evil}`,
    `READY FOR AUDIT ${evil}`,
    block({ signal: evil }),
    `> READY FOR AUDIT: ${task} ${evil}`,
  ]) {
    const { problems } = readReply(text, atDesk);
    expect(problems).toHaveLength(1);
    for (const { message, hint } of problems) {
      expect(message.length + hint.length).toBeLessThan(600);
      expect(message + hint).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  }
});

test("reading the signals of a hostile text takes a time that grows with its length, not with its square", () => {
  const generators: ((size: number) => string)[] = [
    (size) => "READY FOR AUDIT ".repeat(size / 16),
    (size) => `x ${"READY FOR AUDIT: users-".repeat(size / 23)}`,
    (size) => "READY FOR AUDIT: other\n".repeat(size / 23),
    (size) => "Checkpoint: users\n".repeat(size / 18),
    (size) => " > * ".repeat(size / 5),
    (size) => " > * \n".repeat(size / 6),
    (size) => `READY FOR AUDIT: ${"-".repeat(size)}`,
    (size) => `TASK INCOMPLETE: users\n${"- ".repeat(size / 2)}`,
    (size) => `SEEKING DIVINE CLARIFICATION\n${"Options:\n".repeat(size / 9)}`,
    (size) => `${`${tick}x\n${tick}\n`.repeat(900)}${"R\n".repeat(size / 2)}`,
    (size) => "I have created ".repeat(size / 15),
    (size) => `I have updated:\n${"- a/b.ts\n".repeat(size / 9)}`,
    (size) => JSON.stringify({ notes: Array(size / 10).fill({ a: 1 }) }),
  ];
  for (const generate of generators) {
    // Two million characters take a few hundred milliseconds; with quadratic cost the test would never end.
    expect(readReply(generate(2_000_000), atDesk).problems.length).toBeLessThan(2_000);
  }
});
