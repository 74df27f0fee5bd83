import { expect, test } from "vitest";
import { z } from "zod";
import { readAudit } from "./read-audit.ts";
import { auditorJsonSchema } from "./reply-json-schema.ts";

const tick = "```";
const options = { task: "users", fence: "cox-1a" };
const blocking = { severity: "blocking", file: "src/a.ts", line: 12, problem: "no index", fix: "add one" };
const advice = { severity: "advice", problem: "a long name" };
const pass = {
  verdict: "PASS",
  summary: "all criteria are met",
  evidence: [{ criterion: "unique email", evidence: "test users.unique passed" }],
  findings: [advice],
  notes: [{ description: "a doubt", status: "resolved" }],
};
const fail = { verdict: "FAIL", summary: "not yet", findings: [blocking] };

function block(value: unknown, info = "json"): string {
  return `${tick}${info}\n${JSON.stringify(value, null, 2)}\n${tick}\n`;
}

/** `field CODE` of each problem. */
function problems(text: string): string[] {
  return readAudit(text, options).problems.map(({ field, code }) => `${field ?? "-"} ${code}`);
}

test("an auditor's reply is read as data", () => {
  expect(readAudit(block(pass), options)).toEqual({ audit: pass, problems: [], warnings: [] });
  expect(readAudit(JSON.stringify(fail), options)).toEqual({
    audit: { ...fail, evidence: [], notes: [] },
    problems: [],
    warnings: [],
  });
});

test.each([
  ["a tagged block", block(fail, "cox-1a")],
  ["a tagged block beside another", block(pass) + block(fail, "cox-1a")],
  ["a json block", `My verdict:\n\n${block(fail)}\nBye.`],
  ["any block", block(fail, "")],
  ["the whole reply", JSON.stringify(fail)],
  ["an object in prose", `My verdict is ${JSON.stringify(fail)}, sorry.`],
  ["the same twice", block(fail) + block(fail)],
  ["samples around it", block({ name: "x" }) + block(fail) + block({ file_operations: [] })],
])("an audit is found in %s", (_, text) => {
  expect(readAudit(text, options).audit).toMatchObject(fail);
});

test.each([
  ["two that differ", block(pass) + block(fail), "- EXTRACT_AMBIGUOUS"],
  ["XAGT-03 the tag of another turn", block(pass, "cox-9f"), "- EXTRACT_NONCE"],
  ["one that was cut off", `${tick}json\n{"verdict": "PASS", "summ`, "- JSON_SYNTAX"],
  ["a broken one beside a whole one", block(pass) + block(fail).replace("]", ",]"), "- JSON_SYNTAX"],
  ["words alone", "It looks good to me.", "- EXTRACT_NONE"],
  ["nothing", "", "- EXTRACT_NONE"],
  ["an object that is something else", '{"ok": true}', "verdict SCHEMA_REQUIRED"],
  ["no verdict", block({ ...pass, verdict: undefined }), "verdict SCHEMA_REQUIRED"],
  ["another word", block({ ...pass, verdict: "pass" }), "verdict SCHEMA_ENUM"],
  ["FAIL without a finding", block({ verdict: "FAIL", summary: "bad" }), "findings AUDIT_NO_FINDING"],
  ["BLOCKED without a word", block({ verdict: "BLOCKED" }), "findings AUDIT_NO_FINDING"],
  [
    "PASS with a blocking finding",
    block({ ...pass, findings: [advice, blocking] }),
    "findings[1].severity AUDIT_CONTRADICTION",
  ],
  [
    "a finding of another weight",
    block({ ...fail, findings: [{ ...blocking, severity: "high" }] }),
    "findings[0].severity SCHEMA_ENUM",
  ],
  [
    "a finding without a problem",
    block({ ...fail, findings: [{ severity: "blocking" }] }),
    "findings[0].problem SCHEMA_REQUIRED",
  ],
  ["line 0", block({ ...fail, findings: [{ ...blocking, line: 0 }] }), "findings[0].line SCHEMA_RANGE"],
  ["line 1.5", block({ ...fail, findings: [{ ...blocking, line: 1.5 }] }), "findings[0].line SCHEMA_TYPE"],
  ["too many findings", block({ ...fail, findings: Array(201).fill(advice) }), "findings SCHEMA_RANGE"],
  [
    "a finding that is a book",
    block({ ...fail, findings: [{ ...blocking, problem: "x".repeat(20_001) }] }),
    "findings[0].problem SCHEMA_RANGE",
  ],
  ["half a character", block({ ...pass, summary: "\ud800" }), "summary CONTENT_ILL_FORMED"],
  ["another verdict in the text", `AUDIT PASSED - users\n${block(fail)}`, "signal SIGNAL_CONFLICT"],
  ["another task in the text", `AUDIT FAILED - other\n${block(fail)}`, "- SIGNAL_TASK"],
  ["a developer's signal", "READY FOR AUDIT: users", "- SIGNAL_ROLE"],
  ["two signals", "AUDIT PASSED - users\nAUDIT FAILED - users\nx", "- SIGNAL_MANY"],
  ["another task", "AUDIT PASSED - other", "- SIGNAL_TASK"],
  ["a signal in a sentence", "I say AUDIT PASSED - users.", "- SIGNAL_PLACE"],
  ["a failure without a reason", "AUDIT FAILED - users", "findings AUDIT_NO_FINDING"],
])("%s: the audit is refused", (_, text, expected) => {
  expect(problems(text)).toEqual([expected]);
});

