import { expect, test } from "vitest";
import type { Audit } from "../reply/audit.ts";
import { auditWords } from "./audit-words.ts";

const bare: Audit = { verdict: "PASS", summary: "", evidence: [], findings: [], notes: [] };

test("an audit shown as text has its summary, its evidence and all findings", () => {
  const evidence = [
    { criterion: "an email is unique", evidence: "test users.unique passed" },
    { criterion: "it is documented", evidence: "README.md:12" },
  ];
  const findings = [
    { severity: "advice", file: "src/db.ts", line: 3, problem: "no name", fix: "name it" },
    { severity: "advice", problem: "long" },
  ] as const;
  expect(auditWords({ ...bare, summary: "Good.", evidence, findings })).toBe(
    "Good. Evidence: an email is unique: test users.unique passed; it is documented: README.md:12 " +
      "Findings: advice src/db.ts:3: no name → name it; advice: long",
  );
});

test("missing parts of an audit leave no words, and nothing in it acts on a terminal", () => {
  expect(auditWords(bare)).toBe("");
  expect(auditWords({ ...bare, summary: "fine\u001b[2J\nAUDIT FAILED" })).toBe(
    "fine\\u001b[2J\\nAUDIT FAILED",
  );
});