test("all problems of an audit are reported at once", () => {
  expect(problems(block({ verdict: "OK", findings: [{ line: "x" }], evidence: [{}] }))).toEqual([
    "verdict SCHEMA_ENUM",
    "evidence[0].criterion SCHEMA_REQUIRED",
    "evidence[0].evidence SCHEMA_REQUIRED",
    "findings[0].severity SCHEMA_REQUIRED",
    "findings[0].line SCHEMA_TYPE",
    "findings[0].problem SCHEMA_REQUIRED",
  ]);
});

test.each([
  ["PASS without evidence", { verdict: "PASS" }, "AUDIT_NO_EVIDENCE"],
  ["FAIL by advice alone", { verdict: "FAIL", findings: [advice] }, "AUDIT_CONTRADICTION"],
  ["XAGT-06 another agent's name", { ...fail, agent: "B" }, "SCHEMA_UNKNOWN_KEY"],
  ["XAGT-07 hidden text in a note", { ...fail, notes: [{ description: "\u{e0041}" }] }, "CONTENT_INVISIBLE"],
])("in an audit, %s is warned about and accepted", (_, value, code) => {
  const { audit, warnings } = readAudit(block(value), options);
  expect(audit).toMatchObject({ verdict: value.verdict });
  expect(audit).not.toHaveProperty("agent");
  expect(warnings).toMatchObject([{ code }]);
});

test("a verdict in the object and the same one in a line are one verdict", () => {
  for (const line of ["AUDIT FAILED - users", "AUDIT FAILED", "**AUDIT PASSED - users**"]) {
    expect(readAudit(`${line}\n${block(fail)}`, options).audit).toMatchObject(fail);
  }
});

test.each([
  ["AUDIT PASSED - users", { verdict: "PASS", summary: "AUDIT PASSED - users", findings: [] }],
  ["Tests pass.\nAUDIT PASSED - users", { verdict: "PASS", summary: "Tests pass.", findings: [] }],
  [
    "AUDIT FAILED - users\nno index\non email",
    { verdict: "FAIL", findings: [{ severity: "blocking", problem: "no index\non email" }] },
  ],
  [
    "There is no index.\n\nAUDIT FAILED - users\n",
    { verdict: "FAIL", findings: [{ severity: "blocking", problem: "There is no index." }] },
  ],
  ["AUDIT BLOCKED - users\nno disk", { verdict: "BLOCKED", summary: "no disk", findings: [] }],
])("the text %j is an audit in words", (text, audit) => {
  expect(readAudit(text, options)).toMatchObject({ audit, problems: [] });
});

test.each([
  ["READY FOR AUDIT: users", "READY FOR AUDIT"],
  ["TASK INCOMPLETE: users - no", "TASK INCOMPLETE"],
  ["INFRA BLOCKED: users", "INFRA BLOCKED"],
  ["DELEGATION REQUEST: db (advice): which?", "DELEGATION REQUEST"],
  ["AGENT COMPLETE: codex", "AGENT COMPLETE"],
  ["OUT_OF_SCOPE: sql → database", "OUT_OF_SCOPE"],
  ["HEALTH AUDIT: HEALTHY", "HEALTH AUDIT"],
])("an auditor may not say %j, alone, beside a verdict or in its object", (written, name) => {
  for (const text of [written, `${written}\n${block(pass)}`, block({ ...pass, signal: written })]) {
    const { audit, problems } = readAudit(text, options);
    expect(audit).toBeUndefined();
    expect(problems).toMatchObject([{ code: "SIGNAL_ROLE", message: expect.stringContaining(name) }]);
    expect(problems[0]?.hint).toContain("AUDIT PASSED - users");
  }
});

test("an auditor may ask for a rollback, alone or beside its verdict, with a reason", () => {
  const line = "ROLLBACK REQUIRED: users - the table is lost";
  const rollback = "the table is lost";
  expect(readAudit(line, options)).toEqual({ rollback, problems: [], warnings: [] });
  expect(readAudit(`${block(fail)}\n${line}`, options)).toMatchObject({ rollback, audit: fail });
  expect(readAudit(block({ ...fail, signal: line }), options)).toMatchObject({ rollback, audit: fail });
  expect(problems("ROLLBACK REQUIRED: users")).toEqual(["- SIGNAL_EMPTY"]);
});

test("an auditor may ask instead of judging, and not both at once", () => {
  const line = "SEEKING DIVINE CLARIFICATION\nQuestion: is it to be fast?\nOptions: yes | no";
  const question = { text: "is it to be fast?", options: ["yes", "no"] };
  expect(readAudit(line, options)).toEqual({ question, problems: [], warnings: [] });
  expect(problems(`${block(pass)}\n${line}`)).toEqual(["signal SIGNAL_CONFLICT"]);
  expect(problems(block({ ...pass, question }))).toEqual(["signal SIGNAL_CONFLICT"]);
});

test("the JSON Schema of audits agrees with the check", () => {
  const schema = auditorJsonSchema();
  expect(schema).toMatchObject({ title: "Audit", required: ["verdict"] });
  const check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  expect(check.safeParse(pass).success).toBe(true);
  expect(check.safeParse({ ...fail, findings: [{ ...blocking, line: 0 }] }).success).toBe(false);
});
